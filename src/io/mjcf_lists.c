// SPDX-License-Identifier: Apache-2.0
// The sections that come after the bodies and refer to them by name: contact, tendon, equality,
// actuator, sensor, keyframe, custom.
//
// If an element refers to an element inside a <replicate>, it is added once per copy, with the
// suffix of the copy; elements outside the <replicate> are shared. An element of an attached model
// is added if all elements to which it refers are attached too. In the file itself a name that does
// not exist is a mistake.
#include <math.h>
#include <string.h>

#include "base/kind_table.h"
#include "io/mjcf_softness.h"
#include "model/joint_kind.h"

typedef void ListReader(Mjcf* m, const Item* item, Refs* refs);

// Whether the element is added in this scope.
static int wanted(const Item* item, const Refs* refs) {
  return refs_ok(refs) && (!item->scope->suffix[0] || refs->suffixed);
}

// Skips an unknown element in all scopes, with one warning.
static void pass_unknown(Mjcf* m, const Item* item, Refs* refs) {
  if (!item->scope->suffix[0]) mj_unknown_element(m, item->node);
  ((XmlNode*)item->node)->taken = 1;
  refs->missing = "";
}

static const char* name_of(Mjcf* m, const Item* item, MjcfKey key) {
  return mj_full_name(m, item->scope, mj_text(m, item, key, NULL));
}

static int need_ref(Mjcf* m, const Item* item, MjcfKey key, int kind, Refs* refs) {
  if (!mj_text(m, item, key, NULL)) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node), "<%.40s> needs the attribute '%s'",
              item->node->name, mjcf_attributes[key].name);
    return -1;
  }
  return mj_ref(m, item, key, kind, refs);
}

// ---- contact

// Defaults of a pair: each value is the larger one of the two geoms.
static void mix(const GeomInfo* a, const GeomInfo* b, double* friction, HeftPairDef* def) {
  friction[0] = friction[1] = fmax(a->friction[0], b->friction[0]);
  friction[2] = fmax(a->friction[1], b->friction[1]);
  friction[3] = fmax(a->friction[2], b->friction[2]);
  friction[4] = 0;
  def->contact_dim = a->condim > b->condim ? a->condim : b->condim;
  def->margin = fmax(a->margin, b->margin);
  def->gap = fmax(a->gap, b->gap);
}

// The shapes that collide for a geom: itself, or its pieces.
static int colliders(const Mjcf* m, int shape, int* first) {
  const GeomInfo* info = &GROW_AT(m->geoms, GeomInfo, shape);
  *first = info->piece_count > 0 ? info->first_piece : shape;
  return info->piece_count > 0 ? info->piece_count : 1;
}

// Adds a pair for each two pieces; the first has the name. Returns its index.
static int add_pairs(Mjcf* m, HeftPairDef* def) {
  int first[2], index = -1;
  const int a = colliders(m, def->shape[0], &first[0]), b = colliders(m, def->shape[1], &first[1]);
  load_search(m->load, (Place){0}, a * b);
  for (int i = 0; i < a * b && LOAD_OK(m->load); ++i) {
    def->shape[0] = first[0] + i / b;
    def->shape[1] = first[1] + i % b;
    const int added = heft_builder_add_pair(m->load->builder, def);
    if (i == 0) index = added;
    def->name = "";
  }
  return index;
}

// Numbers that a pair does not give come from its two geoms.
static int soft_pair_material(Mjcf* m, const Item* item, const HeftPairDef* def,
                              const double friction[MATERIAL_NUMBERS]) {
  const SoftLaw *a = &GROW_AT(m->geoms, GeomInfo, def->shape[0]).soft,
                *b = &GROW_AT(m->geoms, GeomInfo, def->shape[1]).soft;
  SoftLaw law = soft_law_mix(a, b);
  soft_law_read(m, item, MJ_pair_solref, &law);
  law.friction = friction[0];
  law.condim = def->contact_dim;
  law.is_pair = 1;
  return soft_law_material(m, friction, &law);
}

static void read_pair(Mjcf* m, const Item* item, Refs* refs) {
  mj_check(m, item->node, MJCF_pair);
  HeftPairDef def = heft_pair_def_default();
  def.shape[0] = need_ref(m, item, MJ_pair_geom1, OF_GEOM, refs);
  def.shape[1] = need_ref(m, item, MJ_pair_geom2, OF_GEOM, refs);
  if (!wanted(item, refs) || !LOAD_OK(m->load)) return;
  double friction[MATERIAL_NUMBERS] = {0}, given[5];
  mix(&GROW_AT(m->geoms, GeomInfo, def.shape[0]), &GROW_AT(m->geoms, GeomInfo, def.shape[1]),
      friction, &def);
  const int count = mj_reals(m, item, MJ_pair_friction, given);
  if (count > 0) {
    friction[0] = friction[1] = given[0];
    if (count > 2) friction[2] = given[2];
    if (count > 3) friction[3] = given[3];
    if (count > 1 && given[1] != given[0]) def.friction2 = given[1];
    if (def.friction2 != 0 &&
        !(given[0] > 0 && given[1] >= 1e-3 * given[0] && given[1] <= 1e3 * given[0]))
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_pair_friction),
                "<pair friction>: sliding coefficients %g and %g were found; two that differ must "
                "be above 0, and neither more than 1000 times the other",
                given[0], given[1]);
    if (count > 1 && given[0] != given[1] && given[1] == 0)
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_pair_friction),
                "<pair friction>: sliding coefficients %g and 0 were found; two that differ must "
                "be above 0",
                given[0]);
    if (count > 4 && given[4] != given[3])
      load_warn(m->load, mj_place(m, item, MJ_pair_friction), "anisotropic rolling friction",
                "<pair friction>: rolling friction of Heft is the same in all directions; the "
                "first coefficient counts");
  }
  if (mj_given(m, item, MJ_pair_condim)) def.contact_dim = mj_int(m, item, MJ_pair_condim);
  if (mj_given(m, item, MJ_pair_margin)) def.margin = mj_real(m, item, MJ_pair_margin);
  if (mj_given(m, item, MJ_pair_gap)) def.gap = mj_real(m, item, MJ_pair_gap);
  if (!LOAD_OK(m->load)) return;
  const char* name = name_of(m, item, MJ_pair_name);
  const int custom = name[0] ? mj_name_find(m, OF_PAIR_MATERIAL, name) : -1;
  def.material = custom >= 0                   ? custom
                 : m->load->def->soft_contacts ? soft_pair_material(m, item, &def, friction)
                                               : mj_material(m, friction, NULL);
  def.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_PAIR, name, add_pairs(m, &def));
}

static void read_exclude(Mjcf* m, const Item* item, Refs* refs) {
  mj_check(m, item->node, MJCF_exclude);
  HeftExcludeDef def = heft_exclude_def_default();
  def.body[0] = need_ref(m, item, MJ_exclude_body1, OF_BODY, refs);
  def.body[1] = need_ref(m, item, MJ_exclude_body2, OF_BODY, refs);
  if (!wanted(item, refs) || !LOAD_OK(m->load)) return;
  def.name = mj_model_name(name_of(m, item, MJ_exclude_name));
  heft_builder_add_exclude(m->load->builder, &def);
}

// ---- equality

static const BodyInfo* body_info(const Mjcf* m, int body) {
  return &GROW_AT(m->bodies, BodyInfo, body);
}

static void finish_equality(Mjcf* m, const Item* item, const Refs* refs, HeftEqualityDef* def,
                            MjcfKey name, MjcfKey active) {
  def->active = mj_bool(m, item, active);
  if (!wanted(item, refs) || !LOAD_OK(m->load)) return;
  if (def->object[0] == def->object[1]) {
    load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
              "<%.40s>: both ends are the same, expected two different ones", item->node->name);
    return;
  }
  const char* own = name_of(m, item, name);
  const int points = def->type == HEFT_EQUALITY_CONNECT || def->type == HEFT_EQUALITY_WELD;
  const Extra* extra = points ? mj_extra(m, OF_ANCHORS, own, 10) : NULL;
  if (extra) {
    def->anchor[0] = heft_vec3_from(extra->x);
    def->anchor[1] = heft_vec3(extra->x[3], extra->x[4], extra->x[5]);
    def->quat = heft_quat(extra->x[6], extra->x[7], extra->x[8], extra->x[9]);
  }
  def->name = mj_model_name(own);
  if (LOAD_OK(m->load)) heft_builder_add_equality(m->load->builder, def);
}

static int read_sites(Mjcf* m, const Item* item, MjcfKey first, MjcfKey second, Refs* refs,
                      HeftEqualityDef* def) {
  if (!mj_given(m, item, first)) return 0;
  const int a = mj_ref(m, item, first, OF_SITE, refs), b = need_ref(m, item, second, OF_SITE, refs);
  if (a < 0 || b < 0) return 1;
  const SiteInfo *sa = &GROW_AT(m->sites, SiteInfo, a), *sb = &GROW_AT(m->sites, SiteInfo, b);
  def->object[0] = sa->body;
  def->object[1] = sb->body;
  def->anchor[0] = sa->pos;
  def->anchor[1] = sb->pos;
  def->quat = heft_quat_mul(sa->quat, heft_quat_conjugate(sb->quat));
  return 1;
}

static void read_connect(Mjcf* m, const Item* item, Refs* refs) {
  mj_check(m, item->node, MJCF_connect);
  HeftEqualityDef def = heft_equality_def_default();
  def.type = HEFT_EQUALITY_CONNECT;
  if (!read_sites(m, item, MJ_connect_site1, MJ_connect_site2, refs, &def)) {
    def.object[0] = need_ref(m, item, MJ_connect_body1, OF_BODY, refs);
    def.object[1] =
        mj_given(m, item, MJ_connect_body2) ? mj_ref(m, item, MJ_connect_body2, OF_BODY, refs) : 0;
    if (!mj_given(m, item, MJ_connect_anchor))
      load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
                "<connect> needs the attribute 'anchor', or two sites");
    if (!refs_ok(refs) || !LOAD_OK(m->load)) return;
    def.anchor[0] = mj_vec3(m, item, MJ_connect_anchor);
    const HeftVec3 point = heft_pose_apply(body_info(m, def.object[0])->pose, def.anchor[0]);
    def.anchor[1] = heft_pose_apply_inverse(body_info(m, def.object[1])->pose, point);
  }
  def.quat = heft_quat_identity();
  finish_equality(m, item, refs, &def, MJ_connect_name, MJ_connect_active);
}

static void read_weld(Mjcf* m, const Item* item, Refs* refs) {
  mj_check(m, item->node, MJCF_weld);
  HeftEqualityDef def = heft_equality_def_default();
  def.type = HEFT_EQUALITY_WELD;
  if (!read_sites(m, item, MJ_weld_site1, MJ_weld_site2, refs, &def)) {
    def.object[0] = need_ref(m, item, MJ_weld_body1, OF_BODY, refs);
    def.object[1] =
        mj_given(m, item, MJ_weld_body2) ? mj_ref(m, item, MJ_weld_body2, OF_BODY, refs) : 0;
    if (!refs_ok(refs) || !LOAD_OK(m->load)) return;
    double p[7] = {0};
    mj_reals(m, item, MJ_weld_relpose, p);
    HeftVec3 pos = heft_vec3_from(p);
    def.quat = heft_quat(p[3], p[4], p[5], p[6]);
    if (p[3] == 0 && p[4] == 0 && p[5] == 0 && p[6] == 0) {
      const HeftPose x = heft_pose_mul(heft_pose_inverse(body_info(m, def.object[0])->pose),
                                       body_info(m, def.object[1])->pose);
      pos = x.pos;
      def.quat = heft_quat_from_mat3(x.rot);
    }
    def.anchor[1] = mj_vec3(m, item, MJ_weld_anchor);
    def.anchor[0] =
        heft_vec3_add(pos, heft_quat_rotate(heft_quat_normalize(def.quat), def.anchor[1]));
  }
  finish_equality(m, item, refs, &def, MJ_weld_name, MJ_weld_active);
}

static void read_coupling(Mjcf* m, const Item* item, Refs* refs, int joints) {
  HeftEqualityDef def = heft_equality_def_default();
  const int kind = joints ? OF_JOINT : OF_TENDON;
  const MjcfKey first = joints ? MJ_eqjoint_joint1 : MJ_eqtendon_tendon1,
                second = joints ? MJ_eqjoint_joint2 : MJ_eqtendon_tendon2,
                poly = joints ? MJ_eqjoint_polycoef : MJ_eqtendon_polycoef;
  mj_check(m, item->node, joints ? MJCF_eqjoint : MJCF_eqtendon);
  def.type = joints ? HEFT_EQUALITY_JOINT : HEFT_EQUALITY_TENDON;
  def.object[0] = need_ref(m, item, first, kind, refs);
  def.object[1] = mj_ref(m, item, second, kind, refs);
  mj_reals(m, item, poly, def.poly);
  finish_equality(m, item, refs, &def, joints ? MJ_eqjoint_name : MJ_eqtendon_name,
                  joints ? MJ_eqjoint_active : MJ_eqtendon_active);
}

static void read_joint_coupling(Mjcf* m, const Item* item, Refs* refs) {
  read_coupling(m, item, refs, 1);
}
static void read_tendon_coupling(Mjcf* m, const Item* item, Refs* refs) {
  read_coupling(m, item, refs, 0);
}

// ---- tendons

static int read_wrap(Mjcf* m, const Item* item, int fixed, Refs* refs, HeftWrap* wrap) {
  *wrap = (HeftWrap){.object = -1, .side = -1};
  if (fixed && xml_is(item->node, "joint")) {
    mj_check(m, item->node, MJCF_wrapjoint);
    wrap->type = HEFT_WRAP_JOINT;
    wrap->object = need_ref(m, item, MJ_wrapjoint_joint, OF_JOINT, refs);
    if (!mj_reals(m, item, MJ_wrapjoint_coef, &wrap->value))
      load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
                "<joint> needs the attribute 'coef'");
  } else if (!fixed && xml_is(item->node, "site")) {
    mj_check(m, item->node, MJCF_wrapsite);
    wrap->type = HEFT_WRAP_SITE;
    wrap->object = need_ref(m, item, MJ_wrapsite_site, OF_SITE, refs);
  } else if (!fixed && xml_is(item->node, "geom")) {
    mj_check(m, item->node, MJCF_wrapgeom);
    wrap->type = HEFT_WRAP_SHAPE;
    wrap->object = need_ref(m, item, MJ_wrapgeom_geom, OF_GEOM, refs);
    wrap->side = mj_ref(m, item, MJ_wrapgeom_sidesite, OF_SITE, refs);
  } else if (!fixed && xml_is(item->node, "pulley")) {
    mj_check(m, item->node, MJCF_wrappulley);
    wrap->type = HEFT_WRAP_PULLEY;
    if (!mj_reals(m, item, MJ_wrappulley_divisor, &wrap->value))
      load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
                "<pulley> needs the attribute 'divisor'");
  } else {
    mj_unknown_element(m, item->node);
    return 0;
  }
  return 1;
}

static void read_tendon_numbers(Mjcf* m, const Item* item, HeftTendonDef* def) {
  mj_reals(m, item, MJ_tendon_range, def->range);
  def->limited = mj_limited(m, item, MJ_tendon_limited, MJ_tendon_range);
  if (mj_reals(m, item, MJ_tendon_springlength, def->spring) == 1) def->spring[1] = def->spring[0];
  def->stiffness = mj_real(m, item, MJ_tendon_stiffness);
  def->damping = mj_real(m, item, MJ_tendon_damping);
  def->friction = mj_real(m, item, MJ_tendon_frictionloss);
  def->armature = mj_real(m, item, MJ_tendon_armature);
  def->width = mj_real(m, item, MJ_tendon_width);
  mj_reals(m, item, MJ_tendon_rgba, def->color);
  if (mj_given(m, item, MJ_tendon_material))
    load_warn(m->load, mj_place(m, item, MJ_tendon_material), "tendon material",
              "<tendon material> is skipped; give rgba");
  if (LOAD_OK(m->load) && def->limited && def->range[0] > def->range[1])
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_tendon_range),
              "<%.40s range>: %g to %g was found, expected shortest to longest", item->node->name,
              def->range[0], def->range[1]);
  if (!def->limited && def->range[0] > def->range[1]) def->range[0] = def->range[1] = 0;
}

static void read_tendon(Mjcf* m, const Item* item, Refs* refs) {
  const int fixed = xml_is(item->node, "fixed");
  if (!fixed && !xml_is(item->node, "spatial")) {
    pass_unknown(m, item, refs);
    return;
  }
  mj_check(m, item->node, MJCF_tendon);
  HeftTendonDef def = heft_tendon_def_default();
  int count = 0;
  for (const XmlNode* n = item->node->child; n; n = n->next) ++count;
  HeftWrap* wraps = load_take(m->load, (size_t)count, sizeof(HeftWrap));
  if (!wraps) return;
  for (const XmlNode* n = item->node->child; n && LOAD_OK(m->load); n = n->next) {
    Item inner = *item;
    inner.node = n;
    inner.class = NULL;
    def.wrap_count += read_wrap(m, &inner, fixed, refs, &wraps[def.wrap_count]);
  }
  if (!wanted(item, refs) || !LOAD_OK(m->load)) return;
  for (int i = 0; i < def.wrap_count; ++i) {
    if (wraps[i].type == HEFT_WRAP_SHAPE &&
        (i == 0 || i + 1 == def.wrap_count || wraps[i - 1].type != HEFT_WRAP_SITE ||
         wraps[i + 1].type != HEFT_WRAP_SITE))
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
                "<spatial>: element %d is a geom, expected a site before and after it", i + 1);
    if (wraps[i].type == HEFT_WRAP_PULLEY && !(wraps[i].value > 0))
      load_fail(m->load, HEFT_ERR_VALUE, xml_place(item->node),
                "<pulley divisor>: %g was found, expected more than 0", wraps[i].value);
  }
  if (def.wrap_count == 0) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node), "<%s> is empty, expected %s",
              item->node->name, fixed ? "at least one <joint>" : "sites");
    return;
  }
  read_tendon_numbers(m, item, &def);
  if (!LOAD_OK(m->load)) return;
  def.wraps = wraps;
  def.name = name_of(m, item, MJ_tendon_name);
  TendonInfo* info = LOAD_ADD(m->load, &m->tendons, TendonInfo);
  if (!info) return;
  *info = (TendonInfo){def.wrap_count, wraps, def.limited, {def.range[0], def.range[1]}};
  const char* name = def.name;
  def.name = mj_model_name(name);
  mj_name_add(m, item->node, OF_TENDON, name, heft_builder_add_tendon(m->load->builder, &def));
}

// ---- sensors

static int sensor_type(const char* name) {
  for (int i = 0; i < HEFT_SENSOR_TYPE_COUNT; ++i) {
    if (strcmp(heft_sensor_type_name((HeftSensorType)i), name) == 0) return i;
  }
  return -1;
}

static int read_frame(Mjcf* m, const Item* item, MjcfKey type, MjcfKey name, Refs* refs,
                      HeftFrame* frame) {
  static const char* const words[] = {HEFT_FRAME_LIST(KIND_TEXT) NULL};
  static const int kinds[] = {OF_SITE, OF_BODY, OF_BODY, OF_GEOM, OF_CAMERA};
  KIND_TABLE_COVERS(kinds, HEFT_FRAME_COUNT);
  const int word = mj_word(m, item, type, words);
  if (word < 0) return -1;
  *frame = (HeftFrame)word;
  return need_ref(m, item, name, kinds[word], refs);
}

static int sensor_object(Mjcf* m, const Item* item, HeftSensorType type, Refs* refs,
                         HeftFrame* frame) {
  switch (heft_sensor_type_object(type)) {
    case HEFT_SENSOR_OF_JOINT:
      return need_ref(m, item, MJ_sensor_joint, OF_JOINT, refs);
    case HEFT_SENSOR_OF_ACTUATOR:
      return need_ref(m, item, MJ_sensor_actuator, OF_ACTUATOR, refs);
    case HEFT_SENSOR_OF_TENDON:
      return need_ref(m, item, MJ_sensor_tendon, OF_TENDON, refs);
    case HEFT_SENSOR_OF_SITE:
      return need_ref(m, item, MJ_sensor_site, OF_SITE, refs);
    case HEFT_SENSOR_OF_BODY:
      return need_ref(m, item, MJ_sensor_body, OF_BODY, refs);
    case HEFT_SENSOR_OF_FRAME:
      if (!mj_given(m, item, MJ_sensor_objtype)) {
        load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(item->node),
                  "<%.40s> needs the attribute 'objtype'", item->node->name);
        return -1;
      }
      return read_frame(m, item, MJ_sensor_objtype, MJ_sensor_objname, refs, frame);
    case HEFT_SENSOR_OF_NOTHING:
      break;
  }
  return -1;
}

// Matrix and offset from <custom>.
static void calibrate(Mjcf* m, const char* name, HeftSensorDef* def) {
  const int n = heft_sensor_type_value_count(def->type);
  const Extra* extra = mj_extra(m, OF_CALIBRATION, name, n * n + n);
  if (!extra) return;
  for (int i = 0; i < n; ++i) {
    memcpy(def->matrix + 4L * i, extra->x + (long)n * i, (size_t)n * sizeof(double));
    def->offset[i] = extra->x[n * n + i];
  }
}

static void read_sensor(Mjcf* m, const Item* item, Refs* refs) {
  const int type = sensor_type(item->node->name);
  if (type < 0) {
    pass_unknown(m, item, refs);
    return;
  }
  mj_check(m, item->node, MJCF_sensor);
  HeftSensorDef def = heft_sensor_def_default();
  def.type = type;
  def.object = sensor_object(m, item, def.type, refs, &def.frame);
  if (mj_given(m, item, MJ_sensor_refname))
    def.reference =
        read_frame(m, item, MJ_sensor_reftype, MJ_sensor_refname, refs, &def.reference_frame);
  def.noise = mj_real(m, item, MJ_sensor_noise);
  def.cutoff = mj_real(m, item, MJ_sensor_cutoff);
  if (!wanted(item, refs) || !LOAD_OK(m->load)) return;
  const char* name = name_of(m, item, MJ_sensor_name);
  calibrate(m, name, &def);
  def.name = mj_model_name(name);
  if (LOAD_OK(m->load)) heft_builder_add_sensor(m->load->builder, &def);
}

static void read_equality(Mjcf* m, const Item* item, Refs* refs) {
  static const struct {
    const char* name;
    ListReader* read;
  } kinds[] = {{"connect", read_connect},
               {"weld", read_weld},
               {"joint", read_joint_coupling},
               {"tendon", read_tendon_coupling}};
  KIND_TABLE_COVERS(kinds, HEFT_EQUALITY_TYPE_COUNT);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (!xml_is(item->node, kinds[i].name)) continue;
    kinds[i].read(m, item, refs);
    return;
  }
  pass_unknown(m, item, refs);
}

// ---- all lists

typedef struct List {
  const char *section, *element;  ///< element NULL: any
  MjcfElement default_of;
  ListReader* read;
} List;

static int is_meant(const List* list, const XmlNode* n) {
  return !list->element || xml_is(n, list->element);
}

static void run_in_scope(Mjcf* m, const List* list, Scope* scope) {
  m->owner = scope;
  for (const XmlNode* s = xml_child(scope->unit->root, list->section); s;
       s = xml_next(s, list->section)) {
    for (XmlNode* n = s->child; n && LOAD_OK(m->load); n = n->next) {
      if (!is_meant(list, n) || (n->taken && !scope->suffix[0] && !scope->prefix[0])) continue;
      Item item = {.node = n, .scope = scope, .quat = heft_quat_identity()};
      item.class = mj_class(m, scope->unit, n, "class", GROW_AT(scope->unit->classes, Class*, 0));
      Refs refs = {0};
      list->read(m, &item, &refs);
      if (wanted(&item, &refs)) n->taken = 1;
      if (LOAD_OK(m->load) && refs.missing && refs.missing[0]) continue;
    }
  }
}

// An element of the file itself that was added in no scope refers to a name that does not exist.
static void complain(Mjcf* m, const List* list, Scope* scope) {
  for (const XmlNode* s = xml_child(scope->unit->root, list->section); s;
       s = xml_next(s, list->section)) {
    for (XmlNode* n = s->child; n && LOAD_OK(m->load); n = n->next) {
      if (!is_meant(list, n) || n->taken) continue;
      Item item = {.node = n, .scope = scope, .quat = heft_quat_identity()};
      item.class = mj_class(m, scope->unit, n, "class", GROW_AT(scope->unit->classes, Class*, 0));
      Refs refs = {0};
      list->read(m, &item, &refs);
      if (refs.missing)
        load_fail(m->load, HEFT_ERR_NAME, refs.place,
                  "<%.40s>: there is no element named '%.80s'; define it or correct the name",
                  n->name, refs.missing);
    }
  }
}

static void warn_strangers(Mjcf* m, const List* lists, int count) {
  for (const XmlNode* s = m->root->root->child; s; s = s->next) {
    for (const XmlNode* n = s->child; n; n = n->next) {
      int section = 0, known = 0;
      for (int i = 0; i < count; ++i) {
        if (!xml_is(s, lists[i].section)) continue;
        section = 1;
        known |= is_meant(&lists[i], n);
      }
      if (section && !known) mj_unknown_element(m, n);
    }
  }
}

void mj_read_lists(Mjcf* m) {
  static const List lists[] = {{"contact", "pair", MJCF_pair, read_pair},
                               {"contact", "exclude", MJCF_exclude, read_exclude},
                               {"tendon", NULL, MJCF_tendon, read_tendon},
                               {"equality", NULL, MJCF_connect, read_equality},
                               {"actuator", NULL, MJCF_general, mj_actuator},
                               {"sensor", NULL, MJCF_sensor, read_sensor}};
  const int count = (int)(sizeof lists / sizeof *lists);
  warn_strangers(m, lists, count);
  for (int i = 0; i < count && LOAD_OK(m->load); ++i) {
    for (int s = 0; s < m->scopes.count && LOAD_OK(m->load); ++s)
      run_in_scope(m, &lists[i], GROW_AT(m->scopes, Scope*, s));
    if (LOAD_OK(m->load)) complain(m, &lists[i], GROW_AT(m->scopes, Scope*, 0));
  }
}

// ---- keyframes

// Keyframes are written with a few digits: their quaternions are made unit length.
static void normalize_key(Mjcf* m, const Item* item, double* q) {
  for (int j = 0; j < m->joints.count && LOAD_OK(m->load); ++j) {
    const JointInfo* joint = &GROW_AT(m->joints, JointInfo, j);
    const int rotation = joint_rotation(joint->type);
    if (rotation < 0) continue;
    double* at = q + joint->q + rotation;
    const HeftQuat raw = heft_quat_from(at);
    const double norm = sqrt(raw.w * raw.w + raw.x * raw.x + raw.y * raw.y + raw.z * raw.z);
    if (norm < 1e-9)
      load_warn(m->load, mj_place(m, item, MJ_key_qpos), "zero quaternion",
                "<key qpos>: a quaternion of length 0 was found; 1 0 0 0 is used");
    const HeftQuat unit = norm < 1e-9 ? heft_quat_identity() : mj_unit(raw);
    at[0] = unit.w;
    at[1] = unit.x;
    at[2] = unit.y;
    at[3] = unit.z;
  }
}

static double* read_state(Mjcf* m, const Item* item, MjcfKey key, int expected) {
  const XmlNode* where;
  const char* text = mj_text(m, item, key, &where);
  if (!text) return NULL;
  int count;
  double* x = xml_number_list(m->load, where, mjcf_attributes[key].name, text, &count);
  if (x && count != expected) {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
              "<key %s>: %d numbers were found, this model has %d", mjcf_attributes[key].name,
              count, expected);
    return NULL;
  }
  return x;
}

// Poses of the mocap bodies: from mpos and mquat, or as the bodies are described.
static double* read_key_moved(Mjcf* m, const Item* item) {
  const double* pos = read_state(m, item, MJ_key_mpos, 3 * m->nmoved);
  const double* quat = read_state(m, item, MJ_key_mquat, 4 * m->nmoved);
  if ((!pos && !quat) || m->nmoved == 0) return NULL;
  double* out = load_take(m->load, 7 * (size_t)m->nmoved, sizeof(double));
  double* at = out;
  for (int b = 1; b < m->bodies.count && out; ++b) {
    const BodyInfo* body = &GROW_AT(m->bodies, BodyInfo, b);
    if (!body->moved || body->parent != 0) continue;
    const int i = (int)(at - out) / 7;
    const HeftQuat own = heft_quat_from_mat3(body->own.rot);
    const HeftVec3 p = pos ? heft_vec3_from(pos + 3L * i) : body->own.pos;
    const HeftQuat q =
        quat ? heft_quat(quat[4L * i], quat[4L * i + 1], quat[4L * i + 2], quat[4L * i + 3]) : own;
    const double numbers[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
    memcpy(at, numbers, sizeof numbers);
    at += 7;
  }
  return out;
}

void mj_read_keys(Mjcf* m, Unit* unit) {
  Scope* scope = GROW_AT(m->scopes, Scope*, 0);
  for (const XmlNode* k = xml_child(unit->root, "keyframe"); k; k = xml_next(k, "keyframe")) {
    for (const XmlNode* n = k->child; n && LOAD_OK(m->load); n = n->next) {
      if (!xml_is(n, "key")) {
        mj_unknown_element(m, n);
        continue;
      }
      mj_check(m, n, MJCF_key);
      const Item item = {.node = n, .scope = scope};
      HeftKeyDef def = heft_key_def_default();
      def.name = mj_model_name(mj_text(m, &item, MJ_key_name, NULL));
      def.time = mj_real(m, &item, MJ_key_time);
      double* q = read_state(m, &item, MJ_key_qpos, m->nq);
      if (q) normalize_key(m, &item, q);
      def.q = q;
      def.v = read_state(m, &item, MJ_key_qvel, m->nv);
      def.act = read_state(m, &item, MJ_key_act, m->nact);
      def.control = read_state(m, &item, MJ_key_ctrl, m->actuators);
      def.moved = read_key_moved(m, &item);
      if (LOAD_OK(m->load)) heft_builder_add_key(m->load->builder, &def);
    }
  }
  for (int s = 1; s < m->scopes.count; ++s) {
    const Unit* other = GROW_AT(m->scopes, Scope*, s)->unit;
    const XmlNode* keys = other != unit ? xml_child(other->root, "keyframe") : NULL;
    if (keys)
      load_warn(m->load, xml_place(keys), "attached keyframes",
                "keyframes of an attached model are skipped");
  }
}
