// SPDX-License-Identifier: Apache-2.0
// Rounding: positions have 24 bits, which is 0.06 mm at a kilometre; quaternions have 16 bits,
// which is less than 0.003 degrees.
#include "serve/picture.h"

#include <math.h>
#include <string.h>

static void store_vec3(float out[3], HeftVec3 v) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

int picture_make(Picture* p, const HeftModel* m, const HeftAllocator* a) {
  const size_t bodies = (size_t)m->nbody, controls = (size_t)m->nactuator;
  *p = (Picture){.body_count = m->nbody, .control_count = m->nactuator};
  p->body = a->allocate(a->user, bodies * sizeof *p->body, 64);
  p->control = a->allocate(a->user, (controls + 1) * sizeof *p->control, 64);
  if (!p->body || !p->control) return 0;
  memset(p->body, 0, bodies * sizeof *p->body);
  memset(p->control, 0, (controls + 1) * sizeof *p->control);
  return 1;
}

void picture_free(Picture* p, const HeftAllocator* a) {
  if (p->body) a->release(a->user, p->body, (size_t)p->body_count * sizeof *p->body);
  if (p->control)
    a->release(a->user, p->control, ((size_t)p->control_count + 1) * sizeof *p->control);
  *p = (Picture){0};
}

void picture_copy(Picture* to, const Picture* from) {
  PictureBody* body = to->body;
  float* control = to->control;
  *to = *from;
  to->body = body;
  to->control = control;
  memcpy(body, from->body, (size_t)from->body_count * sizeof *body);
  memcpy(control, from->control, (size_t)from->control_count * sizeof *control);
}

static PictureBody take_body(HeftPose pose) {
  PictureBody b = {0};
  HeftQuat q = heft_quat_from_mat3(pose.rot);
  if (q.w < 0) q = heft_quat(-q.w, -q.x, -q.y, -q.z);  // one of the two of a rotation
  const double part[4] = {q.w, q.x, q.y, q.z};
  for (int k = 0; k < 4; ++k) b.rot[k] = (int16_t)floor(32767 * fmax(-1, fmin(1, part[k])) + 0.5);
  store_vec3(b.pos, pose.pos);
  return b;
}

static PictureContact take_contact(const HeftContact* c) {
  PictureContact out = {
      .body_a = c->body_a, .body_b = c->body_b, .state = (int)c->state, .gap = (float)c->gap};
  store_vec3(out.pos, c->pos);
  store_vec3(out.normal, c->normal);
  store_vec3(out.force, c->force);
  return out;
}

void picture_take(Picture* p, HeftWorld* w) {
  const HeftDynamics* d = heft_world_dynamics(w);
  const int contacts = heft_world_contact_count(w);
  for (int b = 0; b < p->body_count; ++b) p->body[b] = take_body(heft_dynamics_body_pose(d, b));
  p->contact_count = contacts < PICTURE_CONTACTS ? contacts : PICTURE_CONTACTS;
  p->cut = contacts > PICTURE_CONTACTS;
  for (int i = 0; i < p->contact_count; ++i) {
    const HeftContact c = heft_world_contact(w, i);
    p->contact[i] = take_contact(&c);
  }
  const double* controls = heft_world_controls(w);
  for (int i = 0; i < p->control_count; ++i) p->control[i] = (float)controls[i];
  p->time = *heft_world_state(w)->time;
}

size_t picture_size_max(const Picture* p) {
  return PICTURE_HEAD + (size_t)p->body_count * PICTURE_BODY + PICTURE_CONTACTS * PICTURE_CONTACT +
         PICTURE_HANDS * PICTURE_HAND + (size_t)p->control_count * sizeof(float);
}

// ---- bytes

typedef struct Out {
  unsigned char* at;
} Out;

static void put_u16(Out* o, unsigned x) {
  *o->at++ = (unsigned char)x;
  *o->at++ = (unsigned char)(x >> 8);
}

static void put_u32(Out* o, uint32_t x) {
  put_u16(o, x & 0xffffu);
  put_u16(o, x >> 16);
}

static void put_f32(Out* o, float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  put_u32(o, bits);
}

static void put_f64(Out* o, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  put_u32(o, (uint32_t)bits);
  put_u32(o, (uint32_t)(bits >> 32));
}

static void put_floats(Out* o, const float* x, int count) {
  for (int i = 0; i < count; ++i) put_f32(o, x[i]);
}

static void put_body(Out* o, int index, const PictureBody* b) {
  put_u16(o, (unsigned)index);
  for (int k = 0; k < 4; ++k) put_u16(o, (uint16_t)b->rot[k]);
  put_u16(o, 0);
  put_floats(o, b->pos, 3);
}

static void put_contact(Out* o, const PictureContact* c) {
  put_u16(o, (unsigned)c->body_a);
  put_u16(o, (unsigned)c->body_b);
  put_u32(o, (uint32_t)c->state);
  put_floats(o, c->pos, 3);
  put_floats(o, c->normal, 3);
  put_floats(o, c->force, 3);
  put_f32(o, c->gap);
}

static void put_hand(Out* o, const PictureHand* h) {
  put_u16(o, (unsigned)h->body);
  put_u16(o, (unsigned)h->user);
  put_floats(o, h->point, 3);
  put_floats(o, h->target, 3);
  put_floats(o, h->force, 3);
}

static int same_body(const PictureBody* a, const PictureBody* b) {
  return memcmp(a->rot, b->rot, sizeof a->rot) == 0 && a->pos[0] == b->pos[0] &&
         a->pos[1] == b->pos[1] && a->pos[2] == b->pos[2];
}

static int put_bodies(Out* o, const Picture* p, const Picture* before) {
  int count = 0;
  for (int b = 0; b < p->body_count; ++b) {
    if (before && same_body(&p->body[b], &before->body[b])) continue;
    put_body(o, b, &p->body[b]);
    ++count;
  }
  return count;
}

static int same_controls(const Picture* a, const Picture* b) {
  for (int i = 0; i < a->control_count; ++i)
    if (a->control[i] != b->control[i]) return 0;
  return 1;
}

static int put_controls(Out* o, const Picture* p, const Picture* before) {
  if (before && same_controls(p, before)) return 0;
  put_floats(o, p->control, p->control_count);
  return p->control_count;
}

size_t picture_write(const Picture* p, const Picture* before, PictureLabel label,
                     unsigned char* bytes) {
  Out body = {bytes + PICTURE_HEAD}, head = {bytes};
  const int bodies = put_bodies(&body, p, before);
  for (int i = 0; i < p->contact_count; ++i) put_contact(&body, &p->contact[i]);
  for (int i = 0; i < p->hand_count; ++i) put_hand(&body, &p->hand[i]);
  const int controls = put_controls(&body, p, before);
  const int flags = (before ? 0 : PICTURE_WHOLE) | (p->running ? PICTURE_RUNNING : 0) |
                    (p->cut ? PICTURE_CUT : 0);
  *head.at++ = PICTURE_KIND;
  *head.at++ = (unsigned char)flags;
  put_u16(&head, (unsigned)p->status);
  put_u32(&head, label.number);
  put_f64(&head, p->time);
  put_f64(&head, p->steps);
  put_u16(&head, (unsigned)bodies);
  put_u16(&head, (unsigned)p->contact_count);
  put_u16(&head, (unsigned)p->hand_count);
  put_u16(&head, (unsigned)controls);
  put_u16(&head, (unsigned)label.watchers);
  put_u16(&head, (unsigned)label.users);
  put_floats(&head, p->number, PICTURE_NUMBERS);
  return (size_t)(body.at - bytes);
}
