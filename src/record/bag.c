// SPDX-License-Identifier: Apache-2.0
// A message is four bytes that name the encoding (CDR, little-endian), then its fields one after
// the other (OMG DDSI-RTPS 2.3, 10.2; Common Data Representation). A number lies at a multiple of
// its size, counted behind these four bytes. A text is its length with the final zero, as 32 bits,
// and its bytes; a sequence is its length and its elements.
#include "record/bag.h"

#include <stdio.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "model/joint_kind.h"
#include "record/bytes_out.h"
#include "record/mcap.h"

#define PART                                                                             \
  "\n================================================================================\n" \
  "MSG: "
#define TIME PART "builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
#define HEADER PART "std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id" TIME

static const char clock_text[] = "builtin_interfaces/Time clock" TIME;
static const char joints_text[] =
    "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
    "float64[] effort" HEADER;
static const char frames_text[] =
    "geometry_msgs/TransformStamped[] transforms" PART
    "geometry_msgs/TransformStamped\nstd_msgs/Header header\nstring child_frame_id\n"
    "geometry_msgs/Transform transform" PART
    "geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\n"
    "geometry_msgs/Quaternion rotation" PART
    "geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z" PART
    "geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w" HEADER;

struct HeftBag {
  HeftAllocator allocator;
  const HeftModel* model;
  HeftMcap* mcap;
  HeftBytes message;
  int clock, joints, frames;  // channels
};

// ---- CDR

enum { ENCAPSULATION = 4, ROOM = 40 };

static void put_number(HeftBytes* b, uint64_t bits, size_t size) {
  unsigned char x[16] = {0};
  const size_t over = (b->size - ENCAPSULATION) % size, gap = over > 0 ? size - over : 0;
  bytes_put(x + gap, bits, (int)size);
  bytes_out_put(b, x, gap + size);
}

static void put_double(HeftBytes* b, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  put_number(b, bits, 8);
}

static void put_text(HeftBytes* b, const char* text) {
  put_number(b, strlen(text) + 1, 4);
  bytes_out_put(b, text, strlen(text) + 1);
}

static void put_time(HeftBytes* b, uint64_t time) {
  put_number(b, time / 1000000000u, 4);
  put_number(b, time % 1000000000u, 4);
}

static void put_header(HeftBytes* b, uint64_t time, const char* frame) {
  put_time(b, time);
  put_text(b, frame);
}

static HeftBytes* begin(HeftBag* bag) {
  static const unsigned char little_endian[ENCAPSULATION] = {0, 1, 0, 0};
  bag->message.size = 0;
  bytes_out_put(&bag->message, little_endian, ENCAPSULATION);
  return &bag->message;
}

static void send(HeftBag* bag, int channel, uint64_t time) {
  heft_mcap_message(bag->mcap, channel, time, bag->message.bytes, bag->message.size);
}

// ---- messages

// The name of a body or a joint, or its kind and number.
static const char* name_of(const HeftModel* m, HeftNamed kind, const char* word, int i,
                           char* room) {
  const char* name = heft_model_name(m, kind, i);
  if (*name) return name;
  snprintf(room, ROOM, "%s %d", word, i);
  return room;
}

static void send_joints(HeftBag* bag, const HeftState* s, uint64_t time) {
  const HeftModel* m = bag->model;
  HeftBytes* b = begin(bag);
  char room[ROOM];
  uint64_t count = 0;
  for (int j = 0; j < m->njoint; ++j) count += joint_is_scalar(m->joint_type[j]) != 0;
  put_header(b, time, "");
  put_number(b, count, 4);
  for (int j = 0; j < m->njoint; ++j)
    if (joint_is_scalar(m->joint_type[j]))
      put_text(b, name_of(m, HEFT_NAMED_JOINT, "joint", j, room));
  put_number(b, count, 4);
  for (int j = 0; j < m->njoint; ++j)
    if (joint_is_scalar(m->joint_type[j])) put_double(b, s->q[m->joint_q[j]]);
  put_number(b, count, 4);
  for (int j = 0; j < m->njoint; ++j)
    if (joint_is_scalar(m->joint_type[j])) put_double(b, s->v[m->joint_dof[j]]);
  put_number(b, 0, 4);  // no efforts
  send(bag, bag->joints, time);
}

static void send_frames(HeftBag* bag, const HeftWorld* w, uint64_t time) {
  const HeftModel* m = bag->model;
  const HeftDynamics* d = heft_world_dynamics(w);
  HeftBytes* b = begin(bag);
  char room[ROOM];
  put_number(b, (uint64_t)m->nbody - 1, 4);
  for (int i = 1; i < m->nbody; ++i) {
    const HeftPose pose = heft_dynamics_body_pose(d, i);
    const HeftQuat turn = heft_quat_from_mat3(pose.rot);
    const double numbers[7] = {pose.pos.x, pose.pos.y, pose.pos.z, turn.x, turn.y, turn.z, turn.w};
    put_header(b, time, "world");
    put_text(b, name_of(m, HEFT_NAMED_BODY, "body", i, room));
    for (int k = 0; k < 7; ++k) put_double(b, numbers[k]);
  }
  send(bag, bag->frames, time);
}

void heft_bag_write(HeftBag* bag, const HeftWorld* world) {
  HEFT_REQUIRE_VOID(bag && world && heft_world_model(world) == bag->model);
  const HeftState* s = heft_world_state(world);
  const uint64_t time = (uint64_t)(*s->time * 1e9 + 0.5);
  put_time(begin(bag), time);
  send(bag, bag->clock, time);
  send_joints(bag, s, time);
  send_frames(bag, world, time);
}

// ---- the file

HeftStatus heft_bag_open(HeftBag** out, const char* path, const HeftModel* model,
                         HeftError* error) {
  HEFT_REQUIRE(out && path && model, HEFT_ERR_ARGUMENT);
  const HeftAllocator a = heft_allocator_default();
  *out = NULL;
  HeftBag* bag = a.allocate(a.user, sizeof *bag, 64);
  if (!bag) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the bag");
  *bag = (HeftBag){.allocator = a, .model = model};
  bag->message.allocator = &bag->allocator;
  bag->mcap = heft_mcap_open(path, HEFT_MCAP_ROS2, "heft", &bag->allocator);
  if (!bag->mcap) {
    heft_bag_close(bag);
    return heft_error_set(error, HEFT_ERR_FILE, "cannot write '%.300s'", path);
  }
  bag->clock = heft_mcap_channel(bag->mcap, "/clock", "rosgraph_msgs/msg/Clock", clock_text);
  bag->joints =
      heft_mcap_channel(bag->mcap, "/joint_states", "sensor_msgs/msg/JointState", joints_text);
  bag->frames = heft_mcap_channel(bag->mcap, "/tf", "tf2_msgs/msg/TFMessage", frames_text);
  *out = bag;
  return HEFT_OK;
}

HeftStatus heft_bag_close(HeftBag* bag) {
  if (!bag) return HEFT_OK;
  const HeftAllocator a = bag->allocator;
  const int failed = bag->message.failed;
  const int whole = bag->mcap && heft_mcap_close(bag->mcap) && !failed;
  bytes_out_free(&bag->message);
  a.release(a.user, bag, sizeof *bag);
  return whole ? HEFT_OK : HEFT_ERR_FILE;
}
