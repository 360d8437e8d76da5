// SPDX-License-Identifier: Apache-2.0
#include "experiments/interactive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const InteractiveKind interactive_sofa, interactive_carry, interactive_follow,
    interactive_greet, interactive_welcome, interactive_pebbles, interactive_table,
    interactive_together;

static const InteractiveKind* const kinds[] = {
    &interactive_greet, &interactive_carry,   &interactive_together,
    &interactive_table, &interactive_follow,  &interactive_pebbles,
    &interactive_sofa,  &interactive_welcome, NULL};

const InteractiveKind* interactive_at(int i) {
  for (int k = 0; kinds[k]; ++k) {
    if (k == i) return kinds[k];
  }
  return NULL;
}

const InteractiveKind* interactive_find(const char* name) {
  for (int i = 0; interactive_at(i); ++i) {
    if (strcmp(interactive_at(i)->act->name, name) == 0) return interactive_at(i);
  }
  return NULL;
}

int interactive_open(InteractiveScene* m, const InteractiveKind* kind, Lab* lab) {
  m->kind = kind;
  m->lab = lab;
  m->data = calloc(1, kind->act->size);
  if (!m->data) return 0;
  m->data->stiff = m->stiff;
  m->data->blind = m->blind;
  if (!act_open(kind->act, lab, m->data)) {
    interactive_close(m);
    return 0;
  }
  for (int i = 0; i < INTERACTIVE_USERS; ++i) {
    m->seat[i] = (InteractiveSeat){.axes = heft_mat3_identity(), .scale = 1};
    m->seat[i].probe = heft_probe_def_default();
  }
  kind->sit(lab, m->data, m->seat);
  return 1;
}

void interactive_close(InteractiveScene* m) {
  free(m->data);
  m->data = NULL;
}

// The emulated device of a user, as `--device emulated:` takes it. 0 if the text does not fit.
static int hand_text(const InteractiveScene* m, int person, char* out, size_t size) {
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

int interactive_seats(const InteractiveKind* kind, const char* folder,
                      InteractiveSeat seat[INTERACTIVE_USERS],
                      char text[INTERACTIVE_USERS][INTERACTIVE_TEXT], char error[LAB_ERROR]) {
  InteractiveScene m = {0};
  Lab* lab = calloc(1, sizeof *lab);
  if (!lab) return 0;
  *lab = lab_make(folder);
  int well = interactive_open(&m, kind, lab);
  memcpy(error, lab->error, sizeof lab->error);
  for (int i = 0; i < kind->users && well; ++i) {
    seat[i] = m.seat[i];
    well = hand_text(&m, i, text[i], INTERACTIVE_TEXT);
  }
  interactive_close(&m);
  lab_release(lab);
  free(lab);
  return well;
}

// ---- hands

HeftMapping interactive_mapping(const InteractiveSeat* seat) {
  HeftMapping map = heft_mapping_default();
  map.origin = seat->at;
  map.axes = seat->axes;
  map.scale = seat->scale;
  return map;
}

HeftUserContact interactive_contact(const Lab* lab, const HeftHand* user, const int* hand) {
  if (!user->present || user->body <= 0) return (HeftUserContact){.body = -1};
  const HeftPose body = heft_dynamics_body_pose(heft_world_dynamics(lab->world), user->body);
  return (HeftUserContact){.body = user->body,
                           .on_hand = hand && (user->body == hand[0] || user->body == hand[1]),
                           .held = (user->buttons & 1u) != 0,
                           .point = heft_pose_apply_inverse(body, user->point),
                           .force = user->force};
}

double interactive_led(const Lab* lab) {
  double led = 0;
  for (int i = 0; i < lab->model->nv; ++i)
    led = fmax(led, fabs(heft_compliance_offset(lab->compliance)[i]));
  return led;
}

// ---- with emulated hands

static int invite(Encounter* e, InteractiveScene* m, int person, HeftError* error) {
  char text[INTERACTIVE_TEXT];
  HeftDeviceDef def = heft_device_def_default();
  const HeftMapping map = interactive_mapping(&m->seat[person]);
  if (!hand_text(m, person, text, sizeof text)) return 0;
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

HeftStepReport encounter_step(Encounter* e, InteractiveScene* m) {
  HeftLocalModel models[INTERACTIVE_USERS];
  const double before = lab_cpu_us();
  e->now_ns += (uint64_t)(1e9 * heft_world_time_step(m->lab->world) + 0.5);
  heft_servo_tick(e->servo, e->now_ns);
  for (int i = 0; i < m->kind->users; ++i) heft_servo_input(e->servo, i, &e->input[i]);
  for (int i = 0; i < m->kind->users; ++i)
    e->input[i].present &= lab_time(m->lab) >= m->kind->begins;
  heft_session_hands(e->session, e->input, m->lab->person);
  m->kind->act->control(m->lab, m->data);
  const HeftStepReport r = heft_session_step(e->session, e->input, 0, models);
  for (int i = 0; i < m->kind->users; ++i) heft_servo_model(e->servo, i, &models[i]);
  e->step_us = lab_cpu_us() - before;
  lab_note_step(m->lab, &r);
  if (m->kind->act->observe) m->kind->act->observe(m->lab, m->data, &r);
  for (int i = 0; i < m->kind->users; ++i)
    m->lab->hand[i] = (LabHand){e->input[i].present, e->input[i].pos,
                                heft_probe_state(heft_session_probe(e->session, i))->force};
  return r;
}

int encounter_create(Encounter* e, InteractiveScene* m, const HeftChange* change) {
  Lab* lab = m->lab;
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftSession* session = NULL;
  HeftError error = {0};
  HeftProbeDef probes[INTERACTIVE_USERS];
  for (int i = 0; i < INTERACTIVE_USERS; ++i) probes[i] = m->seat[i].probe;
  if (heft_model_apply_change(&model, lab->model, change, NULL, &error) != HEFT_OK ||
      heft_world_create(&world, model, &lab->def, &error) != HEFT_OK ||
      heft_world_transfer(world, lab->world, &error) != HEFT_OK ||
      heft_session_create(&session, world, m->kind->users, probes, NULL, &error) != HEFT_OK) {
    heft_world_destroy(world);
    heft_model_destroy(model);
    snprintf(lab->error, sizeof lab->error, "%.500s", error.message);
    return 0;
  }
  for (int i = 0; i < m->kind->users; ++i)
    heft_probe_set_state(heft_session_probe(session, i),
                         heft_probe_state(heft_session_probe(e->session, i)));
  heft_session_destroy(e->session);
  heft_world_destroy(lab->world);
  heft_model_destroy(lab->model);
  e->session = session;
  lab->world = world;
  lab->model = model;
  return 1;
}

void encounter_close(Encounter* e) {
  heft_session_destroy(e->session);
  heft_servo_destroy(e->servo);
  for (int i = 0; i < INTERACTIVE_USERS; ++i) heft_device_close(e->device[i]);
}
