// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "experiments/interactive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const InteractiveKind interactive_carry, interactive_carry_blind, interactive_greet,
    interactive_pebbles, interactive_table, interactive_together;

static const InteractiveKind* const kinds[] = {&interactive_greet,
                                               &interactive_carry,
                                               &interactive_carry_blind,
                                               &interactive_together,
                                               &interactive_table,
                                               &interactive_pebbles,
                                               NULL};

const InteractiveKind* interactive_at(int i) {
  for (int k = 0; kinds[k]; ++k) {
    if (k == i) return kinds[k];
  }
  return NULL;
}

const InteractiveKind* interactive_find(const char* name) {
  for (int i = 0; interactive_at(i); ++i) {
    if (strcmp(interactive_at(i)->name, name) == 0) return interactive_at(i);
  }
  return NULL;
}

int interactive_open(InteractiveScene* m, const InteractiveKind* kind, Lab* lab) {
  m->kind = kind;
  m->lab = lab;
  m->self = calloc(1, kind->size > 0 ? kind->size : 1);
  if (!m->self) return 0;
  for (int i = 0; i < INTERACTIVE_USERS; ++i) {
    m->seat[i] = (InteractiveSeat){.axes = heft_mat3_identity(), .scale = 1};
    m->seat[i].probe = heft_probe_def_default();
  }
  if (kind->open(m)) return 1;
  if (!lab->error[0])
    snprintf(lab->error, sizeof lab->error, "the interactive scene %s cannot be opened",
             kind->name);
  interactive_close(m);
  return 0;
}

void interactive_close(InteractiveScene* m) {
  if (m->self && m->kind->close) m->kind->close(m);
  free(m->self);
  m->self = NULL;
}

// ---- hands

static InteractiveHand hand_of(const HeftDynamics* d, const HeftProbeState* s,
                               const HeftProbeInput* in) {
  InteractiveHand hand = {.pos = in->pos, .present = in->present, .body = s->body};
  if (s->body < 0) return hand;
  hand.point = heft_pose_apply(heft_dynamics_body_pose(d, s->body), s->at.pos);
  hand.force = heft_vec3_neg(s->force);
  return hand;
}

void interactive_let_in(const InteractiveScene* m, HeftProbeInput* inputs) {
  if (lab_time(m->lab) >= m->kind->begins) return;
  for (int i = 0; i < m->kind->users; ++i) inputs[i].present = 0;
}

void interactive_act(InteractiveScene* m, HeftSession* session, const HeftProbeInput* inputs) {
  const HeftDynamics* d = heft_world_dynamics(m->lab->world);
  InteractiveHand hands[INTERACTIVE_USERS] = {{.body = -1}, {.body = -1}};
  for (int i = 0; i < heft_session_probe_count(session) && i < INTERACTIVE_USERS; ++i)
    hands[i] = hand_of(d, heft_probe_state(heft_session_probe(session, i)), &inputs[i]);
  m->kind->act(m, hands, m->lab->model->physics.time_step);
}

HeftMapping interactive_mapping(const InteractiveScene* m, int person) {
  HeftMapping map = heft_mapping_default();
  map.origin = m->seat[person].at;
  map.axes = m->seat[person].axes;
  map.scale = m->seat[person].scale;
  return map;
}

int interactive_hand_text(const InteractiveScene* m, int person, char* out, size_t size) {
  const InteractiveSeat* seat = &m->seat[person];
  int used = snprintf(out, size, "%s:", m->kind->device[person]);
  for (int i = 0; i < m->kind->way_count[person] && used > 0 && (size_t)used < size; ++i) {
    const InteractivePath* w = &m->kind->way[person][i];
    const HeftVec3 away = heft_vec3_sub(heft_vec3_from(w->at), seat->at);
    const HeftVec3 p = heft_vec3_scale(1 / seat->scale, heft_mat3_tmul_vec(seat->axes, away));
    used += snprintf(out + used, size - (size_t)used, "%s%g %.5f %.5f %.5f %d", i > 0 ? "; " : "",
                     w->time, p.x, p.y, p.z, w->buttons);
  }
  return used > 0 && (size_t)used < size;
}

double interactive_led(const HeftCompliance* compliance, const HeftModel* model) {
  double led = 0;
  for (int i = 0; i < model->nv; ++i) led = fmax(led, fabs(heft_compliance_offset(compliance)[i]));
  return led;
}

// ---- with emulated hands

static int invite(Encounter* e, InteractiveScene* m, int person, HeftError* error) {
  char text[INTERACTIVE_TEXT];
  HeftDeviceDef def = heft_device_def_default();
  const HeftMapping map = interactive_mapping(m, person);
  if (!interactive_hand_text(m, person, text, sizeof text)) return 0;
  return heft_device_open(&e->device[person], heft_driver_find("emulated"), text, &def, error) ==
             HEFT_OK &&
         heft_servo_add(e->servo, e->device[person], &map) == person;
}

int encounter_open(Encounter* e, InteractiveScene* m) {
  HeftError error = {0};
  HeftProbeDef probes[INTERACTIVE_USERS];
  for (int i = 0; i < INTERACTIVE_USERS; ++i) probes[i] = m->seat[i].probe;
  e->now_ns = 1000000000u;
  int well = heft_servo_create(&e->servo, NULL, &error) == HEFT_OK;
  for (int i = 0; i < m->kind->users && well; ++i) well = invite(e, m, i, &error);
  if (well)
    well = heft_session_create(&e->session, m->lab->world, m->kind->users, probes, NULL, &error) ==
           HEFT_OK;
  if (!well)
    snprintf(m->lab->error, sizeof m->lab->error, "the emulated users cannot be created: %.500s",
             error.message);
  return well;
}

// CPU time of this thread; other load on the machine does not count.
static double worked_us(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

HeftStepReport encounter_step(Encounter* e, InteractiveScene* m) {
  HeftLocalModel models[INTERACTIVE_USERS];
  const double before = worked_us();
  e->now_ns += (uint64_t)(1e9 * m->lab->model->physics.time_step + 0.5);
  heft_servo_tick(e->servo, e->now_ns);
  for (int i = 0; i < m->kind->users; ++i) heft_servo_input(e->servo, i, &e->input[i]);
  interactive_let_in(m, e->input);
  interactive_act(m, e->session, e->input);
  const HeftStepReport r = heft_session_step(e->session, e->input, 0, models);
  for (int i = 0; i < m->kind->users; ++i) heft_servo_model(e->servo, i, &models[i]);
  e->step_us = worked_us() - before;
  lab_note_step(m->lab, &r);
  for (int i = 0; i < m->kind->users; ++i)
    m->lab->hand[i] = (LabHand){e->input[i].present, e->input[i].pos,
                                heft_probe_state(heft_session_probe(e->session, i))->force};
  return r;
}

void encounter_close(Encounter* e) {
  heft_session_destroy(e->session);
  heft_servo_destroy(e->servo);
  for (int i = 0; i < INTERACTIVE_USERS; ++i) heft_device_close(e->device[i]);
}
