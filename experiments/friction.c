// SPDX-License-Identifier: Apache-2.0
// Papers: S14.
// The experiment identifies coefficients of friction by the method of [Moraud 2008], section V-C.
// They are inputs of the simulation: the experiment shows how well the method finds them from
// scattered readings. A foot is loaded with weights and pulled until it slips. The pull at the
// start of slip over the load is a line through the origin. Its slope is the coefficient: 0.13 for
// plastic feet, 0.45 for soles of robot shoes. The first runs use a block instead of the foot. The
// next runs use whole robots that carry the weights. They are the small robot on plastic feet with
// servos at its joints, and the CB-like robot in shoes with balance control. Their feet are pulled
// at the soles, and the load is the force on the ground at the start of slip.
//
// [Chardonnet 2012], section 5.1, Fig. 9, measures by a dynamometer, fifty times, which pull makes
// a foot of HRP-2 slip under a mass. The mean of f / (m g) is 0.983 for the foot on the floor and
// 0.1 for the hand on the pillar. Here a block is pulled fifty times with each coefficient. As by
// hand, each pull has a direction, a height and a rate of its own, and the dynamometer has noise.
//
// The readings also show the interval of 95 % of each (src/identify), and whether pulls that are
// not quite level and fast are biased.
//
// The pull grows while a body gathers speed. The pull when its speed is large enough to be seen is
// therefore too large: by 13 ms of 800 ms, 1.6 %, for a coefficient of 0.1 and 0.1 mm/s. So the
// reading is that of the start of slip: between the last instant at rest and the first in motion.
#include <heft/io.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "identify/identify.h"

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum {
  LOAD,
  BLOCK_PLASTIC,
  BLOCK_SHOE,
  ROBOT_PLASTIC,
  ROBOT_SHOE,
  FIT_PLASTIC,
  FIT_SHOE,
  FIT_SMALL,
  FIT_LARGE,
  FOOT_PULLS,
  HAND_PULLS,
  FOOT_MEAN,
  HAND_MEAN,
  CHANNELS
};
static const char* const names[CHANNELS] = {"load [N]; pulls by number",
                                            "block 0.13",
                                            "block 0.45",
                                            "small robot 0.13",
                                            "CB-like robot 0.45",
                                            "fit 0.13",
                                            "fit 0.45",
                                            "fit small",
                                            "fit CB",
                                            "foot on floor",
                                            "hand on pillar",
                                            "source 0.983",
                                            "source 0.1"};

static HeftModel* foot(double mass, double mu) {
  char text[900];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.001'/><worldbody>"
           "<geom type='plane' size='0 0 1' friction='%.9g'/>"
           "<body name='foot' pos='0 0 0.02'><freejoint/>"
           "<geom type='box' size='0.12 0.07 0.02' mass='%.9g' friction='%.9g'/></body>"
           "</worldbody></mujoco>",
           mu, mass, mu);
  return heft_model_load_bytes(&model, text, strlen(text), "foot.xml", &def, NULL) == HEFT_OK
             ? model
             : NULL;
}

typedef struct Slip {
  double load, pull;  ///< at the start of slip [N]
} Slip;

enum { LOADS = 10, LOADS_BRIEF = 4 };  // fewer for robots, and in the short form

// Noise of the sensor: two thirds of the resolution of the plates of [Moraud 2008] [N].
static const double noise = 0.7;

// A pull with the noise of the sensor.
static double felt(const Lab* lab, double pull, int number) {
  HeftForceSensor sensor = heft_force_sensor_default();
  sensor.noise[0] = noise;
  sensor.seed = lab->seed + 1;
  double raw[6];
  const HeftSpatial w = {{0, 0, 0}, {pull, 0, 0}};
  heft_force_sensor_read(&sensor, heft_quat_identity(), w, (uint64_t)number, raw);
  return raw[0];
}

// ---- with a block

// The start of slip: the pull halfway between the last step at rest and the next one.
typedef struct Start {
  double rest, pull; /**< of the last step at rest, at the start of slip [N] */
  int moves;
} Start;

static const double still = 1e-6;  // speed of what is at rest [m/s]

static void start_note(Start* s, double pull, double speed) {
  if (speed <= still) {
    s->rest = pull;
    s->moves = 0;
  } else if (!s->moves) {
    s->moves = 1;
    s->pull = 0.5 * (s->rest + pull);
  }
}

// Pulls the foot near its sole with increasing force until it moves. Returns the force.
static double pull_until(Lab* lab, double mass, double mu, int number) {
  lab->model = foot(mass, mu);
  if (!lab->model || heft_world_create(&lab->world, lab->model, &lab->def, NULL) != HEFT_OK)
    return 0;
  Start start = {0};
  const double rate = 2 * mu * mass * 9.81;  // slips after half a second
  for (int i = 0; i < 2000 && !start.moves; ++i) {
    const double pull = rate * lab_time(lab);
    const HeftVec3 at = heft_vec3(heft_world_state(lab->world)->q[0], 0, 0);
    heft_world_apply_wrench(lab->world, 1, at, heft_vec3(pull, 0, 0), heft_vec3(0, 0, 0));
    lab_step_alone(lab);
    start_note(&start, pull, fabs(heft_world_state(lab->world)->v[0]));
  }
  lab_close(lab);
  return felt(lab, start.pull, number);
}

// ---- with a robot

typedef struct Robot {
  const char* file;
  const LabAngle* pose;
  int balances;  ///< 1: balance control, 0: servos hold the joints
} Robot;

// Replaces every coefficient of friction in the text of a robot and its floor.
static char* with_friction(Lab* lab, const char* file, double mu) {
  static const char mark[] = "friction=\"";
  char* text = lab_read(lab, file);
  char* out = text ? calloc(strlen(text) + 2000, 1) : NULL;
  char* end = out;
  for (const char* at = text; out && *at;) {
    if (strncmp(at, mark, strlen(mark)) != 0) {
      *end++ = *at++;
      continue;
    }
    end += snprintf(end, 40, "%s%.9g", mark, mu);
    at = strchr(at + strlen(mark), '"');
  }
  free(text);
  return out;
}

static char* robot_with(Lab* lab, const char* file, double mu) {
  static const char mark[] = "<worldbody>\n";
  char* text = with_friction(lab, file, mu);
  char* found = text ? strstr(text, mark) : NULL;
  char floor[100];
  if (!found) {
    free(text);
    return NULL;
  }
  const int length =
      snprintf(floor, sizeof floor, "<geom type='plane' size='0 0 1' friction='%.9g'/>\n", mu);
  found += strlen(mark);  // with_friction() has left room
  memmove(found + length, found, strlen(found) + 1);
  memcpy(found, floor, (size_t)length);
  return text;
}

static double sole_speed(Lab* lab, int foot) {
  const HeftState* s = heft_world_state(lab->world);
  heft_dynamics_kinematics(lab->sketch, s->q);
  heft_dynamics_velocities(lab->sketch, s->v);
  const HeftVec3 at = heft_dynamics_body_pose(lab->sketch, foot).pos;
  return heft_dynamics_body_velocity(lab->sketch, foot, heft_vec3(at.x, at.y, 0)).lin.x;
}

static const double settle = 0.4;  // time before the pull [s]

// Loads the pelvis with a weight [kg], which grows at first, and pulls both feet forward.
static void load_and_pull(Lab* lab, double weight, double pull) {
  static const char* const feet[2] = {"left_foot", "right_foot"};
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftVec3 none = {0, 0, 0};
  const int pelvis = lab->model->joint_body[0];
  const double in = fmin(1, lab_time(lab) / (0.5 * settle));
  heft_world_apply_wrench(lab->world, pelvis, heft_dynamics_body_pose(d, pelvis).pos,
                          heft_vec3(0, 0, -in * weight * lab->gravity), none);
  for (int k = 0; k < 2; ++k) {
    const int foot = lab_body(lab, feet[k]);
    const HeftVec3 sole = heft_dynamics_body_pose(d, foot).pos;
    heft_world_apply_wrench(lab->world, foot, heft_vec3(sole.x, sole.y, 0),
                            heft_vec3(0.5 * pull, 0, 0), none);
  }
}

static double soles_speed(Lab* lab) {
  return fmax(sole_speed(lab, lab_body(lab, "left_foot")),
              sole_speed(lab, lab_body(lab, "right_foot")));
}

static const double seen = 1e-3;  // speed at which a sole has slipped [m/s]

// ---- the act

typedef struct Pulled {
  double mu, weight;           ///< options
  double pull, load, slip_at;  ///< values [N]
} Pulled;

static const HeftOption options[] = {
    ACT_OPTION(Pulled, mu, 0.05, 1, 0.13, "", "coefficient of friction; from the next start"),
    ACT_OPTION(Pulled, weight, 0, 10, 5, "kg", "weight at the pelvis")};
static const HeftOption values[] = {ACT_VALUE(Pulled, pull, "N", "force that pulls the feet"),
                                    ACT_VALUE(Pulled, load, "N", "force on the ground"),
                                    ACT_VALUE(Pulled, slip_at, "N", "pull at which they slipped")};

static int begin(Lab* lab, void* self) {
  const Pulled* p = self;
  for (int i = 0; i < lab->model->nmaterial; ++i) {
    HeftMaterial material = heft_world_material(lab->world, i);
    material.friction = material.kinetic = p->mu;
    if (heft_world_set_material(lab->world, i, &material, NULL) != HEFT_OK) return 0;
  }
  return lab->biped != NULL;
}

static void control(Lab* lab, void* self) {
  Pulled* p = self;
  const double rate = 2 * p->mu * (lab_weight(lab) + p->weight * lab->gravity);
  p->pull = p->slip_at > 0 ? 0 : rate * fmax(0, lab_time(lab) - settle);
  load_and_pull(lab, p->weight, p->pull);
  lab_servo(lab, 12, 0.5);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Pulled* p = self;
  (void)report;
  p->load = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
  if (p->pull > 0 && soles_speed(lab) > seen) p->slip_at = p->pull;
}

const Act act_friction = {.name = "friction",
                          .text = "the feet of the small robot are pulled until they slip",
                          .file = "hoap_like.xml",
                          .pose = pose_small,
                          .size = sizeof(Pulled),
                          .options = {options, 2},
                          .values = {values, 3},
                          .begin = begin,
                          .control = control,
                          .observe = observe};

// A robot with a weight [kg] at its pelvis comes to rest, then its feet are pulled forward with
// increasing force. Returns pull and load when one of the feet slips.
static Slip pull_robot(Lab* lab, const char* text, const Robot* robot, double weight, double mu,
                       int number) {
  Slip out = {0, 0};
  if (!lab_open_text(lab, text, robot->pose)) return out;
  const double rate = 2 * mu * (lab_weight(lab) + weight * lab->gravity);
  Start start = {0};
  double load = 0;
  for (int i = 0; i < 2000 && lab_upright(lab); ++i) {
    const double pull = rate * fmax(0, lab_time(lab) - settle);
    load_and_pull(lab, weight, pull);
    if (robot->balances)
      lab_step(lab);
    else
      lab_step_servo(lab, 12, 0.5);
    if (i == 890 && number == 100 * ROBOT_PLASTIC + LOADS - 1) lab_instant(lab);
    const double speed = soles_speed(lab);
    start_note(&start, pull, speed);
    if (!start.moves) load = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
    if (pull > 0 && speed > seen) break;
  }
  out.load = load;
  out.pull = felt(lab, start.pull, number);
  return out;
}

// ---- the line

static void claim_line(Lab* lab, int channel, const char* what, const char* where, double mu,
                       const Slip* s, int count) {
  char claim[LAB_TEXT];
  double load[LOADS], pull[LOADS], sy = 0, syy = 0, left = 0;
  for (int i = 0; i < count; ++i) {
    load[i] = s[i].load;
    pull[i] = s[i].pull;
    sy += s[i].pull;
    syy += s[i].pull * s[i].pull;
    double row[CHANNELS];
    for (int k = 0; k < CHANNELS; ++k) row[k] = (double)NAN;
    row[LOAD] = s[i].load;
    row[channel] = s[i].pull;
    lab_log(lab, row);
  }
  HeftEstimate found = {0}, none;
  const HeftPulls pulls = {.load = load, .pull = pull, .count = count};
  if (heft_identify_pulls(&pulls, &found, &none, NULL) != HEFT_OK) return;
  const double slope = found.value;
  for (int i = 0; i < 2; ++i) {  // the line of the fit, from zero to the largest load
    double row[CHANNELS];
    for (int k = 0; k < CHANNELS; ++k) row[k] = (double)NAN;
    row[LOAD] = i * s[count - 1].load;
    row[channel + FIT_PLASTIC - BLOCK_PLASTIC] = slope * row[LOAD];
    lab_log(lab, row);
  }
  for (int i = 0; i < count; ++i)
    left += (s[i].pull - slope * s[i].load) * (s[i].pull - slope * s[i].load);
  const double r2 = 1 - left / (syy - sy * sy / count);
  snprintf(claim, sizeof claim, "%s: the interval from pulling contains %.2f", what, mu);
  lab_claim(lab, found.low <= mu && mu <= found.high && r2 > 0.95, claim, where,
            "%.4f (%.4f to %.4f), r² = %.2f %%", slope, found.low, found.high, 100 * r2);
}

static void with_block(Lab* lab, int channel, double mu, const char* what, const char* where) {
  Slip s[LOADS];
  for (int i = 0; i < LOADS; ++i) {
    const double mass = 2 + 2.0 * i;
    s[i] = (Slip){mass * 9.81, pull_until(lab, mass, mu, 10 * channel + i)};
  }
  claim_line(lab, channel, what, where, mu, s, LOADS);
}

// max: the heaviest weight [kg].
static void with_robot(Lab* lab, int channel, const Robot* robot, double mu, double max,
                       const char* what, const char* where) {
  const int count = lab_brief(lab) ? LOADS_BRIEF : LOADS;
  Slip s[LOADS];
  char* text = robot_with(lab, robot->file, mu);
  for (int i = 0; i < count && text; ++i)
    s[i] = pull_robot(lab, text, robot, max * i / (count - 1), mu, 100 * channel + i);
  if (text) claim_line(lab, channel, what, where, mu, s, count);
  free(text);
}

// ---- fifty pulls

enum { PULLS = 50 };

// A number of a pull, -1 to 1, the same in every run.
static double vary(int number, int what) {
  const uint64_t key[2] = {(uint64_t)number, (uint64_t)what};
  return 2 * (double)(heft_hash(key, sizeof key, 0) >> 11) * 0x1p-53 - 1;
}

// One pull by hand: up to 3 degrees off the plane, up to 30 mm high, slipping after 0.4 to 1.2 s.
static double pull_by_hand(Lab* lab, double mass, double mu, int number) {
  lab_close(lab);
  lab->model = foot(mass, mu);
  if (!lab->model || heft_world_create(&lab->world, lab->model, &lab->def, NULL) != HEFT_OK)
    return 0;
  const double weight = mass * 9.81, rate = mu * weight / (0.8 + 0.4 * vary(number, 0));
  const double rise = 3 * HEFT_PI / 180 * vary(number, 1), turn = HEFT_PI * vary(number, 2);
  const double high = 0.015 * (1 + vary(number, 3));
  Start start = {0};
  for (int i = 0; i < 4000 && !start.moves; ++i) {
    const double pull = rate * lab_time(lab);
    const double* q = heft_world_state(lab->world)->q;
    const double *v = heft_world_state(lab->world)->v, along = pull * heft_cos(rise);
    heft_world_apply_wrench(
        lab->world, 1, heft_vec3(q[0], q[1], high),
        heft_vec3(along * heft_cos(turn), along * heft_sin(turn), pull * heft_sin(rise)),
        heft_vec3(0, 0, 0));
    lab_step_alone(lab);
    start_note(&start, pull, hypot(v[0], v[1]));
  }
  lab_close(lab);
  return felt(lab, start.pull, 1000 + number);
}

// Mean and scatter of fifty pulls under a mass [kg].
static void fifty_pulls(Lab* lab, int channel, const char* what, double mu, double mass) {
  const int count = PULLS;
  double load[PULLS], pull[PULLS];
  char claim[LAB_TEXT];
  for (int i = 0; i < count; ++i) {
    double row[CHANNELS];
    for (int k = 0; k < CHANNELS; ++k) row[k] = (double)NAN;
    load[i] = mass * 9.81;
    pull[i] = pull_by_hand(lab, mass, mu, channel * PULLS + i);
    row[LOAD] = i + 1;
    row[channel] = pull[i] / load[i];
    row[channel + FOOT_MEAN - FOOT_PULLS] = mu;
    lab_log(lab, row);
  }
  HeftEstimate found, none;
  const HeftPulls pulls = {.load = load, .pull = pull, .count = count, .proportional = true};
  if (heft_identify_pulls(&pulls, &found, &none, NULL) != HEFT_OK) return;
  snprintf(claim, sizeof claim, "%s: the interval from fifty pulls contains %.3g", what, mu);
  lab_claim(lab, found.low <= mu && mu <= found.high && fabs(found.value - mu) < 0.02 * mu, claim,
            "[Chardonnet 2012], 5.1, Fig. 9", "%.4f (%.4f to %.4f), scatter %.1f %%", found.value,
            found.low, found.high, 100 * found.error * sqrt(count) / found.value);
}

void experiment_friction(Lab* lab) {
  static const char* const where[2] = {"[Moraud 2008], V-C: r² = 95.83 %",
                                       "[Moraud 2008], V-C: r² = 99.25 %"};
  static const Robot small = {"hoap_like_robot.xml", pose_small, 0},
                     large = {"cb_like_robot.xml", pose_half_sitting, 1};
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "block: pull at which it slips, against the load", "N",
            (const char*[]){names[BLOCK_PLASTIC], names[BLOCK_SHOE], names[FIT_PLASTIC],
                            names[FIT_SHOE], NULL});
  lab_panel_dots(lab);
  lab_panel(lab, "robots: pull at which they slip, against the load", "N",
            (const char*[]){names[ROBOT_PLASTIC], names[ROBOT_SHOE], names[FIT_SMALL],
                            names[FIT_LARGE], NULL});
  lab_panel_dots(lab);
  lab_panel(lab, "Fig. 9: fifty pulls of a foot, by number", "f / m g",
            (const char*[]){names[FOOT_PULLS], names[FOOT_MEAN], NULL});
  lab_panel_dots(lab);
  lab_panel(lab, "fifty pulls of a hand, by number", "f / m g",
            (const char*[]){names[HAND_PULLS], names[HAND_MEAN], NULL});
  lab_panel_dots(lab);
  with_block(lab, BLOCK_PLASTIC, 0.13, "plastic feet", where[0]);
  with_block(lab, BLOCK_SHOE, 0.45, "soles of robot shoes", where[1]);
  with_robot(lab, ROBOT_PLASTIC, &small, 0.13, 10, "small robot, plastic feet", where[0]);
  with_robot(lab, ROBOT_SHOE, &large, 0.45, 40, "CB-like robot in shoes", where[1]);
  fifty_pulls(lab, FOOT_PULLS, "foot on the floor", 0.983, 15);
  fifty_pulls(lab, HAND_PULLS, "hand on the pillar", 0.1, 15);
  lab->success = lab->failed == 0;
  lab_claim_certificate(lab);
}
