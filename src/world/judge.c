// SPDX-License-Identifier: Apache-2.0
// Judging a step. A step is solved if every error that it can measure is within its bound
// (HEFT_STEP_QUANTITY_LIST). Judging only reads: it changes no bit of a step.
//
// Residuals of the rows come from the certificates of the islands. The other errors:
//
// - energy defect: |ΔE - Σ work| / E, where E is what moves in the step: the kinetic energies
//   before and after, the amounts of all parts of the ledger, the energy that soft contact stores,
//   and m (g h)², twice the kinetic energy that one step of free fall gives. Without the last term
//   the rounding of bodies that come to rest would be judged. Without weight, the rounding of
//   places takes its part: 1e-12 m in a step. The implicit scheme of deformable bodies loses
//   energy, so in their company a gain counts and a loss does not.
// - limits and loops: measured at the end of the step, where the correction has acted. Tendons and
//   overlaps: at its start, where the step measured them; those that a step causes are errors of
//   the next one. Limits are relative to their range, since rad and m, fingers and spines differ.
// - overlap: the depth over half of the thickness of the thinner shape. At 1 the two surfaces of a
//   sheet have changed sides for the other body. Soft contact points yield and have no error.
// - motion defect: |q⁺ ⊖ q - h (v̄ + v_c)| / (h |v̄ + v_c| + g h²), for each joint, translations and
//   rotations of a free joint apart. The term g h² is again due to free fall; rad counts as m. A
//   step to q_m and on from there is two turns, and their order counts.
// - time lost: the share of a step by which trees did not move (passage.c).
#include "world/judge.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collision/collider.h"
#include "dynamics/deform/deform.h"
#include "dynamics/links.h"
#include "model/joint_kind.h"
#include "world/models/contact_model.h"

_Static_assert(sizeof(HeftStepBounds) == HEFT_QUANTITY_COUNT * sizeof(double),
               "one bound for each quantity");

static double bound_of(const HeftWorldDef* def, int quantity) {
  const double bound = ((const double*)&def->bounds)[quantity];
  return bound < 0 ? def->tolerance : bound;
}

void heft_judge_begin(const HeftWorldDef* def, HeftStepReport* report) {
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i)
    report->error[i] = (HeftStepError){.bound = bound_of(def, i), .place = {-1, -1}};
}

// ---- outputs

void heft_step_output_place(StepOutput* x, Arena* arena, const HeftModel* m) {
  x->q_middle = arena_take(arena, m->nq, double);
  x->v_solved = arena_take(arena, m->nv, double);
  x->v_mean = arena_take(arena, m->nv, double);
  x->v_correction = arena_take(arena, m->nv, double);
  x->v_first = arena_take(arena, m->nv, double);
  x->v_bias = arena_take(arena, m->nv, double);
  x->scheme_force = arena_take(arena, m->nv, double);
}

void heft_step_output_store(StepOutput* x, const StepInput* in, const Middle* middle,
                            const Motion* motion, const double* v) {
  const HeftModel* m = in->model;
  const size_t size = (size_t)m->nv * sizeof(double);
  x->h = in->h;
  memcpy(x->q_middle, middle->q, (size_t)m->nq * sizeof(double));
  memcpy(x->v_solved, v, size);
  memcpy(x->v_correction, motion->v_correction, size);
  for (int i = 0; i < m->nv; ++i) {
    x->v_first[i] = (1 - middle->theta[i]) * in->start->v[i];
    x->v_mean[i] = x->v_first[i] + motion->v_position[i];
    HEFT_ASSERT(middle->theta[i] > 0 && middle->theta[i] <= 1);
  }
}

void heft_step_output_store_smooth(StepOutput* x, const StepInput* in, const double* v,
                                   const double* displacement) {
  const HeftModel* m = in->model;
  x->h = in->h;
  memcpy(x->q_middle, in->start->q, (size_t)m->nq * sizeof(double));
  memcpy(x->v_solved, v, (size_t)m->nv * sizeof(double));
  memset(x->v_correction, 0, (size_t)m->nv * sizeof(double));
  memset(x->v_first, 0, (size_t)m->nv * sizeof(double));
  memset(x->scheme_force, 0, (size_t)m->nv * sizeof(double));
  memcpy(x->v_bias, in->start->v, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < m->nv; ++i) x->v_mean[i] = displacement[i] / in->h;
}

// ---- energy

static const double rounding_of_places = 1e-12;  // [m]

static double moving_energy(const StepInput* in, const HeftStepReport* r) {
  const double slowest = fmax(in->weight_speed, rounding_of_places / in->h);
  double mass = 0;
  for (int i = 0; i < in->model->nbody; ++i) mass += in->model->body_mass[i];
  return in->kinetic + r->kinetic + fabs(r->work) + fabs(r->contact_work) + fabs(r->limit_work) +
         fabs(r->loop_work) + fabs(r->friction_work) + fabs(r->moved_work) +
         fabs(r->correction_work) + fabs(r->scheme_work) + fabs(r->damping) + fabs(r->soft_energy) +
         mass * slowest * slowest;
}

static void judge_energy(const StepInput* in, HeftStepReport* report) {
  const double energy = moving_energy(in, report), change = report->energy_change;
  HEFT_ASSERT(!(energy < 0));
  const double defect = in->model->ndeformable > 0 ? change : fabs(change);
  if (energy > 0)
    heft_step_report_raise(report, HEFT_QUANTITY_ENERGY_DEFECT, defect / energy, -1, -1);
}

// ---- positions

// Enters the distance of a coordinate beyond its range, relative to the range.
static void judge_range(HeftStepReport* report, HeftStepQuantity quantity, const double* range,
                        double q, int place) {
  const double low = range[0] - q, high = q - range[1], over = low > high ? low : high;
  if (over > 0 && range[1] > range[0])
    heft_step_report_raise(report, quantity, over / (range[1] - range[0]), place, -1);
}

static void judge_limits(const HeftModel* m, const double* q, HeftStepReport* report) {
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int dof = m->joint_dof[j];
    if (type == HEFT_JOINT_FREE || type == HEFT_JOINT_FIXED) continue;
    const double *own = q + m->joint_q[j], *range = m->dof_range + 2L * dof;
    HEFT_ASSERT(dof >= 0 && dof < m->nv);
    if (type == HEFT_JOINT_BALL) {
      if (!m->dof_limited[dof]) continue;
      const HeftVec3 turn = heft_quat_log(heft_quat_from(own));
      judge_range(report, HEFT_QUANTITY_LIMIT_ERROR, (double[2]){0, range[1]}, heft_vec3_norm(turn),
                  j);
      continue;
    }
    for (int i = 0; i < heft_joint_type_dof_count(type); ++i) {
      if (m->dof_limited[dof + i])
        judge_range(report, HEFT_QUANTITY_LIMIT_ERROR, range + 2L * i, own[i], j);
    }
  }
}

// The rows of the step after its contact points. Bodies that are moved have arrived.
static void judge_joint_rows(const JudgedStep* s, HeftStepReport* report) {
  const int first = s->constraints->set.contact_point_count;
  ConstraintSet set = s->constraints->set;
  double* error = s->constraints->correction.error;
  set.carried = 0;
  if (set.count > first) heft_constraints_foresee(&set, s->in, s->dynamics, s->end->q, error);
  for (int i = first; i < set.count; ++i) {
    const Constraint* k = &set.list[i];
    if (k->kind == CONSTRAINT_TENDON_LIMIT) {
      const double* range = s->in->model->tendon_range + 2L * (k->source / 2);
      const double end = k->source % 2 ? range[1] - k->gap : range[0] + k->gap;
      judge_range(report, HEFT_QUANTITY_TENDON_ERROR, range, end, k->source / 2);
    } else if (k->kind == CONSTRAINT_EQUALITY) {
      const double open = k->direction[0] >= 0 ? k->gap : error[i - first];
      heft_step_report_raise(report, HEFT_QUANTITY_LOOP_ERROR, fabs(open), k->source / 6, -1);
    }
  }
}

static const double shallow = 1e-6;  // depths below this are not looked at [m]

static double half_thickness(const HeftCollider* c, const HeftContactPoint* p) {
  return fmin(c->slot[c->shape_slot[p->shape_a]].thin, c->slot[c->shape_slot[p->shape_b]].thin);
}

static void judge_overlaps(const Constraints* c, HeftStepReport* report) {
  const ConstraintSet* set = &c->set;
  if (c->contact_model && !c->contact_model->corrects) return;  // it yields by its own law
  for (int i = 0; i < set->contact_point_count; ++i) {
    const Constraint* k = &set->list[i];
    if (!(-k->gap > shallow) || k->softness > 0) continue;
    const HeftContactPoint* p = &set->contact_points.point[i];
    heft_step_report_raise(report, HEFT_QUANTITY_OVERLAP, -k->gap / half_thickness(c->collider, p),
                           p->shape_a, p->shape_b);
  }
}

static void judge_elements(const HeftDynamics* dynamics, HeftStepReport* report) {
  const Deform* deform = heft_dynamics_deform(dynamics);
  int body = -1;
  const int inverted = deform ? heft_deform_inverted(deform, &body) : 0;
  heft_step_report_raise(report, HEFT_QUANTITY_INVERTED, inverted, body, -1);
}

// ---- motion

static double norm_of(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

// Two turns a and b after each other make a + b + a × b / 2 + a × (a × b) / 12 + b × (b × a) / 12
// (Baker, Campbell, Hausdorff); what is left is of the fourth order. The sum is in `both`.
static void add_order_of_turns(HeftVec3 a, double both[3]) {
  const HeftVec3 b = heft_vec3_sub(heft_vec3_from(both), a), half = heft_vec3_cross(a, b);
  const HeftVec3 third = heft_vec3_cross(heft_vec3_sub(a, b), half);
  both[0] += 0.5 * half.x + third.x / 12;
  both[1] += 0.5 * half.y + third.y / 12;
  both[2] += 0.5 * half.z + third.z / 12;
}

// The difference of a turn from the wanted one, half of it as the vector of a quaternion.
static double missed_turn(const double* q0, const double* q1, const double* turn) {
  const HeftQuat from = heft_quat_from(q0);
  const HeftQuat wanted = heft_quat_mul(from, heft_quat_exp(heft_vec3_from(turn)));
  const HeftQuat end = heft_quat_from(q1);
  const HeftQuat d = heft_quat_mul(heft_quat_conjugate(wanted), end);
  return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// `count` coordinates from q on, with as many dofs from `first` on: numbers, or a rotation. fall:
// the way of a step of free fall.
static double defect_of(const JudgedStep* s, double fall, int q, int first, int count, int turns) {
  const StepOutput* out = s->output;
  const double h = out->h, *q0 = s->in->start->q + q, *q1 = s->end->q + q;
  double wanted[3] = {0}, missed[3] = {0};
  HEFT_ASSERT(count <= 3);
  for (int i = 0; i < count; ++i) {
    wanted[i] = h * (out->v_mean[first + i] + out->v_correction[first + i]);
    missed[i] = q1[i] - q0[i] - wanted[i];
  }
  if (turns) add_order_of_turns(heft_vec3_scale(h, heft_vec3_from(out->v_first + first)), wanted);
  const double way = norm_of(wanted, count) + fall;
  return (turns ? missed_turn(q0, q1, wanted) : norm_of(missed, count)) / way;
}

static double defect_of_joint(const JudgedStep* s, double fall, HeftJointType type, int q,
                              int dof) {
  if (joint_is_scalar(type)) {
    const StepOutput* out = s->output;
    const double wanted = out->h * (out->v_mean[dof] + out->v_correction[dof]);
    const double missed = fabs(s->end->q[q] - s->in->start->q[q] - wanted);
    return missed / (fabs(wanted) + fall);
  }
  const int rotation = joint_rotation(type);
  const int shifts = rotation >= 0 ? rotation : heft_joint_type_dof_count(type);
  const double shift = defect_of(s, fall, q, dof, shifts, 0);
  if (rotation < 0) return shift;
  const double turn = defect_of(s, fall, q + rotation, dof + rotation, 3, 1);
  return shifts > 0 ? fmax(shift, turn) : turn;
}

static const double rounding = 1e-9;  // way of a joint in a step that is not judged [m, rad]

static void judge_motion(const JudgedStep* s, HeftStepReport* report) {
  const HeftModel* m = s->in->model;
  const double fall = fmax(s->in->h * s->in->weight_speed, rounding);
  HEFT_ASSERT(fall > 0);
  for (int j = 0; j < m->njoint; ++j) {
    const double defect =
        defect_of_joint(s, fall, m->joint_type[j], m->joint_q[j], m->joint_dof[j]);
    heft_step_report_raise(report, HEFT_QUANTITY_MOTION_DEFECT, defect, m->joint_body[j], -1);
  }
}

static void judge_passage(const JudgedStep* s, HeftStepReport* report) {
  const Passage* p = &s->constraints->passage;
  const HeftModel* m = s->in->model;
  for (int k = 1; p->stopped && k < heft_link_count(m); ++k) {
    const double lost = s->in->h * (1 - p->share[heft_link_root(m, k)]);
    HEFT_ASSERT(!(p->share[heft_link_root(m, k)] < 0 || p->share[heft_link_root(m, k)] > 1));
    heft_step_report_raise(report, HEFT_QUANTITY_TIME_LOST, lost, heft_link_body(m, k), -1);
  }
}

// ---- the verdict

static const struct {
  HeftStepStatus status;
  HeftNamed place;
} quantities[] = {
#define ROW(id, name, unit, usual, status, place, text) {status, place},
    HEFT_STEP_QUANTITY_LIST(ROW)
#undef ROW
};

static int is_quantity(HeftStepQuantity quantity) {
  return (int)quantity >= 0 && quantity < HEFT_QUANTITY_COUNT;
}

HeftStepStatus heft_step_quantity_status(HeftStepQuantity quantity) {
  return is_quantity(quantity) ? quantities[quantity].status : HEFT_STEP_SOLVED;
}

HeftNamed heft_step_quantity_place(HeftStepQuantity quantity) {
  return is_quantity(quantity) ? quantities[quantity].place : HEFT_NAMED_COUNT;
}

// How far an error is above its bound; above 1: the step is not solved.
static double excess(const HeftStepError* e) {
  if (!(e->value > e->bound)) return 0;
  return e->bound > 0 ? e->value / e->bound : HUGE_VAL;
}

HeftStepStatus heft_judge_step(const JudgedStep* s, HeftStepReport* report) {
  HeftStepStatus status = report->status;
  HEFT_ASSERT(status < HEFT_STEP_STATUS_COUNT);
  judge_energy(s->in, report);
  judge_limits(s->in->model, s->end->q, report);
  judge_joint_rows(s, report);
  judge_overlaps(s->constraints, report);
  judge_elements(s->dynamics, report);
  judge_motion(s, report);
  judge_passage(s, report);
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    if (excess(&report->error[i]) > 0 && quantities[i].status > status)
      status = quantities[i].status;
  }
  return status;
}

void heft_judge_join(HeftStepReport* all, const HeftStepReport* part) {
  const double lost =
      all->error[HEFT_QUANTITY_TIME_LOST].value + part->error[HEFT_QUANTITY_TIME_LOST].value;
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    if (part->error[i].value > all->error[i].value) all->error[i] = part->error[i];
  }
  all->error[HEFT_QUANTITY_TIME_LOST].value = lost;
}

HeftStepQuantity heft_step_report_worst(const HeftStepReport* r) {
  HEFT_REQUIRE(r, HEFT_QUANTITY_COUNT);
  int worst = HEFT_QUANTITY_COUNT;
  double most = 0;
  for (int i = 0; i < HEFT_QUANTITY_COUNT; ++i) {
    const double own = excess(&r->error[i]);
    if (quantities[i].status != r->status || !(own > most)) continue;
    worst = i;
    most = own;
  }
  return (HeftStepQuantity)worst;
}
