// SPDX-License-Identifier: Apache-2.0
#include "judge/columns.h"

#include <heft/collision.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { NAME_SIZE = 160 };

int columns_base_joint(const HeftModel* m) {
  int best = -1, most = 0;
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] != HEFT_JOINT_FREE) continue;
    int dofs = 0;
    for (int i = 0; i < m->nv; ++i) {
      int body = m->joint_body[m->dof_joint[i]];
      while (body > 0 && body != m->joint_body[j]) body = m->body_parent[body];
      dofs += body > 0;
    }
    if (dofs > most) {
      most = dofs;
      best = j;
    }
  }
  return best;
}

// ---- names

static const char* joint_name(const void* from, int index) {
  return heft_model_name((const HeftModel*)from, HEFT_NAMED_JOINT, index);
}

// A free joint goes by its name or its body's name, the base also by "base": by the first of them
// that has columns.
static const char* free_name(const HeftModel* m, int joint, const Csv* table) {
  const char* names[3] = {joint_name(m, joint),
                          heft_model_name(m, HEFT_NAMED_BODY, m->joint_body[joint]),
                          joint == columns_base_joint(m) ? "base" : ""};
  char column[NAME_SIZE];
  for (int i = 0; i < 3; ++i) {
    snprintf(column, sizeof column, "%s.x", names[i]);
    if (names[i][0] && csv_find(table, column) >= 0) return names[i];
  }
  return names[0][0] ? names[0] : names[2][0] ? names[2] : names[1];
}

// Ends of the names of columns: `v` marks velocities, `part` has the names of a free
// joint, of which a ball joint has the last.
typedef struct Ends {
  const char *v, *part[7];
} Ends;

static const Ends coordinates = {"", {"x", "y", "z", "qw", "qx", "qy", "qz"}};
static const Ends velocities = {"v", {"vx", "vy", "vz", "wx", "wy", "wz"}};

static void column_name(const Ends* ends, const HeftModel* m, const Csv* table, int joint, int part,
                        char out[NAME_SIZE]) {
  const HeftJointType type = m->joint_type[joint];
  const char* name = type == HEFT_JOINT_FREE ? free_name(m, joint, table) : joint_name(m, joint);
  if (heft_joint_type_dof_count(type) == 1)
    snprintf(out, NAME_SIZE, "%s%s%s", name, ends->v[0] ? "." : "", ends->v);
  else if (type == HEFT_JOINT_FREE || type == HEFT_JOINT_BALL)
    snprintf(out, NAME_SIZE, "%s.%s", name, ends->part[type == HEFT_JOINT_BALL ? 3 + part : part]);
  else
    snprintf(out, NAME_SIZE, "%s.%s%d", name, ends->v, part);
}

// ---- columns

static HeftStatus map_joints(Columns* c, const HeftModel* m, const Csv* table, const char* file,
                             HeftError* error) {
  const int base = columns_base_joint(m);
  char name[NAME_SIZE], lacks[NAME_SIZE] = "";
  for (int j = 0; j < m->njoint; ++j) {
    const int first = m->joint_q[j], count = heft_joint_type_q_count(m->joint_type[j]);
    int found = 0;
    for (int i = 0; i < count; ++i) {
      if (c->is_log)
        snprintf(name, sizeof name, "q%d", first + i);
      else
        column_name(&coordinates, m, table, j, i, name);
      c->q[first + i] = name[0] ? csv_find(table, name) : -1;
      found += c->q[first + i] >= 0;
      if (c->q[first + i] < 0) memcpy(lacks, name, sizeof lacks);
    }
    if (found != 0 && found != count)
      return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0,
                               "%d of %d columns of joint '%.60s' are missing, '%.60s' among them",
                               count - found, count, joint_name(m, j), lacks);
    if (j == base) c->has_base = found == count;
  }
  return HEFT_OK;
}

static HeftStatus map_velocities(Columns* c, const HeftModel* m, const Csv* table, const char* file,
                                 HeftError* error) {
  char name[NAME_SIZE], lacks[NAME_SIZE] = "";
  int found = 0;
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_joint[i];
    if (c->is_log)
      snprintf(name, sizeof name, "v%d", i);
    else
      column_name(&velocities, m, table, joint, i - m->joint_dof[joint], name);
    c->v[i] = csv_find(table, name);
    found += c->v[i] >= 0;
    if (c->v[i] < 0) memcpy(lacks, name, sizeof lacks);
  }
  c->has_v = found == m->nv;
  if (found == 0 || c->has_v) return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0,
                           "%d of %d columns of velocities are missing, '%.60s' among them; give "
                           "all or none",
                           m->nv - found, m->nv, lacks);
}

static HeftStatus map_forces(Columns* c, const HeftModel* m, const Csv* table, const char* file,
                             HeftError* error) {
  static const char* const parts[6] = {"x", "y", "z", "tx", "ty", "tz"};
  char name[NAME_SIZE];
  int found = 0;
  for (int i = 0; i < m->nactuator; ++i) {
    snprintf(name, sizeof name, "force.%s", heft_model_name(m, HEFT_NAMED_ACTUATOR, i));
    c->actuator[i] = csv_find(table, name);
    found += c->actuator[i] >= 0;
  }
  c->has_actuators = m->nactuator > 0 && found == m->nactuator;
  for (int i = 6; i < 6 * m->nbody; ++i) {
    snprintf(name, sizeof name, "push.%s.%s", heft_model_name(m, HEFT_NAMED_BODY, i / 6),
             parts[i % 6]);
    c->push[i] = csv_find(table, name);
    c->has_pushes |= c->push[i] >= 0;
  }
  if (found == 0 || c->has_actuators) return HEFT_OK;
  return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, 0,
                           "%d of %d columns force.ACTUATOR are missing; give all or none",
                           m->nactuator - found, m->nactuator);
}

static void mark(int* used, const int* column, int count) {
  for (int i = 0; i < count; ++i)
    if (column[i] >= 0) used[column[i]] = 1;
}

// Every column must have a meaning.
static HeftStatus check(const Columns* c, const HeftModel* m, const Csv* table, const char* file,
                        HeftError* error) {
  int used[CSV_COLUMNS_MAX] = {0};
  mark(used, &c->time, 1);
  mark(used, c->q, m->nq);
  mark(used, c->v, m->nv);
  mark(used, c->actuator, m->nactuator);
  mark(used, c->push, 6 * m->nbody);
  for (int i = 0; i < table->columns; ++i) {
    if (used[i]) continue;
    char hint[400];
    heft_names_hint((HeftNames){joint_name, m, m->njoint}, table->name[i], hint, sizeof hint);
    return heft_error_set_at(error, HEFT_ERR_NAME, file, 1, i + 1,
                             "column '%.60s' is neither time nor a joint; %.200s", table->name[i],
                             hint);
  }
  return HEFT_OK;
}

static int* none(int count) {
  int* out = malloc(((size_t)count + 1) * sizeof *out);
  for (int i = 0; out && i <= count; ++i) out[i] = -1;
  return out;
}

HeftStatus columns_map(Columns* c, const HeftModel* m, const Csv* table, int run, const char* file,
                       HeftError* error) {
  *c = (Columns){.q = none(m->nq),
                 .v = none(m->nv),
                 .actuator = none(m->nactuator),
                 .push = none(6 * m->nbody)};
  c->time = csv_find(table, "time");
  c->is_log = csv_find(table, "q0") >= 0;
  HeftStatus status = HEFT_OK;
  if (!c->q || !c->v || !c->actuator || !c->push)
    status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for columns");
  if (status == HEFT_OK) status = map_joints(c, m, table, file, error);
  if (status == HEFT_OK && run) status = map_velocities(c, m, table, file, error);
  if (status == HEFT_OK && run) status = map_forces(c, m, table, file, error);
  if (status == HEFT_OK && !c->is_log) status = check(c, m, table, file, error);
  return status;
}

void columns_release(Columns* c) {
  free(c->q);
  free(c->v);
  free(c->actuator);
  free(c->push);
  *c = (Columns){0};
}
