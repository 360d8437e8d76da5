// SPDX-License-Identifier: Apache-2.0
// Against MuJoCo, number by number: sizes, masses, inertias, poses, mass matrix, bias force,
// tendons, actuators, unconstrained acceleration, at random states of every MJCF model in the
// shared folder; with HEFT_MENAGERIE, a checkout of MuJoCo Menagerie, of its scenes instead, for
// bench/menagerie.py. Debian's libmujoco 2.2.2 answers where it can read the file, the npm package
// @mujoco/mujoco 3.14 for the others. Both are optional: what is absent is said, and skipped.
#include <dlfcn.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the above
#include <heft/dynamics.h>
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

#if defined(__has_include)
#if __has_include(<mujoco/mujoco.h>)
#include <mujoco/mujoco.h>
#define HAVE_MUJOCO 1
#endif
#endif

enum {
  STATES = 100,
  STATES_LARGE = 10,
  LARGE = 300
};  // HEFT_LONG=1: 100 states for the large ones too

// What is different by choice, and why. See docs/manual/mjcf.md.
static const struct {
  const char *file, *why;
  int acceleration;  ///< is not compared
  double tolerance;  ///< of everything else, where it is not 1e-9
} choices[] = {
    {"tendon_arm/arm26.xml", "muscles are not modelled", 1, 0},
    {"replicate/tendon.xml",
     "MuJoCo iterates the touching point inside a sphere to 1e-6, Heft to the last bit", 0, 1e-5},
    {"replicate/bunnies.xml", "MuJoCo keeps the vertices of meshes in 32 bits, Heft in 64", 0,
     1e-7},
    {"io/fluid.xml", "MuJoCo 2.2.2 diagonalises inertias to about 1e-7", 0, 1e-7},
    {"2.2.2 agility_cassie/",
     "MuJoCo 2.2.2 diagonalises fullinertia to about 1e-7, Heft keeps it as it is", 0, 1e-5},
};

static const char* const files[] = {"agility_cassie/cassie.xml",
                                    "agility_cassie/scene.xml",
                                    "iit_softfoot/softfoot.xml",
                                    "iit_softfoot/scene.xml",
                                    "mujoco/car/car.xml",
                                    "mujoco/humanoid/humanoid.xml",
                                    "mujoco/humanoid/22_humanoids.xml",
                                    "mujoco/humanoid/100_humanoids.xml",
                                    "mujoco/humanoid/humanoid100.xml",
                                    "mujoco/replicate/bowl.xml",
                                    "mujoco/replicate/bunnies.xml",
                                    "mujoco/replicate/container.xml",
                                    "mujoco/replicate/cylinder.xml",
                                    "mujoco/replicate/helix.xml",
                                    "mujoco/replicate/leaves.xml",
                                    "mujoco/replicate/newton_cradle.xml",
                                    "mujoco/replicate/particle.xml",
                                    "mujoco/replicate/particle_free.xml",
                                    "mujoco/replicate/particle_free2d.xml",
                                    "mujoco/replicate/scene.xml",
                                    "mujoco/replicate/stonehenge.xml",
                                    "mujoco/replicate/tendon.xml",
                                    "mujoco/slider_crank/slider_crank.xml",
                                    "mujoco/tendon_arm/arm26.xml",
                                    "pal_talos/scene_motor.xml",
                                    "pal_talos/scene_position.xml",
                                    "pal_talos/talos.xml",
                                    "pal_talos/talos_motor.xml",
                                    "pal_talos/talos_position.xml",
                                    "shadow_hand/left_hand.xml",
                                    "shadow_hand/right_hand.xml",
                                    "shadow_hand/scene_left.xml",
                                    "shadow_hand/scene_right.xml",
                                    "unitree_g1/g1.xml",
                                    "unitree_g1/g1_mjx.xml",
                                    "unitree_g1/g1_with_hands.xml",
                                    "unitree_g1/scene.xml",
                                    "unitree_g1/scene_mjx.xml",
                                    "unitree_g1/scene_with_hands.xml",
                                    HEFT_SOURCE_DIR "/tests/io/fluid.xml",
                                    "unitree_h1/h1.xml",
                                    "unitree_h1/scene.xml"};
enum { FILE_COUNT = sizeof files / sizeof *files };

typedef struct Case {
  char path[1024];
  HeftModel* model;
  HeftDynamics* dynamics;
  int states;
  double* numbers;  ///< of all states: q, v, activations, controls, x
  int stride;
  int skip_acceleration;
  double tolerance;
  double worst;  ///< largest relative difference seen
  char worst_what[64];
  int failures;
} Case;

static double uniform(uint64_t* seed, double low, double high) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

static void random_q(const HeftModel* m, uint64_t* seed, double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    double* at = q + m->joint_q[j];
    const HeftJointType type = m->joint_type[j];
    const int count = heft_joint_type_q_count(type);
    for (int k = 0; k < count; ++k)
      at[k] = uniform(seed, -1, 1) * (type == HEFT_JOINT_SLIDE ? 0.3 : 1.2);
  }
  heft_q_normalize(m, q);
}

// Controls within their ranges: the two versions differ in what is limited when a file does not
// say.
static void random_controls(const HeftModel* m, uint64_t* seed, double* control) {
  for (int a = 0; a < m->nactuator; ++a) {
    const double* range = m->actuator_control_range + 2L * a;
    control[a] =
        m->actuator_control_limited[a] ? uniform(seed, range[0], range[1]) : uniform(seed, -1, 1);
  }
}

static int case_open(Case* c, const char* version, const char* file) {
  memset(c, 0, sizeof *c);
  snprintf(c->path, sizeof c->path, "%s %s", version, file);
  c->tolerance = 1e-9;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i) {
    if (!strstr(c->path, choices[i].file)) continue;
    c->skip_acceleration = choices[i].acceleration;
    if (choices[i].tolerance > 0) c->tolerance = choices[i].tolerance;
    print_message("   by choice: %s (%s)\n", choices[i].why, file);
  }
  if (file[0] == '/')
    snprintf(c->path, sizeof c->path, "%s", file);
  else
    snprintf(c->path, sizeof c->path, "%s/models/mjcf/%s", HEFT_SHARED_DIR, file);
  HeftLoadDef def = heft_load_def_default();
  def.hulls = 0;
  HeftError error = {0};
  if (heft_model_load_file(&c->model, c->path, &def, &error) != HEFT_OK) {
    char text[1024];
    print_message("%s\n", heft_error_format(&error, text, sizeof text));
    return 0;
  }
  const HeftModel* m = c->model;
  assert_int_equal(heft_dynamics_create(&c->dynamics, m, NULL, &error), HEFT_OK);
  const char* longer = getenv("HEFT_LONG");
  c->states = m->nv > LARGE && !longer ? STATES_LARGE : STATES;
  if (m->nv > 1000 && !longer) c->states = 2;
  c->stride = m->nq + 2 * m->nv + m->nact + m->nactuator;
  c->numbers = calloc((size_t)(c->states * c->stride) + 1, sizeof(double));
  uint64_t seed = 20240501;
  for (int s = 0; s < c->states; ++s) {
    double* at = c->numbers + (size_t)s * c->stride;
    random_q(m, &seed, at);
    at += m->nq;
    for (int i = 0; i < m->nv; ++i) *at++ = uniform(&seed, -1, 1);
    for (int i = 0; i < m->nact; ++i) *at++ = uniform(&seed, 0, 1);
    random_controls(m, &seed, at);
    at += m->nactuator;
    for (int i = 0; i < m->nv; ++i) *at++ = uniform(&seed, -1, 1);
  }
  return 1;
}

static void case_close(Case* c) {
  free(c->numbers);
  heft_dynamics_destroy(c->dynamics);
  heft_model_destroy(c->model);
}

// ---- our side of the forces

static void add_tendon_forces(const Case* c, const double* q, const double* v, const double* rest,
                              double* tau, double* moment) {
  const HeftModel* m = c->model;
  for (int t = 0; t < m->ntendon; ++t) {
    if (m->tendon_stiffness[t] == 0 && m->tendon_damping[t] == 0) continue;
    const double length = heft_dynamics_tendon_length(c->dynamics, t, q, moment);
    const double low = m->tendon_spring[2 * t] < 0 ? rest[t] : m->tendon_spring[2 * t],
                 high = m->tendon_spring[2 * t] < 0 ? rest[t] : m->tendon_spring[2 * t + 1];
    double speed = 0, force = 0;
    for (int i = 0; i < m->nv; ++i) speed += moment[i] * v[i];
    if (length > high) force = m->tendon_stiffness[t] * (high - length);
    if (length < low) force = m->tendon_stiffness[t] * (low - length);
    force -= m->tendon_damping[t] * speed;
    for (int i = 0; i < m->nv; ++i) tau[i] += force * moment[i];
  }
}

static void add_actuator_forces(const Case* c, const double* q, const double* v, const double* act,
                                const double* control, double* tau, double* moment) {
  const HeftModel* m = c->model;
  double* sum = calloc((size_t)m->nv + 1, sizeof(double));
  for (int a = 0; a < m->nactuator; ++a) {
    const double length = heft_dynamics_actuator_length(c->dynamics, a, q, moment);
    const double *rate = m->actuator_gain_rate + 2L * a, *bias = m->actuator_bias + 3L * a,
                 *range = m->actuator_force_range + 2L * a;
    double speed = 0;
    for (int i = 0; i < m->nv; ++i) speed += moment[i] * v[i];
    const double input = m->actuator_act[a] >= 0 ? act[m->actuator_act[a]] : control[a];
    double force = (m->actuator_gain[a] + rate[0] * length + rate[1] * speed) * input + bias[0] +
                   bias[1] * length + bias[2] * speed;
    if (m->actuator_force_limited[a]) force = fmax(range[0], fmin(range[1], force));
    for (int i = 0; i < m->nv; ++i) sum[i] += force * moment[i];
  }
  for (int j = 0; j < m->njoint; ++j) {
    const double* range = m->joint_force_range + 2L * j;
    if (!m->joint_force_limited[j]) continue;
    const int d = m->joint_dof[j];
    sum[d] = fmax(range[0], fmin(range[1], sum[d]));
  }
  for (int i = 0; i < m->nv; ++i) tau[i] += sum[i];
  free(sum);
}

// ---- comparing

static void compare(Case* c, const char* what, int state, const double* ours, const double* theirs,
                    int count) {
  // nothing is smaller than a thousandth of a metre, of m/s², of a newton
  const int moment = strcmp(what, "body inertia") == 0 || strcmp(what, "body mass") == 0;
  double size = moment ? 1e-12 : 1e-3, difference = 0;
  int at = 0;
  for (int i = 0; i < count; ++i) {
    size = fmax(size, fabs(theirs[i]));
    if (!(fabs(ours[i] - theirs[i]) <= difference)) {
      difference = fabs(ours[i] - theirs[i]);
      at = i;
    }
  }
  const double relative = difference / size;
  if (!(relative <= c->worst)) {
    c->worst = relative;
    snprintf(c->worst_what, sizeof c->worst_what, "%s", what);
  }
  if (relative <= c->tolerance) return;
  if (c->failures++ < 4)
    print_message("    %s, state %d: [%d] is %.15g, MuJoCo says %.15g (relative %.2e)\n", what,
                  state, at, ours[at], theirs[at], relative);
}

typedef struct Reader {
  const double* at;
} Reader;

static const double* take(Reader* r, int count) {
  const double* from = r->at;
  r->at += count;
  return from;
}

static void compare_bodies(Case* c, Reader* r) {
  const HeftModel* m = c->model;
  const double *mass = take(r, m->nbody), *pos = take(r, 3 * m->nbody),
               *quat = take(r, 4 * m->nbody), *moment = take(r, 3 * m->nbody);
  for (int b = 1; b < m->nbody; ++b) {
    compare(c, "body mass", -1, m->body_mass + b, mass + b, 1);
    if (mass[b] == 0) continue;
    compare(c, "centre of mass", -1, m->body_com + 3L * b, pos + 3L * b, 3);
    const double *q = quat + 4L * b, *i = moment + 3L * b;
    const HeftSym3 turned = heft_sym3_rotate((HeftSym3){i[0], i[1], i[2], 0, 0, 0},
                                             heft_quat_to_mat3(heft_quat_from(q)));
    compare(c, "body inertia", -1, m->body_inertia + 6L * b, &turned.xx, 6);
  }
}

static void compare_poses(Case* c, int state, const double* pos, const double* mat) {
  for (int b = 1; b < c->model->nbody; ++b) {
    const HeftPose x = heft_dynamics_body_pose(c->dynamics, b);
    compare(c, "body position", state, &x.pos.x, pos + 3L * b, 3);
    compare(c, "body orientation", state, x.rot.m[0], mat + 9L * b, 9);
  }
}

// M x: by CRBA for models of usual size, by the difference of two RNEA for the large ones.
static void multiply_mass(Case* c, const double* x, double* out, double* scratch) {
  const int nv = c->model->nv;
  if (nv > LARGE) {
    double* zero = calloc((size_t)nv, sizeof(double));
    heft_dynamics_rnea(c->dynamics, zero, x, out);
    heft_dynamics_rnea(c->dynamics, zero, NULL, scratch);
    for (int i = 0; i < nv; ++i) out[i] -= scratch[i];
    free(zero);
    return;
  }
  double* mass = calloc((size_t)nv * (size_t)nv + 1, sizeof(double));
  heft_dynamics_crba(c->dynamics);
  heft_dynamics_mass_matrix(c->dynamics, mass);
  for (int i = 0; i < nv; ++i) {
    out[i] = 0;
    for (int j = 0; j < nv; ++j) out[i] += mass[(size_t)i * (size_t)nv + j] * x[j];
  }
  free(mass);
}

static void compare_state(Case* c, int state, Reader* r, const double* rest) {
  const HeftModel* m = c->model;
  const double* q = c->numbers + (size_t)state * c->stride;
  const double *v = q + m->nq, *act = v + m->nv, *control = act + m->nact,
               *x = control + m->nactuator;
  double* out = calloc((size_t)m->nv * 3 + 3, sizeof(double));
  double *tau = out + m->nv, *moment = tau + m->nv;
  heft_dynamics_kinematics(c->dynamics, q);
  const double *pos = take(r, 3 * m->nbody), *mat = take(r, 9 * m->nbody);
  compare_poses(c, state, pos, mat);
  heft_dynamics_rnea(c->dynamics, v, NULL, out);
  const double* bias = take(r, m->nv);
  int floats = 0;
  for (int b = 1; b < m->nbody; ++b) floats |= m->body_gravity[b] != 1;
  if (!floats) compare(c, "bias force", state, out, bias, m->nv);
  multiply_mass(c, x, out, tau);
  compare(c, "mass matrix", state, out, take(r, m->nv), m->nv);
  const double *length = take(r, m->ntendon), *speed = take(r, m->ntendon);
  for (int t = 0; t < m->ntendon; ++t) {
    double ours[2] = {heft_dynamics_tendon_length(c->dynamics, t, q, moment), 0};
    for (int i = 0; i < m->nv; ++i) ours[1] += moment[i] * v[i];
    compare(c, "tendon length", state, &ours[0], length + t, 1);
    const double both[2] = {ours[1], 1}, theirs[2] = {speed[t], 1};
    compare(c, "tendon moment", state, both, theirs, 2);
  }
  const double *alength = take(r, m->nactuator), *aspeed = take(r, m->nactuator);
  for (int a = 0; a < m->nactuator; ++a) {
    double ours[2] = {heft_dynamics_actuator_length(c->dynamics, a, q, moment), 0};
    for (int i = 0; i < m->nv; ++i) ours[1] += moment[i] * v[i];
    const double mine[2] = {ours[0], 1}, other[2] = {alength[a], 1};
    compare(c, "actuator length", state, mine, other, 2);
    const double both[2] = {ours[1], 1}, theirs[2] = {aspeed[a], 1};
    compare(c, "actuator moment", state, both, theirs, 2);
  }
  const double* acceleration = take(r, m->nv);
  if (!c->skip_acceleration) {
    for (int i = 0; i < m->nv; ++i) tau[i] = -m->dof_damping[i] * v[i];
    heft_model_spring_forces(m, q, tau);
    heft_dynamics_fluid_forces(c->dynamics, v, tau);
    add_tendon_forces(c, q, v, rest, tau, moment);
    add_actuator_forces(c, q, v, act, control, tau, moment);
    heft_dynamics_aba(c->dynamics, v, tau, out);
    compare(c, "acceleration", state, out, acceleration, m->nv);
  }
  free(out);
}

static int compare_all(Case* c, const double* reference, size_t count) {
  const HeftModel* m = c->model;
  Reader r = {reference};
  const double sizes[6] = {m->nq, m->nv, m->nbody, m->nactuator, m->nact, m->ntendon};
  const double* theirs = take(&r, 6);
  static const char* const names[] = {"nq", "nv", "nbody", "nu", "na", "ntendon"};
  for (int i = 0; i < 6; ++i) {
    if (sizes[i] == theirs[i] || (i == 4 && c->skip_acceleration)) continue;
    print_message("    %s is %g, MuJoCo says %g\n", names[i], sizes[i], theirs[i]);
    return 0;
  }
  const size_t expected = 6 + 11 * (size_t)m->nbody +
                          (size_t)c->states * (12 * (size_t)m->nbody + 3 * (size_t)m->nv +
                                               2 * (size_t)m->ntendon + 2 * (size_t)m->nactuator);
  if (count != expected) {
    print_message("    %zu numbers came, expected %zu\n", count, expected);
    return 0;
  }
  compare_bodies(c, &r);
  double* rest = calloc((size_t)m->ntendon + 1, sizeof(double));
  heft_dynamics_kinematics(c->dynamics, m->q_spring);
  for (int t = 0; t < m->ntendon; ++t)
    rest[t] = heft_dynamics_tendon_length(c->dynamics, t, m->q_spring, NULL);
  for (int s = 0; s < c->states; ++s) compare_state(c, s, &r, rest);
  free(rest);
  return c->failures == 0;
}

static void report(const Case* c, const char* version, int good) {
  const char* shared = strstr(c->path, "/mjcf/");
  const char* name = shared ? shared + 6 : c->path;
  print_message("%s %-42s nv %4d, %3d states, MuJoCo %s, largest relative difference %.1e (%s)\n",
                good ? "  " : "!!", name, c->model->nv, c->states, version, c->worst,
                c->worst_what);
}

// ---- Debian's library

#ifdef HAVE_MUJOCO
typedef struct Library {
  void* handle;
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  void (*delete_model)(mjModel*);
  mjData* (*make_data)(const mjModel*);
  void (*delete_data)(mjData*);
  void (*forward)(const mjModel*, mjData*);
  void (*mul)(const mjModel*, const mjData*, mjtNum*, const mjtNum*);
} Library;

static int library_open(Library* l) {
  memset(l, 0, sizeof *l);
  l->handle = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) l->handle = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) return 0;
  *(void**)&l->load = dlsym(l->handle, "mj_loadXML");
  *(void**)&l->delete_model = dlsym(l->handle, "mj_deleteModel");
  *(void**)&l->make_data = dlsym(l->handle, "mj_makeData");
  *(void**)&l->delete_data = dlsym(l->handle, "mj_deleteData");
  *(void**)&l->forward = dlsym(l->handle, "mj_forward");
  *(void**)&l->mul = dlsym(l->handle, "mj_mulM");
  return l->load && l->delete_model && l->make_data && l->delete_data && l->forward && l->mul;
}

static double* append(double* at, const mjtNum* from, int count) {
  memcpy(at, from, (size_t)count * sizeof(double));
  return at + count;
}

static double* ask_library(const Library* l, const Case* c, const mjModel* m, size_t* count) {
  mjData* d = l->make_data(m);
  const size_t max = 6 + 11 * (size_t)m->nbody +
                     (size_t)c->states * (12 * (size_t)m->nbody + 3 * (size_t)m->nv +
                                          2 * (size_t)m->ntendon + 2 * (size_t)m->nu);
  double* out = calloc(max, sizeof(double));
  double* at = out;
  const double sizes[6] = {m->nq, m->nv, m->nbody, m->nu, m->na, m->ntendon};
  at = append(at, sizes, 6);
  at = append(at, m->body_mass, m->nbody);
  at = append(at, m->body_ipos, 3 * m->nbody);
  at = append(at, m->body_iquat, 4 * m->nbody);
  at = append(at, m->body_inertia, 3 * m->nbody);
  const int fits = m->nq == c->model->nq && m->nv == c->model->nv && m->nu == c->model->nactuator;
  for (int s = 0; s < c->states && fits; ++s) {
    const double* q = c->numbers + (size_t)s * c->stride;
    memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, q + m->nq, (size_t)m->nv * sizeof(double));
    if (m->na == c->model->nact) memcpy(d->act, q + m->nq + m->nv, (size_t)m->na * sizeof(double));
    const double* control = q + m->nq + m->nv + c->model->nact;
    memcpy(d->ctrl, control, (size_t)m->nu * sizeof(double));
    l->forward(m, d);
    at = append(at, d->xpos, 3 * m->nbody);
    at = append(at, d->xmat, 9 * m->nbody);
    at = append(at, d->qfrc_bias, m->nv);
    l->mul(m, d, at, control + m->nu);
    at += m->nv;
    at = append(at, d->ten_length, m->ntendon);
    at = append(at, d->ten_velocity, m->ntendon);
    at = append(at, d->actuator_length, m->nu);
    at = append(at, d->actuator_velocity, m->nu);
    at = append(at, d->qacc_smooth, m->nv);
  }
  *count = (size_t)(at - out);
  l->delete_data(d);
  return out;
}
#endif

// The files that the library cannot read are left for the package.
static void test_debian_library(void** state) {
  (void)state;
#ifdef HAVE_MUJOCO
  Library l;
  if (getenv("HEFT_MENAGERIE") || access(HEFT_SHARED_DIR "/models/mjcf", R_OK) != 0 ||
      !library_open(&l)) {
    print_message("libmujoco 2.2.2 or the shared models are absent\n");
    skip();
  }
  int compared = 0, bad = 0;
  for (int f = 0; f < FILE_COUNT; ++f) {
    Case c;
    if (!case_open(&c, "2.2.2", files[f])) {
      ++bad;
      continue;
    }
    char error[512] = "";
    mjModel* m = l.load(c.path, NULL, error, sizeof error);
    if (m) {
      size_t count = 0;
      double* reference = ask_library(&l, &c, m, &count);
      const int good = compare_all(&c, reference, count);
      report(&c, "2.2.2", good);
      bad += !good;
      ++compared;
      free(reference);
      l.delete_model(m);
    }
    case_close(&c);
  }
  print_message("%d files compared, %d with differences\n", compared, bad);
  assert_int_equal(bad, 0);
  assert_true(compared >= 10);
#else
  print_message("libmujoco-dev is absent\n");
  skip();
#endif
}

// ---- the npm package

static double* read_numbers(const char* path, size_t* count) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  double* numbers = malloc((size_t)size + 8);
  *count = fread(numbers, sizeof(double), (size_t)size / 8, file);
  fclose(file);
  return numbers;
}

static int write_states(const Case* c, const char* path) {
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  const double head[2] = {c->states, c->model->nact};
  fwrite(head, sizeof *head, 2, file);
  fwrite(c->numbers, sizeof(double), (size_t)(c->states * c->stride), file);
  return fclose(file) == 0;
}

// 1 agreed, 0 differs, -1 the package is absent.
static int ask_package(const char* file, const char* folder) {
  Case c;
  char in[1100], out[1100], command[6000];
  if (!case_open(&c, "3.14", file)) return 0;
  snprintf(in, sizeof in, "%s/in", folder);
  snprintf(out, sizeof out, "%s/out", folder);
  remove(out);
  assert_true(write_states(&c, in));
  snprintf(command, sizeof command, "node '%s/tests/io/mujoco_reference.mjs' '%s' '%s' '%s' 2>&1",
           HEFT_SOURCE_DIR, c.path, in, out);
  FILE* pipe = popen(command, "r");
  char line[600] = "";
  if (pipe && !fgets(line, sizeof line, pipe)) line[0] = '\0';
  while (pipe && fgets(command, sizeof command, pipe)) continue;
  const int code = pipe ? pclose(pipe) : -1;
  size_t count = 0;
  double* reference = code == 0 ? read_numbers(out, &count) : NULL;
  int result = -1;
  if (reference) {
    result = compare_all(&c, reference, count);
    report(&c, "3.14", result);
  } else if (code == 0) {
    print_message("!! %s: %s", file, line);
    result = 0;
  }
  free(reference);
  case_close(&c);
  return result;
}

// Scenes of Menagerie one after the other: each is reported, none decides the test.
static void compare_menagerie(const char* menagerie, const char* folder) {
  char pattern[1024];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*/scene*.xml", menagerie);
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; ++i) (void)ask_package(found.gl_pathv[i], folder);
  globfree(&found);
}

static void test_npm_package(void** state) {
  (void)state;
  char folder[] = "heft_mujoco_XXXXXX";
  if ((!getenv("HEFT_MENAGERIE") && access(HEFT_SHARED_DIR "/models/mjcf", R_OK) != 0) ||
      !mkdtemp(folder)) {
    print_message("the shared models are absent\n");
    skip();
  }
  int compared = 0, bad = 0, absent = 0;
  const char *only = getenv("HEFT_ONLY"), *menagerie = getenv("HEFT_MENAGERIE");
  if (menagerie) compare_menagerie(menagerie, folder);
  for (int f = 0; f < FILE_COUNT && !absent && !menagerie; ++f) {
    if (only && !strstr(files[f], only)) continue;
    const int good = ask_package(files[f], folder);
    absent = good < 0;
    compared += good >= 0;
    bad += good == 0;
  }
  char path[64];
  snprintf(path, sizeof path, "%s/in", folder);
  remove(path);
  snprintf(path, sizeof path, "%s/out", folder);
  remove(path);
  rmdir(folder);
  if (absent) {
    print_message("node or @mujoco/mujoco is absent; say where it is with HEFT_NODE_MODULES\n");
    skip();
  }
  print_message("%d files compared, %d with differences\n", compared, bad);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_debian_library),
      cmocka_unit_test(test_npm_package),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
