// SPDX-License-Identifier: Apache-2.0
// Actuators. All of MJCF's kinds are one: force = gain(length, speed) · (control or activation) +
// bias(length, speed), and each kind is a way to fill in the numbers. Defaults of any kind fill in
// the same numbers, from the outermost class inwards, then the element itself does.
//
// dampratio asks for a damping of ratio · 2 √(kp m), where m is the inertia that the actuator feels
// at the pose of the file: the diagonal of the mass matrix, M_jj / moment_j² summed over the dofs
// that it moves.
#include <math.h>
#include <string.h>

#include "base/kind_table.h"
#include "io/mjcf.h"
#include "model/joint_kind.h"

typedef struct Act {
  int affine_gain, affine_bias;
  HeftActivation dynamics;
  double gain[3], bias[3], time;
  double damp_ratio, inherit;  ///< 0: not asked for
  int inherit_activation;
  int muscle;
} Act;

static int numbers(Mjcf* m, const XmlNode* n, const char* name, int max, double* out) {
  const char* text = xml_get(n, name);
  return text ? xml_numbers(m->load, n, name, text, 1, max, out) : 0;
}

static int word(Mjcf* m, const XmlNode* n, MjcfKey key, const char* const* words) {
  const Item item = {.node = n};
  return xml_get(n, mjcf_attributes[key].name) ? mj_word(m, &item, key, words) : -1;
}

static void apply_general(Mjcf* m, const XmlNode* n, Act* a) {
  static const char* const dynamics[] = {"none",   "integrator", "filter", "filterexact",
                                         "muscle", "user",       NULL};
  static const char* const gains[] = {"fixed", "affine", "muscle", "user", NULL};
  static const char* const biases[] = {"none", "affine", "muscle", "user", NULL};
  const int d = word(m, n, MJ_general_dyntype, dynamics),
            g = word(m, n, MJ_general_gaintype, gains), b = word(m, n, MJ_general_biastype, biases);
  if (d >= 0 && d < 4) a->dynamics = (HeftActivation)d;
  if (g >= 0) a->affine_gain = g == 1;
  if (b >= 0) a->affine_bias = b == 1;
  a->muscle |= d == 4 || g == 2 || b == 2;
  if (d == 5 || g == 3 || b == 3)
    load_warn(m->load, xml_place(n), "user actuator",
              "<general>: types 'user' are computed by the program that runs the model");
  double x[10] = {0};
  if (numbers(m, n, "dynprm", 10, x)) a->time = x[0];
  if (numbers(m, n, "gainprm", 10, x)) memcpy(a->gain, x, sizeof a->gain);
  memset(x, 0, sizeof x);
  if (numbers(m, n, "biasprm", 10, x)) memcpy(a->bias, x, sizeof a->bias);
}

static void set_plain(Act* a, double gain) {
  a->affine_gain = a->affine_bias = 0;
  a->dynamics = HEFT_ACTIVATION_NONE;
  a->gain[0] = gain;
  a->gain[1] = a->gain[2] = 0;
  a->bias[0] = a->bias[1] = a->bias[2] = 0;
  a->damp_ratio = 0;  // a class may have it for other kinds
}

static void apply_position(Mjcf* m, const XmlNode* n, Act* a, int integrates) {
  double kp = a->gain[0], kv, ratio, time;
  numbers(m, n, "kp", 1, &kp);
  a->affine_gain = 0;
  a->affine_bias = 1;
  a->gain[0] = kp;
  a->bias[1] = -kp;
  if (numbers(m, n, "kv", 1, &kv)) {
    a->bias[2] = -kv;
    a->damp_ratio = 0;
  }
  if (numbers(m, n, "dampratio", 1, &ratio)) a->damp_ratio = ratio;
  if (!integrates && numbers(m, n, "timeconst", 1, &time)) {
    a->time = time;
    a->dynamics = time > 0 ? HEFT_ACTIVATION_FILTER_EXACT : HEFT_ACTIVATION_NONE;
  }
  if (integrates) a->dynamics = HEFT_ACTIVATION_INTEGRATOR;
  numbers(m, n, "inheritrange", 1, &a->inherit);
  a->inherit_activation = integrates;
}

static void apply_cylinder(Mjcf* m, const XmlNode* n, Act* a) {
  double diameter;
  a->affine_gain = 0;
  a->affine_bias = 1;
  a->dynamics = HEFT_ACTIVATION_FILTER;
  numbers(m, n, "timeconst", 1, &a->time);
  numbers(m, n, "area", 1, &a->gain[0]);
  if (numbers(m, n, "diameter", 1, &diameter)) a->gain[0] = HEFT_PI / 4 * diameter * diameter;
  numbers(m, n, "bias", 3, a->bias);
}

static void apply(Mjcf* m, const XmlNode* n, Act* a) {
  double kv;
  switch (mjcf_actuator_element(n->name)) {
    case MJCF_general:
      apply_general(m, n, a);
      break;
    case MJCF_motor:
      set_plain(a, 1);
      break;
    case MJCF_position:
      apply_position(m, n, a, 0);
      break;
    case MJCF_intvelocity:
      apply_position(m, n, a, 1);
      break;
    case MJCF_velocity:
      kv = a->gain[0];
      numbers(m, n, "kv", 1, &kv);
      set_plain(a, kv);
      a->affine_bias = 1;
      a->bias[2] = -kv;
      break;
    case MJCF_damper:
      kv = a->affine_gain ? -a->gain[2] : 1;
      numbers(m, n, "kv", 1, &kv);
      set_plain(a, 0);
      a->affine_gain = 1;
      a->gain[2] = -kv;
      break;
    case MJCF_cylinder:
      apply_cylinder(m, n, a);
      break;
    case MJCF_muscle:
      a->muscle = 1;
      break;
    default:
      break;  // an element of a class that is no actuator
  }
}

static void apply_class(Mjcf* m, const Class* class, Act* a) {
  if (!class) return;
  apply_class(m, class->parent, a);
  for (int i = 0; i < class->nodes.count; ++i)
    apply(m, GROW_AT(class->nodes, const XmlNode*, i), a);
}

// ---- transmission

static int read_target(Mjcf* m, const Item* item, Refs* refs, HeftActuatorDef* def) {
  static const struct {
    MjcfKey key;
    int kind;
    HeftTransmission transmission;
  } transmissions[] = {{MJ_general_joint, OF_JOINT, HEFT_TRANSMISSION_JOINT},
                       {MJ_general_jointinparent, OF_JOINT, HEFT_TRANSMISSION_JOINT_IN_PARENT},
                       {MJ_general_tendon, OF_TENDON, HEFT_TRANSMISSION_TENDON},
                       {MJ_general_site, OF_SITE, HEFT_TRANSMISSION_SITE},
                       {MJ_general_cranksite, OF_SITE, HEFT_TRANSMISSION_SLIDER_CRANK}};
  KIND_TABLE_COVERS(transmissions, HEFT_TRANSMISSION_COUNT);
  int found = 0;
  for (size_t i = 0; i < sizeof transmissions / sizeof *transmissions; ++i) {
    if (!mj_given(m, item, transmissions[i].key)) continue;
    ++found;
    def->transmission = transmissions[i].transmission;
    def->target = mj_ref(m, item, transmissions[i].key, transmissions[i].kind, refs);
  }
  if (found != 1) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
              "<%.40s>: %d targets were found, expected one of joint, jointinparent, tendon, site, "
              "cranksite",
              item->node->name, found);
    return 0;
  }
  if (def->transmission == HEFT_TRANSMISSION_SITE) {
    def->reference = mj_ref(m, item, MJ_general_refsite, OF_SITE, refs);
  } else if (def->transmission == HEFT_TRANSMISSION_SLIDER_CRANK) {
    def->reference = mj_ref(m, item, MJ_general_slidersite, OF_SITE, refs);
    def->crank = mj_real(m, item, MJ_general_cranklength);
    if (LOAD_OK(m->load) && refs_ok(refs) && (def->reference < 0 || !(def->crank > 0)))
      load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
                "<%.40s>: a slider crank needs a slidersite and a positive cranklength",
                item->node->name);
  }
  return 1;
}

// ---- damping ratio

static int is_scalar(const Mjcf* m, int j) {
  return joint_is_scalar(GROW_AT(m->joints, JointInfo, j).type);
}

// The inertia felt at the actuator; 0 if it is not known.
static double felt_inertia(Mjcf* m, const HeftActuatorDef* def) {
  const double gear2 = def->gear[0] * def->gear[0];
  double sum = 0;
  if (def->transmission == HEFT_TRANSMISSION_JOINT && is_scalar(m, def->target))
    return gear2 > 0 ? mj_joint_inertia(m, def->target) / gear2 : 0;
  if (def->transmission != HEFT_TRANSMISSION_TENDON) return 0;
  const TendonInfo* t = &GROW_AT(m->tendons, TendonInfo, def->target);
  for (int i = 0; i < t->wrap_count; ++i) {
    if (t->wraps[i].type != HEFT_WRAP_JOINT) return 0;
    const double arm2 = gear2 * t->wraps[i].value * t->wraps[i].value;
    if (arm2 > 1e-15) sum += mj_joint_inertia(m, t->wraps[i].object) / arm2;
  }
  return sum;
}

static void set_damping(Mjcf* m, const Item* item, const Act* a, HeftActuatorDef* def) {
  if (!(a->damp_ratio > 0)) return;
  const double inertia = felt_inertia(m, def);
  if (inertia <= 0) {
    load_warn(m->load, xml_place(item->node), "dampratio",
              "<%.40s dampratio> needs a hinge, a slide or a fixed tendon; there is no damping "
              "here, give kv",
              item->node->name);
    return;
  }
  def->bias[2] = -a->damp_ratio * 2 * sqrt(a->gain[0] * inertia);
}

// ---- ranges

static void set_ranges(Mjcf* m, const Item* item, HeftActuatorDef* def) {
  const struct {
    MjcfKey limited, range;
    int* flag;
    double* to;
  } ranges[] = {
      {MJ_general_ctrllimited, MJ_general_ctrlrange, &def->control_limited, def->control_range},
      {MJ_general_forcelimited, MJ_general_forcerange, &def->force_limited, def->force_range},
      {MJ_general_actlimited, MJ_general_actrange, &def->act_limited, def->act_range}};
  for (int i = 0; i < 3; ++i) {
    mj_reals(m, item, ranges[i].range, ranges[i].to);
    *ranges[i].flag = mj_limited(m, item, ranges[i].limited, ranges[i].range);
    if (!*ranges[i].flag && ranges[i].to[0] > ranges[i].to[1])
      ranges[i].to[0] = ranges[i].to[1] = 0;
    if (LOAD_OK(m->load) && ranges[i].to[0] > ranges[i].to[1])
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, ranges[i].range),
                "<%.40s %s>: %g to %g was found, expected minimum to maximum", item->node->name,
                mjcf_attributes[ranges[i].range].name, ranges[i].to[0], ranges[i].to[1]);
  }
}

static void inherit_range(Mjcf* m, const Item* item, const Act* a, HeftActuatorDef* def) {
  if (!(a->inherit > 0)) return;
  const double* range = NULL;
  int limited = 0;
  if (def->transmission == HEFT_TRANSMISSION_JOINT) {
    range = GROW_AT(m->joints, JointInfo, def->target).range;
    limited = GROW_AT(m->joints, JointInfo, def->target).limited;
  } else if (def->transmission == HEFT_TRANSMISSION_TENDON) {
    range = GROW_AT(m->tendons, TendonInfo, def->target).range;
    limited = GROW_AT(m->tendons, TendonInfo, def->target).limited;
  }
  if (!limited) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<%.40s inheritrange>: its target has no range to inherit", item->node->name);
    return;
  }
  const double mean = (range[0] + range[1]) / 2, half = a->inherit * (range[1] - range[0]) / 2;
  double* to = a->inherit_activation ? def->act_range : def->control_range;
  *(a->inherit_activation ? &def->act_limited : &def->control_limited) = 1;
  to[0] = mean - half;
  to[1] = mean + half;
}

static void warn_muscle(Mjcf* m, const Item* item) {
  load_warn(m->load, xml_place(item->node), "muscle",
            "muscles are not modelled: '%.80s' is an actuator with its transmission and no force",
            mj_text(m, item, MJ_general_name, NULL));
}

void mj_actuator(Mjcf* m, const Item* item, Refs* refs) {
  const int element = mjcf_actuator_element(item->node->name);
  if (element < 0) {
    if (!item->scope->suffix[0]) mj_unknown_element(m, item->node);
    ((XmlNode*)item->node)->taken = 1;
    refs->missing = "";
    return;
  }
  mj_check(m, item->node, (MjcfElement)element);
  HeftActuatorDef def = heft_actuator_def_default();
  if (!read_target(m, item, refs, &def)) return;
  if (!refs_ok(refs) || (item->scope->suffix[0] && !refs->suffixed) || !LOAD_OK(m->load)) return;
  Act a = {.gain = {1}, .time = 1};
  apply_class(m, item->class, &a);
  apply(m, item->node, &a);
  mj_reals(m, item, MJ_general_gear, def.gear);
  set_ranges(m, item, &def);
  inherit_range(m, item, &a, &def);
  def.act_early = mj_bool(m, item, MJ_general_actearly);
  def.activation = a.dynamics;
  if (a.dynamics == HEFT_ACTIVATION_FILTER || a.dynamics == HEFT_ACTIVATION_FILTER_EXACT) {
    def.time = a.time;
    if (!(a.time > 0))
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
                "<%.40s>: a filter with time constant %g s was found, expected more than 0",
                item->node->name, a.time);
  }
  def.gain = a.gain[0];
  if (a.affine_gain) memcpy(def.gain_rate, a.gain + 1, sizeof def.gain_rate);
  if (a.affine_bias) memcpy(def.bias, a.bias, sizeof def.bias);
  if (a.muscle) {
    warn_muscle(m, item);
    def.gain = 0;
    memset(def.bias, 0, sizeof def.bias);
    memset(def.gain_rate, 0, sizeof def.gain_rate);
    def.activation = HEFT_ACTIVATION_NONE;
    def.time = 0;
  } else {
    set_damping(m, item, &a, &def);
  }
  for (int i = 0; i < 2; ++i) def.gain_rate[i] += 0.0;  // -0 becomes 0: the writer leaves it out
  for (int i = 0; i < 3; ++i) def.bias[i] += 0.0;
  if (!LOAD_OK(m->load)) return;
  def.name = mj_full_name(m, item->scope, mj_text(m, item, MJ_general_name, NULL));
  mj_name_add(m, item->node, OF_ACTUATOR, def.name, m->actuators++);
  def.name = mj_model_name(def.name);
  m->nact += def.activation != HEFT_ACTIVATION_NONE;
  heft_builder_add_actuator(m->load->builder, &def);
}
