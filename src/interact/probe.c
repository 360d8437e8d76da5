// SPDX-License-Identifier: Apache-2.0
// Papers: R41, R42.
// The probe: a person's hand in the world.
//
// Touching. A proxy follows the hand and stays outside of bodies (proxy.c). It moves with the
// touched body, so that friction carries it along. The spring between the two, from the proxy to
// the hand, acts on the touched body during the step as a coupling of the world: implicit, so that
// the lightest body can be touched with the stiffest spring. Its damper acts only along the normal:
// along the surface the target has the velocity of the body itself.
//
// A triangle of a deformable body is touched at a point between its corners. The spring acts on
// the corners, each by its share in the point, and the point moves as their mean.
//
// Holding. The frame in which the hand took hold is coupled to the hand in six dimensions.
//
// The world's damper is k_v = sqrt(2 m k_p) [Chardonnet 2012], m the mass of the body. The hand
// feels no more damping than the def states, because a sampled device bears little (docs/theory).
#include <heft/collision.h>
#include <heft/interact.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "interact/mobility.h"
#include "interact/proxy.h"
#include "math/vec3_limit.h"

struct HeftProbe {
  HeftProbeDef def;
  const HeftModel* model;
  HeftCollider* collider;
  HeftPose* poses;  // nbody
  HeftProbeState state;
  HeftProbeInput input;
  Proxy proxy;
  ProxyScene scene;
  ProxyContact touched;  // that the state describes, in the step
  HeftPose before;       // frame of the touched body before the step
  HeftSpatial moved;     // its rotation and displacement in all
  double time;           // of the world, before the step [s]
  double* scratch;       // mobility_scratch()
  size_t memory_size;
};

#define MODE_NAME(name, text) text,
const char* heft_probe_mode_name(HeftProbeMode mode) {
  static const char* const names[] = {HEFT_PROBE_MODE_LIST(MODE_NAME)};
  return (int)mode >= 0 && mode < HEFT_PROBE_MODE_COUNT ? names[mode] : "";
}

void heft_probe_def_init(HeftProbeDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftProbeDef, def, cookie)) return;
  *def = (HeftProbeDef){.cookie = cookie,
                        .allocator = heft_allocator_default(),
                        .mode = HEFT_PROBE_TOUCH,
                        .radius = 0.005,
                        .stiffness = 500,
                        .rotational_stiffness = 2,
                        .friction = -1,
                        .hold_button = 0,
                        .body = -1};
}

// ---- memory

static HeftStatus check(const HeftProbeDef* d, const HeftModel* m, HeftError* error) {
  if (!(d->radius >= 1e-4 && d->radius <= 10))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "the radius of the probe is %g m, expected "
                          "1e-4 to 10",
                          d->radius);
  if (!(d->stiffness > 0 && d->stiffness <= 1e9) || !(d->damping >= 0 && d->damping <= 1e9) ||
      !(d->rotational_stiffness >= 0 && d->rotational_stiffness <= 1e9) ||
      !(d->force_max >= 0 && d->torque_max >= 0))
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "stiffness %g, damping %g or stiffness of turning %g of the probe is out "
                          "of range",
                          d->stiffness, d->damping, d->rotational_stiffness);
  if (d->body >= m->nbody)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "there is no body %d to hold", d->body);
  return HEFT_OK;
}

static HeftProbeState nothing(void) {
  HeftProbeState s;
  memset(&s, 0, sizeof s);  // padding too: states are compared and recorded as bytes
  s.body = -1;
  s.at = heft_pose_identity();
  return s;
}

static HeftStatus measure_scratch(const HeftModel* model, const HeftAllocator* allocator,
                                  size_t* scratch, HeftError* error) {
  HeftDynamics* d = NULL;
  const HeftStatus status = heft_dynamics_create(&d, model, allocator, error);
  if (status == HEFT_OK) *scratch = mobility_scratch(d);
  heft_dynamics_destroy(d);
  return status;
}

HeftStatus heft_probe_create(HeftProbe** out, const HeftModel* model, const HeftProbeDef* def,
                             HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftProbeDef, heft_probe_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftProbeDef used = def ? *def : heft_probe_def_default();
  status = check(&used, model, error);
  if (status != HEFT_OK) return status;
  size_t scratch = 0;
  status = measure_scratch(model, &used.allocator, &scratch, error);
  if (status != HEFT_OK) return status;
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, HeftProbe);
  arena_take(&sizes, model->nbody, HeftPose);
  arena_take(&sizes, scratch, double);
  arena_take(&sizes, model->ndeformable, int);
  HeftProbe* p = used.allocator.allocate(used.allocator.user, sizes.used, ARENA_ALIGNMENT);
  if (!p) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a probe");
  memset(p, 0, sizes.used);
  Arena arena = arena_make(p, sizes.used, NULL);
  arena_take(&arena, 1, HeftProbe);
  p->poses = arena_take(&arena, model->nbody, HeftPose);
  p->scratch = arena_take(&arena, scratch, double);
  p->scene.skin = (Skin){model, arena_take(&arena, model->ndeformable, int)};
  skin_find_shapes(&p->scene.skin);
  p->def = used;
  p->model = model;
  p->memory_size = sizes.used;
  p->state = nothing();
  p->proxy = (Proxy){.radius = used.radius, .friction = used.friction};
  HeftColliderDef collider = heft_collider_def_default();
  collider.allocator = &used.allocator;
  status = heft_collider_create(&p->collider, model, &collider, error);
  if (status != HEFT_OK) {
    heft_probe_destroy(p);
    return status;
  }
  p->scene.model = model;
  p->scene.collider = p->collider;
  p->scene.poses = p->poses;
  *out = p;
  return HEFT_OK;
}

void heft_probe_destroy(HeftProbe* p) {
  if (!p) return;
  const HeftAllocator allocator = p->def.allocator;
  heft_collider_destroy(p->collider);
  allocator.release(allocator.user, p, p->memory_size);
}

const HeftProbeState* heft_probe_state(const HeftProbe* p) {
  HEFT_REQUIRE(p, NULL);
  return &p->state;
}
void heft_probe_set_state(HeftProbe* p, const HeftProbeState* state) {
  HEFT_REQUIRE_VOID(p && state);
  p->state = *state;
}
HeftProbeDef heft_probe_def(const HeftProbe* p) {
  HEFT_REQUIRE(p, ((HeftProbeDef){0}));
  return p->def;
}

// ---- the coupling

static double damper(const HeftProbe* p, int body) {
  return heft_coupling_damping(p->model->body_mass[body], p->def.stiffness);
}

static HeftPose hand_pose(const HeftProbeInput* in) { return heft_pose(in->pos, in->rot); }

// The hand in the frame of the held body.
static HeftPose held_pose(const HeftProbe* p) {
  return heft_pose(heft_vec3_add(p->input.pos, p->state.offset), p->input.rot);
}

static void couple_held(HeftProbe* p, HeftWorld* w) {
  const HeftProbeState* s = &p->state;
  const HeftProbeDef* d = &p->def;
  const double c = damper(p, s->body);
  const HeftCoupling coupling = {.body = s->body,
                                 .at = s->at,
                                 .target = held_pose(p),
                                 .velocity = {p->input.spin, p->input.vel},
                                 .stiffness = d->stiffness,
                                 .damping = c,
                                 .rotational_stiffness = d->rotational_stiffness,
                                 .rotational_damping = d->rotational_stiffness * c / d->stiffness,
                                 .force_max = d->force_max,
                                 .torque_max = d->torque_max};
  heft_world_add_coupling(w, &coupling);
}

// The share of a spring's stretch that each touch carries: all of it for one, projections on the
// normals for several, which is exact where they are perpendicular.
static HeftVec3 share_of(const Proxy* x, int index, HeftVec3 way) {
  if (x->count == 1) return way;
  const HeftVec3 n = x->contact[index].normal;
  return heft_vec3_scale(fmin(heft_vec3_dot(way, n), 0), n);
}

// Adds the spring of a touch to a body, with a share of its stiffness.
static void couple_body(const HeftProbe* p, HeftWorld* w, int body, double share, HeftVec3 normal,
                        HeftVec3 way) {
  const HeftVec3 at = p->proxy.pos;
  const HeftVec3 body_vel = heft_dynamics_body_velocity(heft_world_dynamics(w), body, at).lin;
  const double into = heft_vec3_dot(heft_vec3_sub(p->input.vel, body_vel), normal);
  const HeftCoupling coupling = {
      .body = body,
      .at = {heft_mat3_identity(), heft_pose_apply_inverse(p->poses[body], at)},
      .target = {heft_mat3_identity(), heft_vec3_add(at, way)},
      .velocity = {{0, 0, 0}, heft_vec3_add_scaled(body_vel, fmin(into, 0), normal)},
      .stiffness = share * p->def.stiffness,
      .damping = share * damper(p, body)};
  heft_world_add_coupling(w, &coupling);
}

// A triangle of a deformable body is pressed at its corners, each by its share.
static void couple_touched(HeftProbe* p, HeftWorld* w) {
  const Proxy* x = &p->proxy;
  const HeftVec3 way =
      vec3_bounded(heft_vec3_sub(p->input.pos, x->pos), p->def.force_max / p->def.stiffness);
  for (int i = 0; i < x->count; ++i) {
    const ProxyContact* t = &x->contact[i];
    const HeftVec3 own = share_of(x, i, way);
    if (t->corner[0] < 0) couple_body(p, w, t->body, 1, t->normal, own);
    for (int k = 0; k < 3 && t->corner[0] >= 0; ++k) {
      if (t->weight[k] > 0) couple_body(p, w, t->corner[k], t->weight[k], t->normal, own);
    }
  }
}

// ---- before a step

static int wants_hold(const HeftProbe* p) {
  const int button = p->def.hold_button;
  if (p->def.mode == HEFT_PROBE_ATTACH) return 1;
  return button >= 0 && button < 32 && (p->input.buttons >> button & 1u);
}

static void take(HeftProbe* p, int body, HeftPose hand) {
  p->state.body = body;
  p->state.holds = 1;
  p->state.offset = heft_vec3(0, 0, 0);
  p->state.at = heft_pose_mul(heft_pose_inverse(p->poses[body]), hand);
}

// Attached from the start: a body by name, or the nearest that the hand is at.
static void attach(HeftProbe* p) {
  const HeftPose hand = hand_pose(&p->input);
  if (p->def.body >= 0) {  // from wherever the hand is, so that nothing is pulled at the start
    take(p, p->def.body, hand);
    p->state.at.pos = p->def.point;
    p->state.offset = heft_vec3_sub(heft_pose_apply(p->poses[p->def.body], p->def.point), hand.pos);
    return;
  }
  const HeftClosestPoint near =
      heft_collider_closest(p->collider, hand.pos, 2 * p->def.radius, heft_query_filter_all());
  if (near.shape >= 0) take(p, near.body, hand);
}

static void hold(HeftProbe* p, HeftWorld* w) {
  if (!p->state.holds) {
    if (p->def.mode == HEFT_PROBE_ATTACH) attach(p);
    if (p->def.mode == HEFT_PROBE_TOUCH && p->state.body >= 0)
      take(p, p->state.body, hand_pose(&p->input));
  }
  if (p->state.holds) couple_held(p, w);
}

// If a hand appears inside a body, it touches nothing until it has left the body: otherwise the
// spring would release energy that the hand did not supply.
static int is_inside(const HeftProbe* p) {
  const double reach = 0.95 * p->def.radius;
  const SkinPoint skin = skin_closest(&p->scene.skin, p->poses, p->input.pos, (double)INFINITY);
  if (skin.shape >= 0 && skin.distance < reach) return 1;
  return heft_collider_closest(p->collider, p->input.pos, reach, heft_query_filter_all()).shape >=
         0;
}

static void contact(HeftProbe* p, HeftWorld* w) {
  HeftProbeState* s = &p->state;
  Proxy* x = &p->proxy;
  if (!s->placed && is_inside(p)) {
    *s = nothing();
    s->proxy = p->input.pos;
    return;
  }
  x->pos = !s->placed     ? p->input.pos
           : s->body >= 0 ? heft_pose_apply(p->poses[s->body], s->at.pos)
                          : s->proxy;
  s->holds = 0;
  proxy_follow(x, &p->scene, p->input.pos);
  p->moved.lin = heft_vec3_add(p->moved.lin, x->pushed);
  s->placed = 1;
  s->proxy = x->pos;
  s->body = x->count > 0 ? x->contact[x->count - 1].body : -1;
  s->depth = x->count > 0 ? heft_vec3_norm(heft_vec3_sub(x->pos, p->input.pos)) : 0;
  s->at = heft_pose_identity();
  if (x->count == 0) return;
  const ProxyContact* t = &x->contact[x->count - 1];
  p->touched = *t;
  s->at.pos = heft_pose_apply_inverse(p->poses[t->body], x->pos);
  // In a crease the walls carry the force that friction cannot.
  s->normal = x->count == 1 ? t->normal : heft_vec3_normalize(heft_vec3_sub(x->pos, p->input.pos));
  s->friction = x->count == 1 ? t->friction : 1e3;
  couple_touched(p, w);
}

void heft_probe_begin(HeftProbe* p, HeftWorld* w, const HeftProbeInput* input) {
  HEFT_REQUIRE_VOID(p && w && input && heft_world_model(w)->nbody == p->model->nbody);
  p->input = *input;
  if (!input->present || !vec3_finite(input->pos) || !vec3_finite(input->vel)) {
    p->input.present = 0;
    p->state = nothing();
    return;
  }
  const HeftDynamics* dynamics = heft_world_dynamics(w);
  for (int b = 0; b < p->model->nbody; ++b) p->poses[b] = heft_dynamics_body_pose(dynamics, b);
  heft_collider_update(p->collider, p->poses);
  p->touched = (ProxyContact){.corner = {-1, -1, -1}};
  const int grasping = wants_hold(p);
  if (grasping) hold(p, w);
  if (!grasping || (!p->state.holds && p->def.mode == HEFT_PROBE_TOUCH)) contact(p, w);
  p->time = *heft_world_state(w)->time;
  if (p->state.body >= 0) p->before = heft_pose_mul(p->poses[p->state.body], p->state.at);
}

// ---- after a step

// Displacement of the touched body during the step, without slipping.
static void note_motion(HeftProbe* p, HeftPose after) {
  const HeftMat3 turn = heft_mat3_mul(after.rot, heft_mat3_transpose(p->before.rot));
  const HeftVec3 way = heft_vec3_sub(after.pos, p->before.pos);
  p->moved.ang = heft_vec3_add(p->moved.ang, heft_quat_log(heft_quat_from_mat3(turn)));
  p->moved.lin = heft_vec3_add(p->moved.lin, way);
}

static void feel(HeftProbe* p, const HeftLocalModel* m) {
  const HeftDeviceSample hand = {
      .pos = p->input.pos, .rot = p->input.rot, .vel = p->input.vel, .spin = p->input.spin};
  const HeftDeviceForce f = heft_local_model_force(m, m->time_ns, &hand);
  p->state.force = f.force;
  p->state.torque = f.torque;
}

// ---- a touched triangle of a deformable body

static int is_skin(const HeftProbe* p) { return !p->state.holds && p->touched.corner[0] >= 0; }

// The point moves as the mean of the corners does. The state describes it in the frame of the first
// corner, which is where the next step begins.
static void follow_skin(HeftProbe* p, const HeftDynamics* dynamics) {
  const ProxyContact* t = &p->touched;
  HeftVec3 pos = p->before.pos;
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 now = heft_dynamics_body_pose(dynamics, t->corner[k]).pos;
    pos = heft_vec3_add_scaled(pos, t->weight[k], heft_vec3_sub(now, p->poses[t->corner[k]].pos));
  }
  p->state.at.pos = heft_pose_apply_inverse(heft_dynamics_body_pose(dynamics, t->body), pos);
}

static HeftSpatial skin_velocity(const HeftProbe* p, const HeftDynamics* dynamics) {
  const ProxyContact* t = &p->touched;
  HeftVec3 sum = heft_vec3(0, 0, 0);
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 at = heft_dynamics_body_pose(dynamics, t->corner[k]).pos;
    const HeftVec3 own = heft_dynamics_body_velocity(dynamics, t->corner[k], at).lin;
    sum = heft_vec3_add_scaled(sum, t->weight[k], own);
  }
  return heft_spatial(heft_vec3(0, 0, 0), sum);
}

static HeftMat3 mobility_of(const HeftProbe* p, const HeftWorld* w, HeftVec3 at) {
  const double h = *heft_world_state(w)->time - p->time, k = p->def.stiffness;
  const int count = is_skin(p) ? 3 : 1;
  HeftMat3 sum = {{{0}}};
  for (int i = 0; i < count; ++i) {
    const int body = is_skin(p) ? p->touched.corner[i] : p->state.body;
    const double share = is_skin(p) ? p->touched.weight[i] : 1;
    const double spring = h > 0 ? share * h * (damper(p, body) + h * k) : 0;
    if (!(share > 0)) continue;
    const HeftMat3 own = mobility_at(w, body, at, spring, p->scratch);
    for (int r = 0; r < 9; ++r) sum.m[r / 3][r % 3] += share * share * own.m[r / 3][r % 3];
  }
  return sum;
}

HeftLocalModel heft_probe_end(HeftProbe* p, HeftWorld* w) {
  HEFT_REQUIRE(p && w, ((HeftLocalModel){0}));
  HeftProbeState* s = &p->state;
  HeftLocalModel m = {.kind = HEFT_LOCAL_NONE, .time_ns = p->input.time_ns};
  m.turn = heft_quat_identity();
  m.moved = p->moved;
  s->force = s->torque = heft_vec3(0, 0, 0);
  if (!p->input.present || s->body < 0) return m;
  const HeftDynamics* dynamics = heft_world_dynamics(w);
  if (is_skin(p)) follow_skin(p, dynamics);
  const HeftPose frame = heft_pose_mul(heft_dynamics_body_pose(dynamics, s->body), s->at);
  const HeftSpatial v = is_skin(p) ? skin_velocity(p, dynamics)
                                   : heft_dynamics_body_velocity(dynamics, s->body, frame.pos);
  note_motion(p, frame);
  m.moved = p->moved;
  m.kind = s->holds ? HEFT_LOCAL_SPRING : HEFT_LOCAL_SURFACE;
  m.anchor = frame.pos;
  m.vel = v.lin;
  m.spin = v.ang;
  m.normal = s->normal;
  m.friction = s->friction;
  m.stiffness = p->def.stiffness;
  m.damping = p->def.damping;
  m.force_max = p->def.force_max;
  m.torque_max = p->def.torque_max;
  if (s->holds) {
    m.anchor = heft_vec3_sub(frame.pos, s->offset);
    m.turn = heft_quat_from_mat3(frame.rot);
    m.rotational_stiffness = p->def.rotational_stiffness;
  } else {
    s->proxy = frame.pos;
  }
  feel(p, &m);
  m.mobility = mobility_of(p, w, frame.pos);
  m.force = s->force;
  return m;
}

double heft_coupling_damping(double mass, double stiffness) {
  return mass > 0 && stiffness > 0 ? sqrt(2 * mass * stiffness) : 0;
}
