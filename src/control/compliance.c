// SPDX-License-Identifier: Apache-2.0
// Papers: R45, R65, S3, S4, S6, S7.
// Whole-body compliance: a touched robot yields.
//
// M_d q̈_d + B_d q̇_d (+ K_d q_d) = Jᵀ f with diagonal M_d, B_d ([Chardonnet 2012], Eq. 16;
// [Keith 2008], Eq. 22), only for the joints between the touched body and the waist; those farther
// down keep the balance. f has six components: a force and a torque. Each dof is stepped
// implicitly, so that any damping is stable:
//     q̇⁺ = (M q̇ + h (Jᵀf - K q)) / (M + h B + h² K),   q⁺ = q + h q̇⁺.
#include <heft/control.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "control/chain.h"
#include "control/part.h"

struct HeftCompliance {
  HeftComplianceDef def;
  const HeftModel* model;
  size_t memory_size;
  double *inertia, *damping, *stiffness;  ///< nv: diagonals of M_d, B_d, K_d
  double *offset, *velocity, *force;      ///< nv
  double* jacobian;                       ///< 6 x nv
};

void heft_compliance_def_init(HeftComplianceDef* def, uint32_t cookie, const HeftModel* m) {
  const bool ours = HEFT_DEF_STAMP(HeftComplianceDef, def, m ? cookie : 0);
  HEFT_REQUIRE_VOID(m);
  if (!ours) return;
  const int waist = heft_model_find(m, HEFT_NAMED_BODY, "waist"),
            pelvis = heft_model_find(m, HEFT_NAMED_BODY, "pelvis");
  *def = (HeftComplianceDef){.cookie = cookie,
                             .allocator = heft_allocator_default(),
                             .waist = waist > 0    ? waist
                                      : pelvis > 0 ? pelvis
                                                   : 1,
                             .inertia = 0.5,
                             .damping = 10,
                             .stiffness = 0};
}

static void place(void* part, Arena* arena) {
  HeftCompliance* c = part;
  const int nv = c->model->nv;
  c->inertia = arena_take(arena, nv, double);
  c->damping = arena_take(arena, nv, double);
  c->stiffness = arena_take(arena, nv, double);
  c->offset = arena_take(arena, nv, double);
  c->velocity = arena_take(arena, nv, double);
  c->force = arena_take(arena, nv, double);
  c->jacobian = arena_take(arena, 6L * nv, double);
}

static bool sound(double inertia, double damping, double stiffness) {
  return inertia > 0 && inertia < (double)INFINITY && damping >= 0 && damping < (double)INFINITY &&
         stiffness >= 0 && stiffness < (double)INFINITY;
}

HeftStatus heft_compliance_create(HeftCompliance** out, const HeftModel* model,
                                  const HeftComplianceDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  const HeftStatus status =
      HEFT_DEF_CHECK(HeftComplianceDef, heft_compliance_def_default, def, error);
  if (status != HEFT_OK) return status;
  HeftCompliance made = {.model = model};
  made.def = def ? *def : heft_compliance_def_default(model);
  const HeftComplianceDef* d = &made.def;
  if (!sound(d->inertia, d->damping, d->stiffness) || d->waist < 0 || d->waist >= model->nbody)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "compliance needs an inertia above zero, damping and stiffness of zero "
                          "or more, and a body of the model as waist");
  HeftCompliance* c =
      part_make(&d->allocator, &made, sizeof made, place, &made.memory_size, "compliance", error);
  if (!c) return HEFT_ERR_MEMORY;
  for (int i = 0; i < model->nv; ++i)
    heft_compliance_set_dof(c, i, d->inertia, d->damping, d->stiffness);
  *out = c;
  return HEFT_OK;
}

void heft_compliance_destroy(HeftCompliance* c) {
  if (c) c->def.allocator.release(c->def.allocator.user, c, c->memory_size);
}

void heft_compliance_set_dof(HeftCompliance* c, int dof, double inertia, double damping,
                             double stiffness) {
  HEFT_REQUIRE_VOID(c && dof >= 0 && dof < c->model->nv && sound(inertia, damping, stiffness));
  c->inertia[dof] = inertia;
  c->damping[dof] = damping;
  c->stiffness[dof] = stiffness;
}

void heft_compliance_reset(HeftCompliance* c) {
  HEFT_REQUIRE_VOID(c);
  const size_t size = (size_t)c->model->nv * sizeof(double);
  memset(c->offset, 0, size);
  memset(c->velocity, 0, size);
}

// force += Jᵀ f on the chain from the touched body to the waist.
static void gather(HeftCompliance* c, const HeftDynamics* d, const HeftLoad* t) {
  const int nv = c->model->nv;
  const double f[6] = {t->torque.x, t->torque.y, t->torque.z, t->force.x, t->force.y, t->force.z};
  heft_dynamics_body_jacobian(d, t->body, t->point, c->jacobian);
  for (int i = 0; i < nv; ++i) {
    if (!chain_moves(c->model, i, t->body, c->def.waist)) continue;
    for (int k = 0; k < 6; ++k) c->force[i] += c->jacobian[(long)k * nv + i] * f[k];
  }
}

void heft_compliance_step(HeftCompliance* c, const HeftDynamics* dynamics, const HeftLoad* loads,
                          int load_count, double dt) {
  HEFT_REQUIRE_VOID(c && dynamics && dt > 0);
  HEFT_REQUIRE_VOID(load_count >= 0 && (loads || load_count == 0));
  const int nv = c->model->nv;
  memset(c->force, 0, (size_t)nv * sizeof(double));
  for (int i = 0; i < load_count; ++i) gather(c, dynamics, &loads[i]);
  for (int i = 0; i < nv; ++i) {
    const double share = 1 / (c->inertia[i] + dt * (c->damping[i] + dt * c->stiffness[i]));
    const double push = c->force[i] - c->stiffness[i] * c->offset[i];
    c->velocity[i] = share * (c->inertia[i] * c->velocity[i] + dt * push);
    c->offset[i] += dt * c->velocity[i];
  }
}

void heft_compliance_set_offset(HeftCompliance* c, const double* offset, const double* velocity) {
  HEFT_REQUIRE_VOID(c && offset && velocity);
  const size_t size = (size_t)c->model->nv * sizeof(double);
  memcpy(c->offset, offset, size);
  memcpy(c->velocity, velocity, size);
}

const double* heft_compliance_offset(const HeftCompliance* c) {
  HEFT_REQUIRE(c, NULL);
  return c->offset;
}
const double* heft_compliance_velocity(const HeftCompliance* c) {
  HEFT_REQUIRE(c, NULL);
  return c->velocity;
}

void heft_compliance_apply(const HeftCompliance* c, const double* posture, double* out) {
  HEFT_REQUIRE_VOID(c && posture && out);
  heft_q_integrate(c->model, posture, c->offset, 1, out);
  chain_clamp(c->model, out);
}
