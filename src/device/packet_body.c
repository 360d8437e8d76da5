// SPDX-License-Identifier: Apache-2.0
// Bodies of packets: numbers little-endian, one after the other.
#include "device/packet_body.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "math/vec3_limit.h"

enum { NAME = 32 };

// ---- vectors

static unsigned char* put_vec3(unsigned char* at, HeftVec3 v) {
  return bytes_put_double(bytes_put_double(bytes_put_double(at, v.x), v.y), v.z);
}

static HeftVec3 get_vec3(const unsigned char** at) {
  HeftVec3 v;
  v.x = bytes_get_double(at);
  v.y = bytes_get_double(at);
  v.z = bytes_get_double(at);
  return v;
}

// ---- bodies

void packet_put_state(unsigned char* at, const HeftDeviceSample* s) {
  at = bytes_put(at, s->time_ns, 8);
  at = put_vec3(at, s->pos);
  at = bytes_put_double(at, s->rot.w);
  at = put_vec3(at, heft_vec3(s->rot.x, s->rot.y, s->rot.z));
  at = put_vec3(at, s->vel);
  at = put_vec3(at, s->spin);
  at = bytes_put(at, s->buttons, 8);
  bytes_put_double(at, s->grip);
}

int packet_get_state(const unsigned char* at, HeftDeviceSample* s) {
  s->time_ns = bytes_get(&at, 8);
  s->pos = get_vec3(&at);
  s->rot.w = bytes_get_double(&at);
  const HeftVec3 xyz = get_vec3(&at);
  s->rot = heft_quat(s->rot.w, xyz.x, xyz.y, xyz.z);
  s->vel = get_vec3(&at);
  s->spin = get_vec3(&at);
  s->buttons = (unsigned)bytes_get(&at, 8);
  s->grip = bytes_get_double(&at);
  return vec3_finite(s->pos) && vec3_finite(xyz) && isfinite(s->rot.w) && vec3_finite(s->vel) &&
         vec3_finite(s->spin) && isfinite(s->grip);
}

void packet_put_force(unsigned char* at, uint64_t echo, const HeftDeviceForce* f) {
  at = bytes_put(at, echo, 8);
  at = put_vec3(at, f->force);
  at = put_vec3(at, f->torque);
  bytes_put_double(at, f->grip);
}

int packet_get_force(const unsigned char* at, uint64_t* echo, HeftDeviceForce* f) {
  *echo = bytes_get(&at, 8);
  f->force = get_vec3(&at);
  f->torque = get_vec3(&at);
  f->grip = bytes_get_double(&at);
  return vec3_finite(f->force) && vec3_finite(f->torque) && isfinite(f->grip);
}

void packet_put_info(unsigned char* at, const HeftDeviceInfo* d) {
  memset(at, 0, NAME);
  for (int i = 0; i < NAME - 1 && d->name[i]; ++i) at[i] = (unsigned char)d->name[i];
  at = bytes_put(at + NAME,
                 (uint64_t)(d->axes_sensed & 255) | (uint64_t)(d->axes_driven & 255) << 8, 8);
  at = put_vec3(put_vec3(at, d->lowest), d->highest);
  const double rest[8] = {d->force_max, d->torque_max, d->speed_max,  d->mass,
                          d->damping,   d->friction,   d->resolution, d->rate};
  for (int i = 0; i < 8; ++i) at = bytes_put_double(at, rest[i]);
}

// Names are printed: anything but plain letters becomes a question mark.
static void get_name(const unsigned char* at, char* name) {
  int i = 0;
  for (; i < NAME - 1 && at[i]; ++i) name[i] = at[i] >= 32 && at[i] < 127 ? (char)at[i] : '?';
  name[i] = '\0';
}

int packet_get_info(const unsigned char* at, HeftDeviceInfo* d) {
  get_name(at, d->name);
  at += NAME;
  const uint64_t axes = bytes_get(&at, 8);
  d->axes_sensed = (int)(axes & 255);
  d->axes_driven = (int)(axes >> 8 & 255);
  d->lowest = get_vec3(&at);
  d->highest = get_vec3(&at);
  double* rest[8] = {&d->force_max, &d->torque_max, &d->speed_max,  &d->mass,
                     &d->damping,   &d->friction,   &d->resolution, &d->rate};
  int good = vec3_finite(d->lowest) && vec3_finite(d->highest);
  for (int i = 0; i < 8; ++i) {
    *rest[i] = bytes_get_double(&at);
    good &= *rest[i] >= 0 && *rest[i] <= 1e6;
  }
  return good;
}
