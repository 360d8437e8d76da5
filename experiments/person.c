// SPDX-License-Identifier: Apache-2.0
#include "experiments/person.h"

#include <math.h>
#include <string.h>

static const double off = 0.03;  // limit of the errors along an axis [m]
static const double touched = 1.5, deeper = 0.05, missed_after = 0.5, longest_pause = 1, rest = 0.3,
                    still_speed = 0.03, still_long = 0.7, least_lead = 0.1;
enum { TRIES = 12 };

// Holds the hand and brings the gripper to the can, closes it, and waits.
#define PERSON_TO_CAN(above)                                                                       \
  {PERSON_HAND, {0, 0, above}, 0.6, 0, 0}, {PERSON_HAND, {0, 0, 0}, 0.6, 0, PERSON_FEELS},         \
      {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0}, {PERSON_GRIP, {0, 0, 0}, 1.3, PERSON_HOLD, 0}, \
      {PERSON_WAY, {0, 0, 0}, 0.4, PERSON_HOLD | PERSON_CLOSE, 0}, {                               \
    PERSON_WAY, {0, 0, 0}, 0.9, PERSON_HOLD, PERSON_LOOKS                                          \
  }

static const PersonStep sofa[] = {PERSON_TO_CAN(0.12),
                                  {PERSON_WAY, {0, 0, 0.1}, 1.2, PERSON_HOLD, 0},
                                  {PERSON_WAY, {0, 0, 0}, 0.6, PERSON_HOLD, 0}};
static const PersonStep carry[] = {PERSON_TO_CAN(0.12),
                                   {PERSON_WAY, {0, 0, 0.1}, 0.5, 0, 0},
                                   {PERSON_OBJECT, {0.01, 0, 0.15}, 0.4, 0, 0},
                                   {PERSON_OBJECT, {0.01, 0, 0.07}, 0.4, 0, PERSON_FEELS},
                                   {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0, 0, 0.08}, 1.2, PERSON_HOLD, 0},
                                   {PERSON_WAY, {-0.08, 0.1, 0.02}, 1.4, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0, 0, 0}, 0.6, PERSON_HOLD, 0}};
static const PersonStep table[] = {{PERSON_OBJECT, {0, 0, 0.15}, 0.5, 0, 0},
                                   {PERSON_OBJECT, {0, 0, 0}, 0.6, 0, PERSON_FEELS},
                                   {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0},
                                   {PERSON_WAY, {-0.08, 0, 0}, 0.8, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0.08, 0, 0}, 0.8, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0, 0.08, 0}, 0.8, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0, -0.08, 0}, 0.8, PERSON_HOLD, 0},
                                   {PERSON_WAY, {0, 0, 0.08}, 0.8, PERSON_HOLD, 0}};
static const PersonStep follow[] = {{PERSON_OBJECT, {0, 0, 0.22}, 0.5, 0, 0},
                                    {PERSON_OBJECT, {0, 0, 0.05}, 0.6, 0, PERSON_FEELS},
                                    {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0},
                                    {PERSON_WAY, {0, 0.25, 0}, 3.3, PERSON_HOLD, 0},
                                    {PERSON_WAY, {-0.2, 0, 0}, 2.4, PERSON_HOLD, 0},
                                    {PERSON_WAY, {0, 0, 0}, 1, PERSON_HOLD, 0}};

static const PersonStep welcome[] = {{PERSON_HAND, {0.03, 0, 0.12}, 0.8, 0, 0},
                                     {PERSON_HAND, {0.03, 0, 0}, 0.6, 0, PERSON_FEELS},
                                     {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0},
                                     {PERSON_SHAKE, {0, 0, 0.05}, 1.6, PERSON_HOLD, PERSON_NODS},
                                     {PERSON_LEAD, {0.34, 0, 0}, 12, PERSON_HOLD, PERSON_STANDS},
                                     {PERSON_WAY, {0, 0, 0.1}, 0.6, 0, 0},
                                     {PERSON_OBJECT, {0, 0, 0.25}, 2, 0, PERSON_LOOKS},
                                     {PERSON_WAY, {0, 0, 0}, 1.5, 0, 0},
                                     {PERSON_OBJECT, {0, 0, 0.2}, 0.5, 0, 0},
                                     {PERSON_OBJECT, {0, 0, 0.05}, 0.8, 0, PERSON_FEELS},
                                     {PERSON_WAY, {0, 0, 0}, 0.3, PERSON_HOLD, 0},
                                     {PERSON_WAY, {0, 0, 0.06}, 1, PERSON_HOLD, 0},
                                     {PERSON_WAY, {-0.25, 0, 0}, 8, PERSON_HOLD, PERSON_STANDS},
                                     {PERSON_WAY, {0, 0.2, 0}, 8, PERSON_HOLD, PERSON_STANDS},
                                     {PERSON_WAY, {0.2, 0, 0}, 7, PERSON_HOLD, PERSON_STANDS},
                                     {PERSON_WAY, {0, 0, 0}, 1, PERSON_HOLD, 0}};

#define PERSON_STEPS(plan) plan, sizeof plan / sizeof *plan
static const PersonPlan plans[] = {
    {"sofa", "can", PERSON_STEPS(sofa), {0.01, 0.01, 0}, 3, 40},
    {"carry", "can", PERSON_STEPS(carry), {0.005, 0.005, 0}, 3, 40},
    {"table", "bar", PERSON_STEPS(table), {0, 0.1, 0}, 3, 40},
    {"follow", "box", PERSON_STEPS(follow), {0.04, 0.06, 0}, 3, 40},
    {"welcome", "box", PERSON_STEPS(welcome), {0.03, 0.06, 0}, 20, 120}};

const char* person_task(int index) {
  return index < (int)(sizeof plans / sizeof *plans) ? plans[index].task : NULL;
}

const PersonPlan* person_plan(const char* task) {
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i)
    if (strcmp(plans[i].task, task) == 0) return &plans[i];
  return NULL;
}

// From -1 to 1.
static double chance(Person* p) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return 2 * (double)(p->random >> 11) * 0x1p-53 - 1;
}

static HeftVec3 anywhere(Person* p, double x, double y, double z) {
  const double a = chance(p), b = chance(p), c = chance(p);
  return heft_vec3(x * a, y * b, z * c);
}

Person person_make(const PersonPlan* plan, uint64_t seed) {
  Person p = {.plan = plan, .at = -1};
  p.random = (seed + 1) * 0x9E3779B97F4A7C15u;
  for (int i = 0; i < 8; ++i) chance(&p);
  const double hurry = chance(&p);
  p.speed = hurry > 0 ? 1 + hurry : 1 / (1 - hurry);
  p.choice = anywhere(&p, plan->spread[0], plan->spread[1], plan->spread[2]);
  return p;
}

static HeftVec3 place(const Lab* lab, const char* body) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_BODY, body);
  return heft_dynamics_body_pose(heft_world_dynamics(lab->world), i).pos;
}

// Where the hand goes in a step, as the person sees it when the step begins.
static HeftVec3 target(const Person* p, const Lab* lab, const PersonStep* s) {
  const HeftVec3 to = heft_vec3_add(s->at, p->error);
  if (s->goal == PERSON_HAND) return heft_vec3_add(place(lab, "right_hand"), to);
  if (s->goal == PERSON_OBJECT)
    return heft_vec3_add(place(lab, p->plan->object), heft_vec3_add(to, p->choice));
  if (s->goal == PERSON_WAY || s->goal == PERSON_SHAKE) return heft_vec3_add(p->from, s->at);
  if (s->goal == PERSON_LEAD) {
    const HeftVec3 from = heft_vec3_add(place(lab, "pelvis"), s->at);
    HeftVec3 way = heft_vec3_sub(heft_vec3_add(place(lab, p->plan->object), p->error), from);
    way.z = 0;
    return heft_vec3_add(p->from, way);
  }
  const int grip = heft_model_find(lab->model, HEFT_NAMED_SITE, "right_grip");
  const HeftVec3 at = heft_dynamics_site_pose(heft_world_dynamics(lab->world), grip).pos;
  return heft_vec3_add(p->now, heft_vec3_sub(heft_vec3_add(place(lab, p->plan->object), to), at));
}

static void begin_step(Person* p, const Lab* lab, int at) {
  const int pauses = p->at >= 0 && chance(p) > 0;
  p->at = at;
  p->done = at >= p->plan->count;
  if (p->done) return;
  const PersonStep* s = &p->plan->step[at];
  if (s->goal == PERSON_GRIP || s->goal == PERSON_LEAD ||
      (s->goal != PERSON_WAY && s->goal != PERSON_SHAKE && s->end != PERSON_FEELS))
    p->error = anywhere(p, off, off, off);
  p->begins = lab_time(lab) + (pauses ? longest_pause * (0.5 + 0.5 * chance(p)) : 0);
  p->from = p->now;
  p->to = target(p, lab, s);
  if (s->end == PERSON_FEELS) p->to.z -= deeper;  // on until it touches
  p->still = 0;
  const HeftVec3 way = heft_vec3_sub(p->to, p->from);
  const int leads = s->goal == PERSON_LEAD && heft_vec3_norm(way) > least_lead;
  p->way =
      leads || (s->goal == PERSON_WAY && heft_vec3_norm(s->at) > 0 && (s->buttons & PERSON_HOLD));
  if (!p->way || p->ways == PERSON_WAYS) return;
  p->back[p->ways] = (double)INFINITY;
  p->robot[p->ways] = leads;
  p->along[p->ways++] = leads ? way : s->at;
}

// Ended without a touch: again, from above.
static void again(Person* p, const Lab* lab) {
  if (++p->tries >= TRIES) {
    p->done = 1;
    return;
  }
  p->now = lab->hand[0].pos;
  begin_step(p, lab, p->at > 0 && p->plan->step[p->at].end == PERSON_FEELS ? p->at - 1 : p->at - 2);
}

// 1 if the hand holds nothing, or something that does not move: a table, or a wall.
static int wrong(const Person* p, const Lab* lab) {
  const PersonStep* s = &p->plan->step[p->at];
  if (p->at < 1 || p->plan->step[p->at - 1].end != PERSON_FEELS || !(s->buttons & PERSON_HOLD))
    return 0;
  const int root = lab_root(lab, lab->person[0].body);
  return root <= 0 || lab->model->body_joint_count[root] == 0;
}

// How far the object, or the robot, goes along the last way and the one before, whose end it may
// reach late.
static void compare(Person* p, const Lab* lab) {
  for (int i = p->ways > 1 ? p->ways - 2 : 0; i < p->ways; ++i) {
    const double at =
        heft_vec3_dot(place(lab, p->robot[i] ? "pelvis" : p->plan->object), p->along[i]) /
        heft_vec3_dot(p->along[i], p->along[i]);
    p->back[i] = fmin(p->back[i], at);
    p->share[i] = fmax(p->share[i], at - p->back[i]);
  }
}

// 1 while the robot has not closed its fingers, for at most as long as the person is patient.
static int looks(const Person* p, const InteractiveScene* m, double t) {
  const int state = m->data->task.state;
  return t < p->plan->patience &&
         (state == TASK_APPROACH || state == TASK_GRASP || state == TASK_RELEASE);
}

// 1 while the robot moves, for at most as long as the person is patient.
static int moves(Person* p, const Lab* lab, double t) {
  const double* v = heft_world_state(lab->world)->v;
  const int still = heft_vec3_norm(heft_vec3_from(v)) < still_speed;
  p->still = still ? p->still + lab->model->physics.time_step : 0;
  return t < p->plan->patience && p->still < still_long;
}

// 1 while the person waits for what ends the step.
static int waits(Person* p, const InteractiveScene* m, double t) {
  const PersonStep* s = &p->plan->step[p->at];
  return (s->end == PERSON_LOOKS && looks(p, m, t)) ||
         (s->end == PERSON_STANDS && moves(p, m->lab, t));
}

// The step after one that is over.
static int next(Person* p, const InteractiveScene* m) {
  const PersonStep* s = &p->plan->step[p->at];
  const int unanswered = s->end == PERSON_NODS && m->data->gestures[HEFT_GESTURE_HANDSHAKE] == 0;
  const int refused =
      s->end == PERSON_LOOKS && s->goal == PERSON_OBJECT && m->data->task.state == TASK_GIVE_UP;
  if ((unanswered || refused) && ++p->tries < TRIES) return unanswered ? p->at : 0;
  return p->at + 1;
}

static void watch(Person* p, const InteractiveScene* m) {
  const Lab* lab = m->lab;
  const PersonStep* s = &p->plan->step[p->at];
  const double takes = s->takes / p->speed + (p->way ? rest : 0), t = lab_time(lab) - p->begins;
  const int feels = heft_vec3_norm(lab->hand[0].force) > touched;
  if (s->end == PERSON_FEELS && t > 0 && feels) {
    p->now = lab->hand[0].pos;
    begin_step(p, lab, p->at + 1);
  } else if (s->end == PERSON_FEELS && t > takes + missed_after) {
    again(p, lab);
  } else if (s->end != PERSON_FEELS && t > takes && !waits(p, m, t - takes)) {
    if (wrong(p, lab))
      again(p, lab);
    else
      begin_step(p, lab, next(p, m));
  }
}

void person_act(Person* p, Encounter* e, const InteractiveScene* m) {
  const Lab* lab = m->lab;
  const InteractiveSeat* seat = &m->seat[0];
  HeftEmulator* arm = heft_device_self(e->device[0]);
  if (p->at < 0) {
    p->now = target(p, lab, &p->plan->step[0]);
    p->error = anywhere(p, off, off, off);
    begin_step(p, lab, 0);
    p->begins = m->kind->begins + 0.5 + 0.5 * chance(p);
    p->from.z += 0.1;
  }
  compare(p, lab);
  if (!p->done) watch(p, m);
  if (!p->done) {
    double way[3];
    const PersonStep* s = &p->plan->step[p->at];
    const double t = lab_time(lab) - p->begins, takes = s->takes / p->speed;
    heft_spline_smooth_step(takes > 0 ? t / takes : 1, way);
    if (s->goal == PERSON_SHAKE)
      way[0] = t > 0 && t < takes ? heft_sin(6 * HEFT_PI * t / takes) : 0;
    p->now = heft_vec3_add_scaled(p->from, way[0], heft_vec3_sub(p->to, p->from));
    arm->buttons = s->buttons;
  }
  const HeftVec3 away = heft_vec3_sub(p->now, seat->at);
  arm->intention = heft_vec3_scale(1 / seat->scale, heft_mat3_tmul_vec(seat->axes, away));
}
