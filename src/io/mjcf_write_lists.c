// SPDX-License-Identifier: Apache-2.0
// The sections of a written model that refer to bodies by name: contact, tendon, equality,
// actuator, sensor, keyframe.
#include "base/kind_table.h"
#include "io/mjcf_plain.h"
#include "io/mjcf_put.h"
#include "io/mjcf_write.h"

void mjcf_write_contacts(Out* o) {
  const HeftModel* m = o->m;
  if (m->npair + m->nexclude == 0) return;
  out_begin(o, "contact");
  for (int p = 0; p < m->npair; ++p) {
    const int k = m->pair_material[p];
    const double second = m->pair_friction2[p];
    const double friction[5] = {
        m->material_friction[k], second > 0 ? second : m->material_friction[k],
        m->material_torsion[k], m->material_rolling[k], m->material_rolling[k]};
    out_open(o, "pair");
    mj_put_own_name(o, MJ_pair_name, HEFT_NAMED_PAIR, p, !mjcf_pair_finds(m, k));
    mj_put_reference(o, MJ_pair_geom1, HEFT_NAMED_SHAPE, m->pair_shape[2L * p]);
    mj_put_reference(o, MJ_pair_geom2, HEFT_NAMED_SHAPE, m->pair_shape[2L * p + 1]);
    mj_put_int(o, MJ_pair_condim, m->pair_contact_dim[p]);
    mj_put_reals_always(o, MJ_pair_friction, friction, 5);
    mj_put_reals_always(o, MJ_pair_margin, m->pair_margin + p, 1);
    mj_put_reals_always(o, MJ_pair_gap, m->pair_gap + p, 1);
    out_end_empty(o);
  }
  for (int e = 0; e < m->nexclude; ++e) {
    out_open(o, "exclude");
    mj_put_own_name(o, MJ_exclude_name, HEFT_NAMED_EXCLUDE, e, 0);
    mj_put_reference(o, MJ_exclude_body1, HEFT_NAMED_BODY, m->exclude_body[2L * e]);
    mj_put_reference(o, MJ_exclude_body2, HEFT_NAMED_BODY, m->exclude_body[2L * e + 1]);
    out_end_empty(o);
  }
  out_end(o, "contact");
}

static void write_wrap(Out* o, int w) {
  const HeftModel* m = o->m;
  switch (m->wrap_type[w]) {
    case HEFT_WRAP_JOINT:
      out_open(o, "joint");
      mj_put_reference(o, MJ_wrapjoint_joint, HEFT_NAMED_JOINT, m->wrap_object[w]);
      mj_put_reals_always(o, MJ_wrapjoint_coef, m->wrap_value + w, 1);
      break;
    case HEFT_WRAP_SITE:
      out_open(o, "site");
      mj_put_reference(o, MJ_wrapsite_site, HEFT_NAMED_SITE, m->wrap_object[w]);
      break;
    case HEFT_WRAP_PULLEY:
      out_open(o, "pulley");
      mj_put_reals_always(o, MJ_wrappulley_divisor, m->wrap_value + w, 1);
      break;
    case HEFT_WRAP_SHAPE:
    case HEFT_WRAP_TYPE_COUNT:
      out_open(o, "geom");
      mj_put_reference(o, MJ_wrapgeom_geom, HEFT_NAMED_SHAPE, m->wrap_object[w]);
      mj_put_reference(o, MJ_wrapgeom_sidesite, HEFT_NAMED_SITE, m->wrap_side[w]);
      break;
  }
  out_end_empty(o);
}

void mjcf_write_tendons(Out* o) {
  const HeftModel* m = o->m;
  if (m->ntendon == 0) return;
  out_begin(o, "tendon");
  for (int t = 0; t < m->ntendon; ++t) {
    const char* kind = m->wrap_type[m->tendon_wrap[t]] == HEFT_WRAP_JOINT ? "fixed" : "spatial";
    out_open(o, kind);
    mj_put_own_name(o, MJ_tendon_name, HEFT_NAMED_TENDON, t, 1);
    mj_put_range(o, MJ_tendon_limited, MJ_tendon_range, m->tendon_limited[t],
                 m->tendon_range + 2L * t);
    mj_put_reals(o, MJ_tendon_springlength, m->tendon_spring + 2L * t, 2);
    mj_put_real(o, MJ_tendon_stiffness, m->tendon_stiffness[t]);
    mj_put_real(o, MJ_tendon_damping, m->tendon_damping[t]);
    mj_put_real(o, MJ_tendon_frictionloss, m->tendon_friction[t]);
    mj_put_real(o, MJ_tendon_armature, m->tendon_armature[t]);
    mj_put_real(o, MJ_tendon_width, m->tendon_width[t]);
    mj_put_reals(o, MJ_tendon_rgba, m->tendon_color + 4L * t, 4);
    out_begin_content(o);
    for (int w = m->tendon_wrap[t]; w < m->tendon_wrap[t] + m->tendon_wrap_count[t]; ++w)
      write_wrap(o, w);
    out_end(o, kind);
  }
  out_end(o, "tendon");
}

static void write_connect(Out* o, int e) {
  const HeftModel* m = o->m;
  const int one = m->equality_object[2L * e], two = m->equality_object[2L * e + 1];
  const double* a = m->equality_anchor + 6L * e;
  int site[2];
  if (!mjcf_connect_is_plain(m, e) && mjcf_connect_has_sites(m, e, site)) {
    const int s1 = site[0], s2 = site[1];
    mj_put_reference(o, MJ_connect_site1, HEFT_NAMED_SITE, s1);
    mj_put_reference(o, MJ_connect_site2, HEFT_NAMED_SITE, s2);
    return;
  }
  mj_put_reference(o, MJ_connect_body1, HEFT_NAMED_BODY, one);
  mj_put_reference(o, MJ_connect_body2, HEFT_NAMED_BODY, two);
  mj_put_reals_always(o, MJ_connect_anchor, a, 3);
}

static void write_weld(Out* o, int e) {
  const HeftModel* m = o->m;
  const double* a = m->equality_anchor + 6L * e;
  double pose[7];
  mjcf_weld_pose(m, e, pose);
  mj_put_reference(o, MJ_weld_body1, HEFT_NAMED_BODY, m->equality_object[2L * e]);
  mj_put_reference(o, MJ_weld_body2, HEFT_NAMED_BODY, m->equality_object[2L * e + 1]);
  mj_put_reals_always(o, MJ_weld_relpose, pose, 7);
  mj_put_reals(o, MJ_weld_anchor, a + 3, 3);
}

void mjcf_write_equalities(Out* o) {
  static const char* const kinds[] = {HEFT_EQUALITY_LIST(KIND_TEXT)};
  const HeftModel* m = o->m;
  if (m->nequality == 0) return;
  out_begin(o, "equality");
  for (int e = 0; e < m->nequality; ++e) {
    const int joints = m->equality_type[e] == HEFT_EQUALITY_JOINT;
    out_open(o, kinds[m->equality_type[e]]);
    mj_put_own_name(o, MJ_connect_name, HEFT_NAMED_EQUALITY, e, !mjcf_anchors_are_plain(m, e));
    mj_put_bool(o, MJ_connect_active, m->equality_active[e]);
    if (m->equality_type[e] == HEFT_EQUALITY_CONNECT) {
      write_connect(o, e);
    } else if (m->equality_type[e] == HEFT_EQUALITY_WELD) {
      write_weld(o, e);
    } else {
      const HeftNamed kind = joints ? HEFT_NAMED_JOINT : HEFT_NAMED_TENDON;
      mj_put_reference(o, joints ? MJ_eqjoint_joint1 : MJ_eqtendon_tendon1, kind,
                       m->equality_object[2L * e]);
      mj_put_reference(o, joints ? MJ_eqjoint_joint2 : MJ_eqtendon_tendon2, kind,
                       m->equality_object[2L * e + 1]);
      mj_put_reals(o, MJ_eqjoint_polycoef, m->equality_poly + 5L * e, 5);
    }
    out_end_empty(o);
  }
  out_end(o, "equality");
}

static void put_transmission(Out* o, int a) {
  const HeftModel* m = o->m;
  const int target = m->actuator_target[a];
  switch (m->actuator_transmission[a]) {
    case HEFT_TRANSMISSION_JOINT:
      mj_put_reference(o, MJ_general_joint, HEFT_NAMED_JOINT, target);
      break;
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
      mj_put_reference(o, MJ_general_jointinparent, HEFT_NAMED_JOINT, target);
      break;
    case HEFT_TRANSMISSION_TENDON:
      mj_put_reference(o, MJ_general_tendon, HEFT_NAMED_TENDON, target);
      break;
    case HEFT_TRANSMISSION_SITE:
      mj_put_reference(o, MJ_general_site, HEFT_NAMED_SITE, target);
      mj_put_reference(o, MJ_general_refsite, HEFT_NAMED_SITE, m->actuator_reference[a]);
      break;
    case HEFT_TRANSMISSION_SLIDER_CRANK:
    case HEFT_TRANSMISSION_COUNT:
      mj_put_reference(o, MJ_general_cranksite, HEFT_NAMED_SITE, target);
      mj_put_reference(o, MJ_general_slidersite, HEFT_NAMED_SITE, m->actuator_reference[a]);
      mj_put_reals_always(o, MJ_general_cranklength, m->actuator_crank + a, 1);
      break;
  }
}

void mjcf_write_actuators(Out* o) {
  static const char* const dynamics[] = {HEFT_ACTIVATION_LIST(KIND_TEXT)};
  const HeftModel* m = o->m;
  if (m->nactuator == 0) return;
  out_begin(o, "actuator");
  for (int a = 0; a < m->nactuator; ++a) {
    const double gain[3] = {m->actuator_gain[a], m->actuator_gain_rate[2L * a],
                            m->actuator_gain_rate[2L * a + 1]};
    const double* bias = m->actuator_bias + 3L * a;
    const int affine = gain[1] != 0 || gain[2] != 0;
    out_open(o, "general");
    mj_put_own_name(o, MJ_general_name, HEFT_NAMED_ACTUATOR, a, m->nsensor > 0);
    put_transmission(o, a);
    mj_put_reals(o, MJ_general_gear, m->actuator_gear + 6L * a, 6);
    mj_put_range(o, MJ_general_ctrllimited, MJ_general_ctrlrange, m->actuator_control_limited[a],
                 m->actuator_control_range + 2L * a);
    mj_put_range(o, MJ_general_forcelimited, MJ_general_forcerange, m->actuator_force_limited[a],
                 m->actuator_force_range + 2L * a);
    mj_put_range(o, MJ_general_actlimited, MJ_general_actrange, m->actuator_act_limited[a],
                 m->actuator_act_range + 2L * a);
    mj_put_bool(o, MJ_general_actearly, m->actuator_act_early[a]);
    mj_put_text(o, MJ_general_dyntype, dynamics[m->actuator_activation[a]]);
    if (m->actuator_time[a] != 0)
      mj_put_reals_always(o, MJ_general_dynprm, m->actuator_time + a, 1);
    if (affine) mj_put_text_always(o, MJ_general_gaintype, "affine");
    mj_put_reals_always(o, MJ_general_gainprm, gain, affine ? 3 : 1);
    if (bias[0] != 0 || bias[1] != 0 || bias[2] != 0) {
      mj_put_text_always(o, MJ_general_biastype, "affine");
      mj_put_reals_always(o, MJ_general_biasprm, bias, 3);
    }
    out_end_empty(o);
  }
  out_end(o, "actuator");
}

static HeftNamed named_frame(HeftFrame frame) {
  static const HeftNamed kinds[] = {HEFT_NAMED_SITE, HEFT_NAMED_BODY, HEFT_NAMED_BODY,
                                    HEFT_NAMED_SHAPE, HEFT_NAMED_CAMERA};
  KIND_TABLE_COVERS(kinds, HEFT_FRAME_COUNT);
  return kinds[frame];
}

static void put_sensor_object(Out* o, int s) {
  static const char* const frames[] = {HEFT_FRAME_LIST(KIND_TEXT)};
  const HeftModel* m = o->m;
  const int i = m->sensor_object[s];
  switch (heft_sensor_type_object(m->sensor_type[s])) {
    case HEFT_SENSOR_OF_JOINT:
      mj_put_reference(o, MJ_sensor_joint, HEFT_NAMED_JOINT, i);
      break;
    case HEFT_SENSOR_OF_ACTUATOR:
      mj_put_reference(o, MJ_sensor_actuator, HEFT_NAMED_ACTUATOR, i);
      break;
    case HEFT_SENSOR_OF_TENDON:
      mj_put_reference(o, MJ_sensor_tendon, HEFT_NAMED_TENDON, i);
      break;
    case HEFT_SENSOR_OF_SITE:
      mj_put_reference(o, MJ_sensor_site, HEFT_NAMED_SITE, i);
      break;
    case HEFT_SENSOR_OF_BODY:
      mj_put_reference(o, MJ_sensor_body, HEFT_NAMED_BODY, i);
      break;
    case HEFT_SENSOR_OF_FRAME:
      mj_put_text_always(o, MJ_sensor_objtype, frames[m->sensor_frame[s]]);
      mj_put_reference(o, MJ_sensor_objname, named_frame(m->sensor_frame[s]), i);
      break;
    case HEFT_SENSOR_OF_NOTHING:
      break;
  }
  if (m->sensor_reference[s] < 0) return;
  mj_put_text_always(o, MJ_sensor_reftype, frames[m->sensor_reference_frame[s]]);
  mj_put_reference(o, MJ_sensor_refname, named_frame(m->sensor_reference_frame[s]),
                   m->sensor_reference[s]);
}

void mjcf_write_sensors(Out* o) {
  const HeftModel* m = o->m;
  if (m->nsensor == 0) return;
  out_begin(o, "sensor");
  for (int s = 0; s < m->nsensor; ++s) {
    out_open(o, heft_sensor_type_name(m->sensor_type[s]));
    mj_put_own_name(o, MJ_sensor_name, HEFT_NAMED_SENSOR, s, mjcf_is_calibrated(m, s));
    put_sensor_object(o, s);
    mj_put_real(o, MJ_sensor_noise, m->sensor_noise[s]);
    mj_put_real(o, MJ_sensor_cutoff, m->sensor_cutoff[s]);
    out_end_empty(o);
  }
  out_end(o, "sensor");
}

// Coordinates (or velocities) of a keyframe in the order of the file.
static void put_key(Out* o, MjcfKey key, const double* x, int velocities) {
  const HeftModel* m = o->m;
  int written = 0;
  mj_put_name_of(o, key);
  for (int i = 0; i < m->nbody; ++i) {
    const int b = o->plan->body[i];
    for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
      const HeftJointType type = m->joint_type[j];
      const int first = velocities ? m->joint_dof[j] : m->joint_q[j];
      const int n = velocities ? heft_joint_type_dof_count(type) : heft_joint_type_q_count(type);
      for (int k = 0; k < n; ++k) {
        if (written++ > 0) out_text(o, " ");
        out_number(o, x[first + k]);
      }
    }
  }
  out_text(o, "\"");
}

// Positions or quaternions of the mocap bodies, in the order of the file.
static void put_key_moved(Out* o, MjcfKey key, const double* poses, int first, int count) {
  const HeftModel* m = o->m;
  int written = 0;
  mj_put_name_of(o, key);
  for (int i = 0; i < m->nbody; ++i) {
    const int moved = m->body_moved[o->plan->body[i]];
    for (int k = first; k < first + count && moved >= 0; ++k) {
      if (written++ > 0) out_text(o, " ");
      out_number(o, poses[7L * moved + k]);
    }
  }
  out_text(o, "\"");
}

void mjcf_write_keys(Out* o) {
  const HeftModel* m = o->m;
  if (m->nkey == 0) return;
  out_begin(o, "keyframe");
  for (int k = 0; k < m->nkey; ++k) {
    out_open(o, "key");
    mj_put_own_name(o, MJ_key_name, HEFT_NAMED_KEY, k, 0);
    mj_put_real(o, MJ_key_time, m->key_time[k]);
    if (m->nq > 0) put_key(o, MJ_key_qpos, m->key_q + (long)k * m->nq, 0);
    if (m->nv > 0) put_key(o, MJ_key_qvel, m->key_v + (long)k * m->nv, 1);
    if (m->nact > 0) mj_put_reals_always(o, MJ_key_act, m->key_act + (long)k * m->nact, m->nact);
    if (m->nactuator > 0)
      mj_put_reals_always(o, MJ_key_ctrl, m->key_control + (long)k * m->nactuator, m->nactuator);
    const double* poses = m->key_moved + 7 * (long)k * m->nmoved;
    if (m->nmoved > 0) put_key_moved(o, MJ_key_mpos, poses, 0, 3);
    if (m->nmoved > 0) put_key_moved(o, MJ_key_mquat, poses, 3, 4);
    out_end_empty(o);
  }
  out_end(o, "keyframe");
}
