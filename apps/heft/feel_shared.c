// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "feel_shared.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int feel_is_shared(const char* path) {
  return strncmp(path, "http://", 7) == 0 || strncmp(path, "https://", 8) == 0;
}

static int failed(const char* message) {
  fprintf(stderr, "heft feel: error: %s\n", message);
  return 0;
}

#ifndef HEFT_HAVE_SERVE

int feel_shared(Users* users, const char* address, double time,
                const volatile sig_atomic_t* ended) {
  (void)users, (void)address, (void)time, (void)ended;
  return failed("shared worlds need libwebsockets, without which this program was built");
}

#else

#include "serve/serve.h"

static void sum_up(const Users* p, const HeftGuest* g) {
  const HeftGuestReport r = heft_guest_report(g);
  HeftServoView view;
  heft_servo_view(p->servo, 0, &view);
  printf(
      "  steps               %llu; %ld corrections, of at most %d steps; %ld waits\n"
      "  hashes              %ld compared with the server, %ld different\n"
      "  %-19s last force %.3f N, largest %.3f N, min of the energy ledger %.1e J\n",
      (unsigned long long)r.present, r.corrections, r.deepest, r.waits, r.compared, r.different,
      heft_device_info(p->device[0]).name, heft_vec3_norm(view.given.force), view.guard.force_peak,
      view.guard.energy_lowest);
}

static int live(Users* p, HeftGuest* g, double time, const volatile sig_atomic_t* ended) {
  const uint64_t end = heft_clock_ns() + (uint64_t)(1e9 * time);
  const struct timespec pause = {0, 500000};
  HeftError error = {0};
  int changed = 0;
  if (heft_servo_start(p->servo, &error) != HEFT_OK) return failed(error.message);
  while (!*ended && changed >= 0 && !(time > 0 && heft_clock_ns() >= end)) {
    HeftProbeInput hand;
    HeftLocalModel felt;
    heft_servo_input(p->servo, 0, &hand);
    changed = heft_guest_turn(g, &hand, &felt);
    if (changed > 0) heft_servo_model(p->servo, 0, &felt);
    nanosleep(&pause, NULL);
  }
  heft_servo_stop(p->servo);
  return changed >= 0 || failed(heft_guest_end(g));
}

int feel_shared(Users* p, const char* address, double time, const volatile sig_atomic_t* ended) {
  HeftGuest* g = NULL;
  HeftError error = {0};
  if (p->count > 1) return failed("a person has one --device in a shared world");
  if (heft_guest_join(&g, address, &error) != HEFT_OK) return failed(error.message);
  int well = users_open(p, "feel", heft_guest_model(g), 1);
  if (well) {
    well = live(p, g, time, ended);
    sum_up(p, g);
  }
  heft_guest_leave(g);
  return well;
}

#endif
