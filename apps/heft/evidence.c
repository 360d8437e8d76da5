// SPDX-License-Identifier: Apache-2.0
// Every number of the evidence is a double, counts and indices too, so that a reader needs one
// conversion and one range check for each. The fields are in the order of
// docs/manual/how-to-check.md, which is the definition of the format; VERSION changes with it.
#include "evidence.h"

#include <heft/access.h>
#include <heft/math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/mcap.h"

enum { VERSION = 4 };

static const char model_schema[] =
    "numbers of 64 bits, little-endian: head, bodies, joints, coordinates, dofs, shapes, pairs, "
    "excludes, equalities, actuators, vertices";
static const char step_schema[] =
    "numbers of 64 bits, little-endian: head, q, v, act, control, joint forces, q_middle, "
    "v_solved, v_mean, v_correction, v_bias, scheme_force, q, v, act, contacts, rows";

struct Evidence {
  HeftMcap* file;
  HeftAllocator allocator;
  HeftBytes bytes;  // of the message
  char path[512];
  int model_channel, step_channel;
  long index;                 // of the next step
  double time;                // before the step
  double* start;              // q, v and activations before the step
  int start_count;            // numbers of it
  HeftContact* contacts;      // room for `contact_room`
  HeftConstraintForce* rows;  // room for `row_room`
  int contact_room, row_room;
};

// ---- numbers

static void put(Evidence* e, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (!heft_bytes_reserve(&e->bytes, 8)) return;
  for (int i = 0; i < 8; ++i) e->bytes.bytes[e->bytes.size++] = (unsigned char)(bits >> (8 * i));
}

static void put_all(Evidence* e, const double* x, int count) {
  for (int i = 0; i < count; ++i) put(e, x[i]);
}

static void put_vector(Evidence* e, HeftVec3 x) { put_all(e, (const double[3]){x.x, x.y, x.z}, 3); }

static void put_integers(Evidence* e, const int* x, int count) {
  for (int i = 0; i < count; ++i) put(e, x[i]);
}

// ---- the model

// The mesh of a shape that collides as its convex hull, or -1.
static int hull_of(const HeftModel* m, int shape) {
  const int mesh = m->shape_type[shape] == HEFT_SHAPE_MESH ? m->shape_mesh[shape] : -1;
  return mesh >= 0 && m->mesh_hull_count[mesh] > 0 && m->mesh_field[mesh] == HEFT_FIELD_NONE ? mesh
                                                                                             : -1;
}

static int is_corner(const HeftModel* m, int mesh, int vertex) {
  const int* corner = m->hull_vertex + 3L * m->mesh_hull[mesh];
  int found = 0;
  for (long i = 0; i < 3L * m->mesh_hull_count[mesh]; ++i) found |= corner[i] == vertex;
  return found;
}

// Appends the corners of a shape's hull. Returns how many; e: NULL, only count.
static int put_hull(Evidence* e, const HeftModel* m, int shape) {
  const int mesh = hull_of(m, shape);
  int count = 0;
  for (int i = 0; mesh >= 0 && i < m->mesh_vertex_count[mesh]; ++i) {
    if (!is_corner(m, mesh, i)) continue;
    ++count;
    if (e) put_all(e, m->vertex_pos + 3L * (m->mesh_vertex[mesh] + i), 3);
  }
  return count;
}

// Joints of several dofs are sequences of slides (S) and hinges (H), about their axes x and y and
// x × y (z). Ball and free joints stay as they are.
static const char* parts_of(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_HINGE:
      return "Hx";
    case HEFT_JOINT_SLIDE:
      return "Sx";
    case HEFT_JOINT_BALL:
      return "Bx";
    case HEFT_JOINT_FREE:
      return "Fx";
    case HEFT_JOINT_PLANAR:
      return "SxSyHz";
    case HEFT_JOINT_UNIVERSAL:
      return "HxHy";
    case HEFT_JOINT_CYLINDRICAL:
      return "SxHx";
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return "";
}

static int part_count(const HeftModel* m) {
  int count = 0;
  for (int i = 0; i < m->njoint; ++i) count += (int)strlen(parts_of(m->joint_type[i])) / 2;
  return count;
}

static void put_head(Evidence* e, const HeftWorld* w, const HeftWorldDef* def, int vertices) {
  const HeftModel* m = heft_world_model(w);
  const int counts[] = {
      VERSION,
      m->nbody,
      part_count(m),
      m->nq,
      m->nv,
      m->nshape,
      m->npair,
      m->nexclude,
      m->nequality,
      m->nactuator,
      m->nact,
      vertices,
      m->ntendon,
      m->ndeformable,
      m->nmoved,
      m->nconveyor,
      m->physics.density > 0 || m->physics.viscosity > 0,
      def->substeps,
      def->integrator == HEFT_INTEGRATOR_MOREAU,
      heft_world_contact_model(w) == HEFT_CONTACT_MODEL_EXACT && !heft_world_contact_law(w)};
  put_integers(e, counts, (int)(sizeof counts / sizeof *counts));
  put_vector(e, heft_world_gravity(w));
  put(e, heft_world_time_step(w)), put(e, def->theta), put(e, def->tolerance);
}

static void put_body(Evidence* e, const HeftModel* m, const HeftWorld* w, int i) {
  const double factor = m->body_mass[i] > 0 ? heft_world_body_mass(w, i) / m->body_mass[i] : 1;
  put(e, m->body_parent[i]);
  put_all(e, m->body_pos + 3L * i, 3), put_all(e, m->body_quat + 4L * i, 4);
  put(e, heft_world_body_mass(w, i)), put_all(e, m->body_com + 3L * i, 3);
  for (int k = 0; k < 6; ++k) put(e, factor * m->body_inertia[6L * i + k]);
  put(e, m->body_gravity[i]);
}

static void put_joint(Evidence* e, const HeftModel* m, int i) {
  const HeftVec3 x = heft_vec3_from(m->joint_axis + 3L * i),
                 y = heft_vec3_from(m->joint_axis2 + 3L * i);
  for (const char* p = parts_of(m->joint_type[i]); *p; p += 2) {
    put(e, (int)(strchr("HSBF", *p) - "HSBF")), put(e, m->joint_body[i]);
    put_all(e, m->joint_pos + 3L * i, 3);
    put_vector(e, p[1] == 'x' ? x : p[1] == 'y' ? y : heft_vec3_cross(x, y));
  }
}

static void put_dof(Evidence* e, const HeftModel* m, int i) {
  const int joint = m->dof_joint[i], one = heft_joint_type_dof_count(m->joint_type[joint]) == 1;
  put(e, m->dof_limited[i]), put(e, one && m->joint_force_limited[joint]);
  put(e, m->dof_damping[i]), put(e, m->dof_stiffness[i]);
  put(e, m->dof_friction[i]), put(e, m->dof_armature[i]), put_all(e, m->dof_range + 2L * i, 2);
  put(e, m->joint_restitution[joint]), put_all(e, m->joint_force_range + 2L * joint, 2);
}

// A law of contact. material: as the world has it. Special: soft, of area, or with a slip law,
// which the checker leaves out.
static void put_law(Evidence* e, const HeftModel* m, int dim, HeftMaterial x, int material,
                    double friction2) {
  put(e, dim);
  put(e, m->material_soft[2L * material] > 0 || m->material_area[4L * material] > 0 ||
             m->material_slip[2L * material] > 0 || m->material_slip[2L * material + 1] > 0);
  put(e, x.friction), put(e, x.kinetic), put(e, x.torsion), put(e, x.rolling);
  put(e, x.restitution), put(e, friction2);
}

static int put_shape(Evidence* e, const HeftModel* m, const HeftWorld* w, int i, int vertex) {
  const int end = vertex + put_hull(NULL, m, i);
  const int numbers[] = {(int)m->shape_type[i],
                         m->shape_body[i],
                         m->shape_priority[i],
                         m->shape_category[i],
                         m->shape_collides[i],
                         vertex,
                         end};
  put_integers(e, numbers, 7);
  put_law(e, m, m->shape_contact_dim[i], heft_world_shape_material(w, i), m->shape_material[i], 0);
  put_all(e, m->shape_pos + 3L * i, 3), put_all(e, m->shape_quat + 4L * i, 4);
  put_all(e, m->shape_size + 3L * i, 3);
  return end;
}

static void put_pair(Evidence* e, const HeftModel* m, const HeftWorld* w, int i) {
  put_integers(e, m->pair_shape + 2L * i, 2);
  put_law(e, m, m->pair_contact_dim[i], heft_world_pair_material(w, i), m->pair_material[i],
          m->pair_friction2[i]);
}

static void put_equality(Evidence* e, const HeftModel* m, int i) {
  const int joints = m->equality_type[i] == HEFT_EQUALITY_JOINT;
  put(e, (int)m->equality_type[i]);
  for (int k = 0; k < 2; ++k) {  // of joints, their dofs
    const int object = m->equality_object[2L * i + k];
    put(e, joints && object >= 0 ? m->joint_dof[object] : object);
  }
  put(e, m->equality_active[i]), put_all(e, m->equality_anchor + 6L * i, 6);
  put_all(e, m->equality_quat + 4L * i, 4), put_all(e, m->equality_poly + 5L * i, 5);
}

static void put_actuator(Evidence* e, const HeftModel* m, const HeftWorld* w, int i) {
  const HeftActuatorGains gains = heft_world_actuator_gains(w, i);
  const int joint =
      m->actuator_transmission[i] == HEFT_TRANSMISSION_JOINT ? m->actuator_target[i] : -1;
  const int one = joint >= 0 && heft_joint_type_dof_count(m->joint_type[joint]) == 1;
  const int numbers[] = {
      one ? m->joint_dof[joint] : -1, (int)m->actuator_activation[i], m->actuator_act[i],
      m->actuator_control_limited[i], m->actuator_force_limited[i],   m->actuator_act_limited[i],
      m->actuator_act_early[i]};
  put_integers(e, numbers, 7);
  put_all(e, m->actuator_gear + 6L * i, 6), put(e, m->actuator_time[i]), put(e, gains.gain);
  put_all(e, gains.gain_rate, 2), put_all(e, gains.bias, 3);
  put_all(e, m->actuator_control_range + 2L * i, 2);
  put_all(e, m->actuator_force_range + 2L * i, 2), put_all(e, m->actuator_act_range + 2L * i, 2);
}

static void put_model(Evidence* e, const HeftWorld* w, const HeftWorldDef* def) {
  const HeftModel* m = heft_world_model(w);
  int vertices = 0;
  for (int i = 0; i < m->nshape; ++i) vertices += put_hull(NULL, m, i);
  put_head(e, w, def, vertices);
  for (int i = 0; i < m->nbody; ++i) put_body(e, m, w, i);
  for (int i = 0; i < m->njoint; ++i) put_joint(e, m, i);
  put_all(e, m->q_default, m->nq), put_all(e, m->q_spring, m->nq);
  for (int i = 0; i < m->nv; ++i) put_dof(e, m, i);
  for (int i = 0, at = 0; i < m->nshape; ++i) at = put_shape(e, m, w, i, at);
  for (int i = 0; i < m->npair; ++i) put_pair(e, m, w, i);
  put_integers(e, m->exclude_body, 2 * m->nexclude);
  for (int i = 0; i < m->nequality; ++i) put_equality(e, m, i);
  for (int i = 0; i < m->nactuator; ++i) put_actuator(e, m, w, i);
  for (int i = 0; i < m->nshape; ++i) put_hull(e, m, i);
}

// ---- a step

static void put_contact(Evidence* e, const HeftContact* c) {
  put(e, c->shape_a), put(e, c->shape_b), put(e, c->middle);
  put_vector(e, c->pos), put_vector(e, c->normal), put_vector(e, c->tangent);
  put_vector(e, c->offset), put_vector(e, c->force), put_vector(e, c->torque);
  put_vector(e, c->turning), put(e, c->gap), put(e, c->time), put(e, c->bias);
  put(e, c->softness), put(e, c->friction), put(e, c->kinetic), put(e, c->anisotropy);
}

static void put_row(Evidence* e, const HeftConstraintForce* r) {
  const int numbers[] = {(int)r->kind, r->index, r->component, r->middle};
  put_integers(e, numbers, 4);
  put(e, r->force), put(e, r->bias);
}

static int grow(void** array, int* room, int count, size_t size) {
  if (count <= *room) return 1;
  void* more = realloc(*array, 2 * (size_t)count * size);
  if (!more) return 0;
  *array = more;
  *room = 2 * count;
  return 1;
}

// The numbers of contacts and rows; -1: no memory.
static int read_forces(Evidence* e, const HeftWorld* w, int* rows) {
  const int contacts = heft_world_contacts(w, NULL, 0);
  *rows = heft_world_constraint_forces(w, NULL, 0);
  if (!grow((void**)&e->contacts, &e->contact_room, contacts, sizeof *e->contacts) ||
      !grow((void**)&e->rows, &e->row_room, *rows, sizeof *e->rows))
    return -1;
  heft_world_contacts(w, e->contacts, contacts);
  heft_world_constraint_forces(w, e->rows, *rows);
  return contacts;
}

void evidence_before(Evidence* e, const HeftWorld* w) {
  if (!e) return;
  const HeftState* s = heft_world_state(w);
  const HeftModel* m = heft_world_model(w);
  double* at = e->start;
  e->time = *s->time;
  memcpy(at, s->q, (size_t)m->nq * sizeof *at), at += m->nq;
  memcpy(at, s->v, (size_t)m->nv * sizeof *at), at += m->nv;
  if (m->nact > 0) memcpy(at, s->act, (size_t)m->nact * sizeof *at);
}

// Controls and joint forces stay as the step found them, whoever wrote them.
void evidence_after(Evidence* e, HeftWorld* w, const HeftStepReport* report) {
  if (!e) return;
  const HeftModel* m = heft_world_model(w);
  const HeftState* s = heft_world_state(w);
  const HeftStepMotion motion = heft_world_step_motion(w);
  int rows;
  const int contacts = read_forces(e, w, &rows), index = (int)(e->index++ % 1000000000);
  if (contacts < 0) return;
  const int head[] = {index, (int)report->status, report->parts, contacts,
                      rows,  report->restrained,  report->tries};
  const double times[] = {e->time, *s->time, motion.h,
                          report->error[HEFT_QUANTITY_TIME_LOST].value};
  e->bytes.size = 0;
  put_integers(e, head, (int)(sizeof head / sizeof *head)), put_all(e, times, 4);
  put_all(e, e->start, e->start_count);
  put_all(e, heft_world_controls(w), m->nactuator), put_all(e, heft_world_joint_forces(w), m->nv);
  put_all(e, motion.q_middle, m->nq), put_all(e, motion.v_solved, m->nv);
  put_all(e, motion.v_mean, m->nv), put_all(e, motion.v_correction, m->nv);
  put_all(e, motion.v_bias, m->nv), put_all(e, motion.scheme_force, m->nv);
  put_all(e, s->q, m->nq), put_all(e, s->v, m->nv), put_all(e, s->act, m->nact);
  for (int i = 0; i < contacts; ++i) put_contact(e, &e->contacts[i]);
  for (int i = 0; i < rows; ++i) put_row(e, &e->rows[i]);
  heft_mcap_message(e->file, e->step_channel, (uint64_t)(e->time > 0 ? e->time * 1e9 : 0),
                    e->bytes.bytes, e->bytes.size);
}

// ---- the file

static Evidence* fail(Evidence* e, const char* path) {
  fprintf(stderr, "heft: error: %s: cannot write evidence\n", path);
  if (e) free(e->start), free(e);
  return NULL;
}

Evidence* evidence_open(const char* path, const HeftWorld* w, const HeftWorldDef* def) {
  const HeftModel* m = heft_world_model(w);
  Evidence* e = calloc(1, sizeof *e);
  if (!e) return fail(e, path);
  e->allocator = heft_allocator_default();
  e->bytes.allocator = &e->allocator;
  snprintf(e->path, sizeof e->path, "%s", path);
  e->start_count = m->nq + m->nv + m->nact;
  e->start = calloc((size_t)e->start_count + 1, sizeof *e->start);
  e->file = e->start ? heft_mcap_open(path, HEFT_MCAP_PLAIN, "heft", NULL) : NULL;
  if (!e->file) return fail(e, path);
  e->model_channel = heft_mcap_channel(e->file, "/model", "heft.EvidenceModel", model_schema);
  e->step_channel = heft_mcap_channel(e->file, "/step", "heft.EvidenceStep", step_schema);
  put_model(e, w, def);
  heft_mcap_message(e->file, e->model_channel, 0, e->bytes.bytes, e->bytes.size);
  return e;
}

int evidence_close(Evidence* e) {
  if (!e) return 1;
  const int memory = !e->bytes.failed, well = heft_mcap_close(e->file) && memory;
  if (!well) fprintf(stderr, "heft: error: %s: the evidence is not complete\n", e->path);
  heft_bytes_free(&e->bytes);
  free(e->contacts), free(e->rows), free(e->start), free(e);
  return well;
}
