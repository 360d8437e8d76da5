// SPDX-License-Identifier: Apache-2.0
// ROS 2 without ROS: a node is a participant of DDS, the topic /x is "rt/x", a service /x is the
// topics "rq/xRequest" and "rr/xReply" (design.ros2.org/articles/topic_and_service_names.html).
//
// All topics are reliable and volatile, which agrees with readers that want either. A reader that
// is late by more than HISTORY messages loses the oldest; it delays nobody else.
#include "ros2/node.h"

#include <dds/dds.h>
#include <math.h>
#include <messages.h>  // made from messages.idl
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/joint_kind.h"
#include "ros2/commands.h"

enum { HISTORY = 1000, TAKEN = 16, PENDING = 16, NAME = 40, TICK_US = 500 };

typedef builtin_interfaces_msg_dds__Time_ Time;
typedef geometry_msgs_msg_dds__TransformStamped_ Transform;
typedef geometry_msgs_msg_dds__WrenchStamped_ Wrench;
typedef sensor_msgs_msg_dds__JointState_ JointState;
typedef std_msgs_msg_dds__Float64MultiArray_ Numbers;
typedef std_srvs_srv_dds__SetBool_Request_ PauseRequest;
typedef std_srvs_srv_dds__SetBool_Response_ PauseReply;
typedef std_srvs_srv_dds__Trigger_Request_ ResetRequest;
typedef std_srvs_srv_dds__Trigger_Response_ ResetReply;

/// A request that the world has not followed yet.
typedef struct Pending {
  bool pause;       ///< of the service pause, else of reset
  bool paused;      ///< pause: what it asks for
  unsigned resets;  ///< reset: done when so many are
  uint64_t client;  ///< header of the request
  int64_t number;
} Pending;

struct Node {
  Exchange* exchange;
  pthread_t thread;
  dds_entity_t participant, waitset;
  dds_entity_t clock, joints, frames, wrenches, pause_reply, reset_reply;  // writers
  dds_entity_t joint_commands, controls, pause_request, reset_request;     // readers
  char (*names)[NAME];  // of bodies and joints that have none
  char **joint_name, **body_name;
  double* position;  // then velocities
  Transform* transforms;
  Pending pending[PENDING];
  int joint_count, pending_count;
};

// ---- sending

// The generated structs have no const; DDS only reads them.
static char* text(const char* s) { return (char*)s; }

static Time time_of(uint64_t ns) {
  return (Time){(int32_t)(ns / 1000000000u), (uint32_t)(ns % 1000000000u)};
}

static void send(Node* n, dds_entity_t writer, const void* message) {
  if (dds_write(writer, message) != DDS_RETCODE_OK)
    atomic_fetch_add_explicit(&n->exchange->lost, 1, memory_order_relaxed);
}

static void send_joints(Node* n, const Frame* f) {
  const HeftModel* m = n->exchange->model;
  double *position = n->position, *velocity = position + n->joint_count;
  const uint32_t count = (uint32_t)n->joint_count;
  for (int j = 0; j < m->njoint; ++j) {
    if (!joint_is_scalar(m->joint_type[j])) continue;
    *position++ = f->numbers[m->joint_q[j]];
    *velocity++ = f->numbers[m->nq + m->joint_dof[j]];
  }
  const JointState message = {
      .header = {.stamp = time_of(f->time_ns), .frame_id = text("")},
      .name = {._maximum = count, ._length = count, ._buffer = n->joint_name},
      .position = {._maximum = count, ._length = count, ._buffer = n->position},
      .velocity = {._maximum = count, ._length = count, ._buffer = n->position + count}};
  send(n, n->joints, &message);
}

static void send_frames(Node* n, const Frame* f) {
  const HeftModel* m = n->exchange->model;
  const uint32_t count = (uint32_t)m->nbody - 1;
  for (int i = 1; i < m->nbody; ++i) {
    HeftPose pose;
    memcpy(&pose, frame_poses(f, m) + (size_t)POSE_NUMBERS * (size_t)i, sizeof pose);
    const HeftQuat turn = heft_quat_from_mat3(pose.rot);
    n->transforms[i - 1] =
        (Transform){.header = {.stamp = time_of(f->time_ns), .frame_id = text("world")},
                    .child_frame_id = n->body_name[i],
                    .transform = {.translation = {pose.pos.x, pose.pos.y, pose.pos.z},
                                  .rotation = {turn.x, turn.y, turn.z, turn.w}}};
  }
  const tf2_msgs_msg_dds__TFMessage_ message = {
      .transforms = {._maximum = count, ._length = count, ._buffer = n->transforms}};
  send(n, n->frames, &message);
}

// One message for each body that is touched.
static void send_wrenches(Node* n, const Frame* f) {
  const HeftModel* m = n->exchange->model;
  for (int i = 1; i < m->nbody; ++i) {
    const double* w = frame_wrenches(f, m) + (size_t)WRENCH_NUMBERS * (size_t)i;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0) continue;
    const Wrench message = {.header = {.stamp = time_of(f->time_ns), .frame_id = n->body_name[i]},
                            .wrench = {.force = {w[0], w[1], w[2]}, .torque = {w[3], w[4], w[5]}}};
    send(n, n->wrenches, &message);
  }
}

static void send_states(Node* n) {
  const Frame* f;
  while ((f = ring_front(&n->exchange->states))) {
    const rosgraph_msgs_msg_dds__Clock_ now = {time_of(f->time_ns)};
    send(n, n->clock, &now);
    send_joints(n, f);
    if (f->bodies) {
      send_frames(n, f);
      send_wrenches(n, f);
    }
    ring_pop(&n->exchange->states);
  }
}

// ---- receiving

/// Messages that a reader lends.
typedef struct Loan {
  void* sample[TAKEN];
  dds_sample_info_t info[TAKEN];
  int count;
} Loan;

static int take(dds_entity_t reader, Loan* loan) {
  memset((void*)loan->sample, 0, sizeof loan->sample);
  loan->count = dds_take(reader, loan->sample, loan->info, TAKEN, TAKEN);
  return loan->count > 0;
}

static void give_back(dds_entity_t reader, Loan* loan) {
  dds_return_loan(reader, loan->sample, loan->count);
}

static void refuse(Node* n) {
  atomic_fetch_add_explicit(&n->exchange->refused, 1, memory_order_relaxed);
}

static void follow_numbers(Node* n, CommandKind kind, const JointState* s, uint32_t length,
                           const double* value) {
  if (length != 0 && length != s->name._length) {
    refuse(n);
    return;
  }
  for (uint32_t k = 0; k < length; ++k)
    if (!command_set(n->exchange->model, s->name._buffer[k], kind, value[k], n->exchange->latest))
      refuse(n);
}

static void follow_joints(Node* n, const JointState* s) {
  follow_numbers(n, COMMAND_POSITION, s, s->position._length, s->position._buffer);
  follow_numbers(n, COMMAND_VELOCITY, s, s->velocity._length, s->velocity._buffer);
  follow_numbers(n, COMMAND_EFFORT, s, s->effort._length, s->effort._buffer);
}

// A number for each actuator, in the order of the model.
static void follow_controls(Node* n, const Numbers* a) {
  bool fits = a->data._length == (uint32_t)n->exchange->model->nactuator;
  for (uint32_t k = 0; fits && k < a->data._length; ++k) fits = isfinite(a->data._buffer[k]) != 0;
  if (fits && a->data._length > 0)
    memcpy(n->exchange->latest, a->data._buffer, a->data._length * sizeof(double));
  if (!fits) refuse(n);
}

static void take_commands(Node* n) {
  Loan loan;
  bool any = false;
  while (take(n->controls, &loan)) {
    for (int i = 0; i < loan.count; ++i)
      if (loan.info[i].valid_data) follow_controls(n, loan.sample[i]);
    any = true;
    give_back(n->controls, &loan);
  }
  while (take(n->joint_commands, &loan)) {
    for (int i = 0; i < loan.count; ++i)
      if (loan.info[i].valid_data) follow_joints(n, loan.sample[i]);
    any = true;
    give_back(n->joint_commands, &loan);
  }
  if (any) mailbox_put(&n->exchange->commands, n->exchange->latest);
}

// ---- services

static void expect(Node* n, Pending request) {
  if (n->pending_count == PENDING)
    refuse(n);
  else
    n->pending[n->pending_count++] = request;
}

static void take_requests(Node* n) {
  Exchange* x = n->exchange;
  Loan loan;
  while (take(n->pause_request, &loan)) {
    for (int i = 0; i < loan.count; ++i) {
      const PauseRequest* r = loan.sample[i];
      if (!loan.info[i].valid_data) continue;
      atomic_store(&x->pause_asked, r->data);
      expect(n,
             (Pending){.pause = true, .paused = r->data, .client = r->client, .number = r->number});
    }
    give_back(n->pause_request, &loan);
  }
  while (take(n->reset_request, &loan)) {
    for (int i = 0; i < loan.count; ++i) {
      const ResetRequest* r = loan.sample[i];
      if (!loan.info[i].valid_data) continue;
      const unsigned asked = atomic_fetch_add(&x->resets_asked, 1) + 1;
      expect(n, (Pending){.resets = asked, .client = r->client, .number = r->number});
    }
    give_back(n->reset_request, &loan);
  }
}

static bool followed(const Exchange* x, const Pending* p) {
  return p->pause
             ? atomic_load(&x->paused) == p->paused || atomic_load(&x->pause_asked) != p->paused
             : (int)(atomic_load(&x->resets_done) - p->resets) >= 0;
}

static void answer(Node* n) {
  int left = 0;
  for (int i = 0; i < n->pending_count; ++i) {
    const Pending p = n->pending[i];
    if (!followed(n->exchange, &p)) {
      n->pending[left++] = p;
    } else if (p.pause) {
      const PauseReply reply = {p.client, p.number, true, text(p.paused ? "paused" : "running")};
      send(n, n->pause_reply, &reply);
    } else {
      const ResetReply reply = {p.client, p.number, true, text("at the start")};
      send(n, n->reset_reply, &reply);
    }
  }
  n->pending_count = left;
}

// ---- the thread

static void* run(void* user) {
  Node* n = user;
  while (!atomic_load(&n->exchange->ending)) {
    dds_attach_t which[4];
    dds_waitset_wait(n->waitset, which, 4, DDS_USECS(TICK_US));
    take_commands(n);
    take_requests(n);
    answer(n);
    send_states(n);
  }
  send_states(n);
  dds_wait_for_acks(n->joints, DDS_SECS(1));
  return NULL;
}

static dds_entity_t topic(Node* n, const char* name, const dds_topic_descriptor_t* type) {
  return dds_create_topic(n->participant, type, name, NULL, NULL);
}

static dds_entity_t reader(Node* n, const char* name, const dds_topic_descriptor_t* type,
                           const dds_qos_t* qos) {
  const dds_entity_t r = dds_create_reader(n->participant, topic(n, name, type), qos, NULL);
  const dds_entity_t full = dds_create_readcondition(r, DDS_ANY_STATE);
  return dds_waitset_attach(n->waitset, full, 0) == DDS_RETCODE_OK ? r : DDS_RETCODE_ERROR;
}

static bool open_topics(Node* n, const dds_qos_t* qos) {
  const struct {
    dds_entity_t* writer;
    const char* name;
    const dds_topic_descriptor_t* type;
  } out[] = {{&n->clock, "rt/clock", &rosgraph_msgs_msg_dds__Clock__desc},
             {&n->joints, "rt/joint_states", &sensor_msgs_msg_dds__JointState__desc},
             {&n->frames, "rt/tf", &tf2_msgs_msg_dds__TFMessage__desc},
             {&n->wrenches, "rt/contact_wrenches", &geometry_msgs_msg_dds__WrenchStamped__desc},
             {&n->pause_reply, "rr/heft/pauseReply", &std_srvs_srv_dds__SetBool_Response__desc},
             {&n->reset_reply, "rr/heft/resetReply", &std_srvs_srv_dds__Trigger_Response__desc}};
  bool well = true;
  for (size_t i = 0; i < sizeof out / sizeof *out; ++i) {
    *out[i].writer =
        dds_create_writer(n->participant, topic(n, out[i].name, out[i].type), qos, NULL);
    well &= *out[i].writer > 0;
  }
  n->joint_commands = reader(n, "rt/joint_commands", &sensor_msgs_msg_dds__JointState__desc, qos);
  n->controls = reader(n, "rt/forward_command_controller/commands",
                       &std_msgs_msg_dds__Float64MultiArray__desc, qos);
  n->pause_request =
      reader(n, "rq/heft/pauseRequest", &std_srvs_srv_dds__SetBool_Request__desc, qos);
  n->reset_request =
      reader(n, "rq/heft/resetRequest", &std_srvs_srv_dds__Trigger_Request__desc, qos);
  return well && n->joint_commands > 0 && n->controls > 0 && n->pause_request > 0 &&
         n->reset_request > 0;
}

// The domain is of the environment, as for every node of ROS 2.
static dds_domainid_t domain(void) {
  const char* text = getenv("ROS_DOMAIN_ID");
  return text && *text ? (dds_domainid_t)strtoul(text, NULL, 10) : DDS_DOMAIN_DEFAULT;
}

static bool join(Node* n) {
  n->participant = dds_create_participant(domain(), NULL, NULL);
  if (n->participant < 0) return false;
  n->waitset = dds_create_waitset(n->participant);
  dds_qos_t* qos = dds_create_qos();
  if (!qos) return false;
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, HISTORY);
  dds_qset_durability(qos, DDS_DURABILITY_VOLATILE);
  const bool well = open_topics(n, qos);
  dds_delete_qos(qos);
  return well;
}

// The name of a body or a joint, or its kind and number, as in a bag.
static char* name_of(const HeftModel* m, HeftNamed kind, const char* word, int i, char* room) {
  const char* name = heft_model_name(m, kind, i);
  if (*name) return text(name);
  snprintf(room, NAME, "%s %d", word, i);
  return room;
}

static bool name_all(Node* n) {
  const HeftModel* m = n->exchange->model;
  const size_t bodies = (size_t)m->nbody, joints = (size_t)m->njoint;
  n->names = calloc(bodies + joints, sizeof *n->names);
  n->body_name = calloc(bodies, sizeof *n->body_name);
  n->joint_name = calloc(joints + 1, sizeof *n->joint_name);
  n->position = calloc(2 * joints + 1, sizeof *n->position);
  n->transforms = calloc(bodies, sizeof *n->transforms);
  if (!n->names || !n->body_name || !n->joint_name || !n->position || !n->transforms) return false;
  for (int i = 0; i < m->nbody; ++i)
    n->body_name[i] = name_of(m, HEFT_NAMED_BODY, "body", i, n->names[i]);
  for (int j = 0; j < m->njoint; ++j)
    if (joint_is_scalar(m->joint_type[j]))
      n->joint_name[n->joint_count++] =
          name_of(m, HEFT_NAMED_JOINT, "joint", j, n->names[m->nbody + j]);
  return true;
}

static void release(Node* n) {
  if (n->participant > 0) dds_delete(n->participant);
  free(n->names);
  free((void*)n->body_name);
  free((void*)n->joint_name);
  free(n->position);
  free(n->transforms);
  free(n);
}

HeftStatus node_start(Node** out, Exchange* exchange, HeftError* error) {
  *out = NULL;
  Node* n = calloc(1, sizeof *n);
  if (!n) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the node of ROS 2");
  n->exchange = exchange;
  if (!name_all(n)) {
    release(n);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the node of ROS 2");
  }
  if (!join(n) || pthread_create(&n->thread, NULL, run, n) != 0) {
    release(n);
    return heft_error_set(error, HEFT_ERR_FILE,
                          "Cyclone DDS cannot join the domain: check CYCLONEDDS_URI, ROS_DOMAIN_ID "
                          "and the network");
  }
  *out = n;
  return HEFT_OK;
}

void node_stop(Node* n) {
  if (!n) return;
  atomic_store(&n->exchange->ending, true);
  pthread_join(n->thread, NULL);
  release(n);
}
