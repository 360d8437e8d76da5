// SPDX-License-Identifier: Apache-2.0
// The section <custom> of a written model. It holds the values that MJCF cannot express, under the
// names that MJCF_CUSTOM of mjcf_table.h lists.
#include <stdio.h>
#include <string.h>

#include "io/mjcf_plain.h"
#include "io/mjcf_put.h"
#include "io/mjcf_write.h"

// Opens `<element name="PREFIX`, followed by the name or index of element i.
static void open_custom(Out* o, const char* element, const char* prefix, HeftNamed kind, int i) {
  out_open(o, element);
  out_text(o, " name=\"");
  out_text(o, prefix);
  if (kind == HEFT_NAMED_MATERIAL) {
    char number[16];
    const char* name = heft_model_name(o->m, kind, i);
    snprintf(number, sizeof number, "#%d", i);
    out_escaped(o, name[0] ? name : number);
  } else {
    mj_put_element_name(o, kind, i);
  }
  out_text(o, "\"");
}

static void write_element(Out* o, const char* type, HeftNamed kind, int i) {
  out_open(o, "element");
  mj_put_text_always(o, MJ_element_objtype, type);
  mj_put_reference(o, MJ_element_objname, kind, i);
  out_end_empty(o);
}

static void write_softness(Out* o, const char* prefix, int material, const double* x, int count) {
  if (x[0] == 0) return;
  open_custom(o, "numeric", prefix, HEFT_NAMED_MATERIAL, material);
  mj_put_reals_always(o, MJ_numeric_data, x, count);
  out_end_empty(o);
}

static void write_materials(Out* o) {
  const HeftModel* m = o->m;
  for (int k = 1; k < m->nmaterial && o->plan->explicit_materials; ++k) {
    const double *layer = m->material_layer + 3L * k, *slip = m->material_slip + 2L * k;
    const double x[10] = {m->material_friction[k],
                          m->material_kinetic[k],
                          m->material_torsion[k],
                          m->material_rolling[k],
                          m->material_restitution[k],
                          layer[0],
                          layer[1],
                          layer[2],
                          slip[0],
                          slip[1]};
    const int layered = layer[0] != 0 || layer[1] != 0 || layer[2] != 0;
    open_custom(o, "numeric", "heft_material_", HEFT_NAMED_MATERIAL, k);
    mj_put_reals_always(o, MJ_numeric_data, x, slip[0] != 0 || slip[1] != 0 ? 10 : layered ? 8 : 5);
    out_end_empty(o);
    write_softness(o, "heft_soft_", k, m->material_soft + 2L * k, 2);
    write_softness(o, "heft_area_", k, m->material_area + 4L * k, 4);
  }
  for (int k = 1; k < m->nmaterial && o->plan->explicit_materials; ++k) {
    int used = 0;
    for (int s = 0; s < m->nshape; ++s) used |= m->shape_material[s] == k;
    for (int p = 0; p < m->npair; ++p) used |= m->pair_material[p] == k && !mjcf_pair_finds(m, k);
    if (!used) continue;
    open_custom(o, "tuple", "heft_material_", HEFT_NAMED_MATERIAL, k);
    out_begin_content(o);
    for (int s = 0; s < m->nshape; ++s) {
      if (m->shape_material[s] == k) write_element(o, "geom", HEFT_NAMED_SHAPE, s);
    }
    for (int p = 0; p < m->npair; ++p) {
      if (m->pair_material[p] == k && !mjcf_pair_finds(m, k))
        write_element(o, "pair", HEFT_NAMED_PAIR, p);
    }
    out_end(o, "tuple");
  }
}

static void write_calibrations(Out* o) {
  const HeftModel* m = o->m;
  for (int s = 0; s < m->nsensor; ++s) {
    if (!mjcf_is_calibrated(m, s)) continue;
    const int n = heft_sensor_type_value_count(m->sensor_type[s]);
    double x[20];
    for (int i = 0; i < n; ++i) {
      const int at = m->sensor_address[s] + i;
      memcpy(x + (long)n * i, m->sensor_matrix + 4L * at, (size_t)n * sizeof(double));
      x[n * n + i] = m->sensor_offset[at];
    }
    open_custom(o, "numeric", "heft_sensor_", HEFT_NAMED_SENSOR, s);
    mj_put_reals_always(o, MJ_numeric_data, x, n * n + n);
    out_end_empty(o);
  }
}

static void write_anchors(Out* o) {
  const HeftModel* m = o->m;
  for (int e = 0; e < m->nequality; ++e) {
    if (mjcf_anchors_are_plain(m, e)) continue;
    double x[10];
    memcpy(x, m->equality_anchor + 6L * e, 6 * sizeof(double));
    memcpy(x + 6, m->equality_quat + 4L * e, 4 * sizeof(double));
    open_custom(o, "numeric", "heft_anchors_", HEFT_NAMED_EQUALITY, e);
    mj_put_reals_always(o, MJ_numeric_data, x, 10);
    out_end_empty(o);
  }
}

static void write_conveyors(Out* o) {
  const HeftModel* m = o->m;
  for (int c = 0; c < m->nconveyor; ++c) {
    open_custom(o, "numeric", "heft_conveyor_", HEFT_NAMED_SHAPE, m->conveyor_shape[c]);
    mj_put_reals_always(o, MJ_numeric_data, m->conveyor_velocity + 6L * c, 6);
    out_end_empty(o);
  }
}

// Meshes without a hull collide as their triangles.
static void write_triangles(Out* o) {
  const HeftModel* m = o->m;
  static const double one = 1;
  for (int s = 0; s < m->nshape; ++s) {
    if (!mjcf_collides_as_triangles(m, s)) continue;
    open_custom(o, "numeric", "heft_triangles_", HEFT_NAMED_SHAPE, s);
    mj_put_reals_always(o, MJ_numeric_data, &one, 1);
    out_end_empty(o);
  }
}

static int starts_moving(const HeftModel* m, int moved) {
  int any = 0;
  for (int k = 0; k < 6; ++k) any |= m->moved_velocity[6L * moved + k] != 0;
  return any;
}

static void write_motions(Out* o) {
  const HeftModel* m = o->m;
  for (int i = 0; i < m->nmoved; ++i) {
    if (!starts_moving(m, i)) continue;
    open_custom(o, "numeric", "heft_motion_", HEFT_NAMED_BODY, m->moved_body[i]);
    mj_put_reals_always(o, MJ_numeric_data, m->moved_velocity + 6L * i, 6);
    out_end_empty(o);
  }
}

static void write_dofs(Out* o, int j) {
  const HeftModel* m = o->m;
  const HeftJointType type = m->joint_type[j];
  const int n = heft_joint_type_dof_count(type), d = m->joint_dof[j];
  double x[7 * 6 + 7];
  for (int k = 0; k < n; ++k) {
    x[k] = m->dof_damping[d + k];
    x[n + k] = m->dof_stiffness[d + k];
    x[2 * n + k] = m->dof_friction[d + k];
    x[3 * n + k] = m->dof_armature[d + k];
    x[4 * n + k] = m->dof_limited[d + k];
    x[5 * n + k] = m->dof_range[2L * (d + k)];
    x[6 * n + k] = m->dof_range[2L * (d + k) + 1];
  }
  const int nq = heft_joint_type_q_count(type);
  memcpy(x + 7L * n, m->q_spring + m->joint_q[j], (size_t)nq * sizeof(double));
  open_custom(o, "numeric", "heft_dofs_", HEFT_NAMED_JOINT, j);
  mj_put_reals_always(o, MJ_numeric_data, x, 7 * n + nq);
  out_end_empty(o);
}

static void write_limit(Out* o, int j) {
  open_custom(o, "numeric", "heft_limit_", HEFT_NAMED_JOINT, j);
  mj_put_reals_always(o, MJ_numeric_data, o->m->joint_restitution + j, 1);
  out_end_empty(o);
}

static void write_joint_tuple(Out* o, int j, int parts) {
  char prefix[40];
  snprintf(prefix, sizeof prefix, "heft_%s_", heft_joint_type_name(o->m->joint_type[j]));
  open_custom(o, "tuple", prefix, HEFT_NAMED_JOINT, j);
  out_begin_content(o);
  write_element(o, "joint", HEFT_NAMED_JOINT, j);
  for (int k = 1; k < parts; ++k) {
    char name[64];
    mjcf_part_name(j, k, name, sizeof name);
    out_open(o, "element");
    mj_put_text_always(o, MJ_element_objtype, "joint");
    mj_put_text_always(o, MJ_element_objname, name);
    out_end_empty(o);
  }
  out_end(o, "tuple");
}

static void write_fixed_joint(Out* o, int j) {
  const HeftModel* m = o->m;
  const int b = m->joint_body[j];
  open_custom(o, "tuple", "heft_fixed_", HEFT_NAMED_JOINT, j);
  out_begin_content(o);
  out_open(o, "element");
  mj_put_text_always(o, MJ_element_objtype, "body");
  mj_put_reference(o, MJ_element_objname, HEFT_NAMED_BODY, b);
  mj_put_int(o, MJ_element_prm, j - m->body_joint[b]);
  out_end_empty(o);
  out_end(o, "tuple");
}

static void write_order(Out* o, const char* kind, const int* order, int count) {
  int moved = 0;
  for (int i = 0; i < count; ++i) moved |= order[i] != i;
  if (!moved) return;
  out_open(o, "text");
  out_text(o, " name=\"heft_order_");
  out_text(o, kind);
  out_text(o, "\" data=\"");
  for (int i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, order[i]);
  }
  out_text(o, "\"");
  out_end_empty(o);
}

static int has_custom(const Out* o) {
  const HeftModel* m = o->m;
  int needed = o->plan->explicit_materials || m->contact_model[0] != 0 || m->nconveyor > 0;
  for (int s = 0; s < m->nshape && !needed; ++s) needed = mjcf_collides_as_triangles(m, s);
  HeftJointType types[3];
  for (int i = 0; i < m->nmoved; ++i) needed |= starts_moving(m, i);
  for (int j = 0; j < m->njoint; ++j)
    needed |= mjcf_joint_parts(m->joint_type[j], types) != 1 || mjcf_dofs_differ(m, j) ||
              m->joint_restitution[j] != 0;
  for (int s = 0; s < m->nsensor; ++s) needed |= mjcf_is_calibrated(m, s);
  for (int e = 0; e < m->nequality; ++e) needed |= !mjcf_anchors_are_plain(m, e);
  for (int i = 0; i < m->nbody; ++i) needed |= o->plan->body[i] != i;
  for (int i = 0; i < m->nshape; ++i) needed |= o->plan->shape[i] != i;
  for (int i = 0; i < m->nsite; ++i) needed |= o->plan->site[i] != i;
  for (int i = 0; i < m->ncamera; ++i) needed |= o->plan->camera[i] != i;
  for (int i = 0; i < m->nlight; ++i) needed |= o->plan->light[i] != i;
  return needed;
}

void mjcf_write_custom(Out* o) {
  const HeftModel* m = o->m;
  if (!has_custom(o)) return;
  out_begin(o, "custom");
  write_materials(o);
  write_calibrations(o);
  write_anchors(o);
  write_conveyors(o);
  write_triangles(o);
  write_motions(o);
  for (int j = 0; j < m->njoint; ++j) {
    HeftJointType types[3];
    const int parts = mjcf_joint_parts(m->joint_type[j], types);
    if (parts > 1) write_joint_tuple(o, j, parts);
    if (parts == 0) write_fixed_joint(o, j);
    if (mjcf_dofs_differ(m, j)) write_dofs(o, j);
    if (m->joint_restitution[j] != 0) write_limit(o, j);
  }
  if (m->contact_model[0]) {
    out_open(o, "text");
    mj_put_text_always(o, MJ_text_name, "heft_contact_model");
    mj_put_text_always(o, MJ_text_data, m->names + m->contact_model[0]);
    out_end_empty(o);
  }
  write_order(o, "body", o->plan->body, m->nbody);
  write_order(o, "geom", o->plan->shape, m->nshape);
  write_order(o, "site", o->plan->site, m->nsite);
  write_order(o, "camera", o->plan->camera, m->ncamera);
  write_order(o, "light", o->plan->light, m->nlight);
  out_end(o, "custom");
}
