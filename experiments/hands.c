// SPDX-License-Identifier: Apache-2.0
#include "experiments/hands.h"

#include <math.h>
#include <stdio.h>

static const double least_way = 0.3, least_lift = 0.03;

// The least share of a way that the object went; 0 if the person did not come to all of them.
static double least_share(const Person* p) {
  double least = 1;
  for (int i = 0; i < p->ways; ++i) least = fmin(least, p->share[i]);
  return p->ways > 0 ? least : 0;
}

// 1 if the robot holds the object, and nothing else carries it.
static int held(const Lab* lab, int object) {
  const HeftModel* m = lab->model;
  double press = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != object && c.body_b != object) continue;
    if (lab_root(lab, c.body_a == object ? c.body_b : c.body_a) != m->joint_body[0]) return 0;
    press += fabs(heft_vec3_dot(c.force, c.normal));
  }
  return press > 0.5 * m->body_mass[object] * lab->gravity;
}

int hands_run(Lab* lab, const char* task, uint64_t seed, int stiff, Hands* out) {
  InteractiveKind kind = *interactive_find(task);
  InteractiveScene m = {.stiff = stiff};
  Encounter e = {0};
  Person p = person_make(person_plan(task), seed);
  *out = (Hands){0};
  kind.way_count[0] = 0;
  if (!interactive_open(&m, &kind, lab)) return 0;
  const int object = lab_body(lab, p.plan->object);
  lab_camera(lab, -50, 12, 2.5, heft_vec3(0.4, 0, 0.75));
  const int q = lab->model->joint_q[lab->model->body_joint[object]];
  const double start = heft_world_state(lab->world)->q[q + 2];
  const int well = encounter_open(&e, &m);
  while (well && !p.done && lab_time(lab) < p.plan->longest && lab_upright(lab)) {
    person_act(&p, &e, &m);
    encounter_step(&e, &m);
    if (lab->picture) lab->picture(lab, lab->user);
  }
  const HeftVec3 at = heft_vec3_from(heft_world_state(lab->world)->q + q);
  out->lifted = at.z - start;
  out->upright = lab_upright(lab);
  out->task = m.data->task;
  out->least = least_share(&p);
  const int done = p.done && p.at >= p.plan->count;
  out->success = well && out->upright && done && held(lab, object) && out->lifted > least_lift &&
                 out->least > least_way;
  encounter_close(&e);
  interactive_close(&m);
  return well;
}
