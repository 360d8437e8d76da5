// SPDX-License-Identifier: Apache-2.0
// Devices of Force Dimension (omega, delta, sigma, lambda) through their library, libdhd.
//
// Its axes: x towards the person, y to the right, z up.
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/shared_library.h"

typedef struct Dhd {
  void* library;
  struct {
    int (*open)(void);
    int (*close)(char id);
    int (*position)(double* x, double* y, double* z, char id);
    int (*velocity)(double* x, double* y, double* z, char id);
    int (*rotation)(double matrix[3][3], char id);
    int (*force)(double x, double y, double z, char id);
    int (*wrench)(double x, double y, double z, double tx, double ty, double tz, char id);
    int (*button)(int index, char id);
    int (*enable)(unsigned char on, char id);
    const char* (*name)(char id);
  } dhd;
  char id;
  uint64_t number;
} Dhd;

#define SYMBOL(name, field, optional) \
  { name, offsetof(Dhd, dhd.field) - offsetof(Dhd, dhd), optional }
static const Symbol symbols[] = {
    SYMBOL("dhdOpen", open, 0),
    SYMBOL("dhdClose", close, 0),
    SYMBOL("dhdGetPosition", position, 0),
    SYMBOL("dhdGetLinearVelocity", velocity, 0),
    SYMBOL("dhdGetOrientationFrame", rotation, 1),
    SYMBOL("dhdSetForce", force, 0),
    SYMBOL("dhdSetForceAndTorque", wrench, 1),
    SYMBOL("dhdGetButton", button, 1),
    SYMBOL("dhdEnableForce", enable, 1),
    SYMBOL("dhdGetSystemName", name, 1),
};

static HeftVec3 from_theirs(double x, double y, double z) { return heft_vec3(y, -x, z); }
static HeftVec3 to_theirs(HeftVec3 v) { return heft_vec3(-v.y, v.x, v.z); }

static HeftStatus dhd_open(void* self, const char* address, HeftError* error) {
  static const char* const names[] = {"libdhd.so.3", "libdhd.so", NULL};
  Dhd* d = self;
  d->library = shared_open(address, names, "the Force Dimension SDK", symbols,
                           (int)(sizeof symbols / sizeof *symbols), &d->dhd, error);
  if (!d->library) return HEFT_ERR_FILE;
  const int id = d->dhd.open();
  if (id < 0) {
    shared_close(d->library);
    return heft_error_set(error, HEFT_ERR_FILE, "no Force Dimension device answers");
  }
  d->id = (char)id;
  if (d->dhd.enable) d->dhd.enable(1, d->id);
  return HEFT_OK;
}

static void dhd_close(void* self) {
  Dhd* d = self;
  d->dhd.force(0, 0, 0, d->id);
  d->dhd.close(d->id);
  shared_close(d->library);
}

static void dhd_info(void* self, HeftDeviceInfo* info) {
  Dhd* d = self;
  heft_emulator_device("omega", info);  // figures of the omega.3: the smallest of all
  const char* name = d->dhd.name ? d->dhd.name(d->id) : NULL;
  if (!name) name = "Force Dimension";
  memset(info->name, 0, sizeof info->name);
  for (size_t i = 0; i + 1 < sizeof info->name && name[i]; ++i) info->name[i] = name[i];
  info->axes_sensed = d->dhd.rotation ? 6 : 3;
  info->axes_driven = d->dhd.wrench ? 6 : 3;
}

// Their frame in ours: the same change of axes before and after.
static HeftQuat rotation_of(Dhd* d) {
  double m[3][3];
  if (!d->dhd.rotation || d->dhd.rotation(m, d->id) < 0) return heft_quat_identity();
  HeftVec3 column[3];
  for (int j = 0; j < 3; ++j) column[j] = from_theirs(m[0][j], m[1][j], m[2][j]);
  const HeftMat3 r = heft_mat3_from_columns(column[1], heft_vec3_neg(column[0]), column[2]);
  return heft_quat_from_mat3(r);
}

static HeftDeviceRead dhd_read(void* self, uint64_t now_ns, HeftDeviceSample* s) {
  Dhd* d = self;
  double x, y, z;
  *s = (HeftDeviceSample){.time_ns = now_ns, .number = ++d->number};
  if (d->dhd.position(&x, &y, &z, d->id) < 0) return HEFT_DEVICE_LOST;
  s->pos = from_theirs(x, y, z);
  if (d->dhd.velocity(&x, &y, &z, d->id) < 0) return HEFT_DEVICE_LOST;
  s->vel = from_theirs(x, y, z);
  s->rot = rotation_of(d);
  if (d->dhd.button) s->buttons = d->dhd.button(0, d->id) > 0;
  return HEFT_DEVICE_FRESH;
}

static bool dhd_write(void* self, uint64_t now_ns, const HeftDeviceForce* f) {
  Dhd* d = self;
  const HeftVec3 force = to_theirs(f->force), torque = to_theirs(f->torque);
  (void)now_ns;
  if (d->dhd.wrench)
    return d->dhd.wrench(force.x, force.y, force.z, torque.x, torque.y, torque.z, d->id) >= 0;
  return d->dhd.force(force.x, force.y, force.z, d->id) >= 0;
}

const HeftDriver heft_driver_force_dimension = {
    .name = "dhd",
    .text = "omega, delta, sigma and lambda of Force Dimension, through their SDK",
    .address = "path of the library, libdhd.so.3",
    .size = sizeof(Dhd),
    .open = dhd_open,
    .close = dhd_close,
    .info = dhd_info,
    .read = dhd_read,
    .write = dhd_write,
};
