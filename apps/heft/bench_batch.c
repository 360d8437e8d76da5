// SPDX-License-Identifier: Apache-2.0
// heft bench batch: rollouts of many worlds with random controls: steps per second for one thread
// and for more, memory of a world, and one hash of all final states, which must be the same. MuJoCo
// (bench/peers/batch_mujoco.c) gets the same controls.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "data_folder.h"
#include "json_rows.h"
#include "peer_program.h"
#include "scenes/batch_controls.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench batch [OPTIONS] [FILE]\n"
    "Rolls out many worlds of one model (heft/batch.h), each with its own random controls, which\n"
    "change every 10 steps. Prints steps per second, the memory of a world, and a hash of all "
    "final\n"
    "states: it is the same for every number of threads.\n"
    "FILE is a model (default: humanoid.xml of the scenes).\n"
    "\n"
    "  --worlds N             number of worlds (default 256)\n"
    "  --steps N              steps of each world (default 200)\n"
    "  --threads N            largest number of threads, 1 to 64 (default 2)\n"
    "  --peers                MuJoCo, too: the same controls (if heft_batch_mujoco was built)\n"
    "  --mujoco FOLDER        folder of heft_batch_mujoco, built with another MuJoCo (default:\n"
    "                         beside this command; bench/peers/README.md)\n";

typedef struct BatchOptions {
  ModelOptions model;
  const char* path;
  double worlds, steps, threads;
  int peers;
  const char* mujoco;  ///< folder of the peer; NULL: beside the command
} BatchOptions;

static int take_flag(void* options, const char* name) {
  BatchOptions* o = options;
  if (strcmp(name, "--peers") != 0) return 0;
  o->peers = 1;
  return 1;
}

static int take_value(void* options, const char* name, const char* value) {
  BatchOptions* o = options;
  if (strcmp(name, "--worlds") == 0) return arguments_positive("bench batch", value, &o->worlds);
  if (strcmp(name, "--steps") == 0) return arguments_positive("bench batch", value, &o->steps);
  if (strcmp(name, "--threads") == 0) return arguments_positive("bench batch", value, &o->threads);
  if (strcmp(name, "--mujoco") == 0) return (o->mujoco = value) != NULL;
  return -1;
}

static void control(void* user, int index, HeftWorld* world) {
  const HeftModel* m = user;
  const HeftState* s = heft_world_state(world);
  const int64_t step = (int64_t)(*s->time / m->physics.time_step + 0.5);
  double* u = heft_world_controls(world);
  for (int i = 0; step % BATCH_HOLD == 0 && i < m->nactuator; ++i) {
    const double* range = m->actuator_control_range + 2 * i;
    const bool limited = m->actuator_control_limited[i];
    u[i] = batch_control(index, step, i, limited ? range[0] : -1.0, limited ? range[1] : 1.0);
  }
}

static uint64_t hash_of(HeftBatch* batch) {
  uint64_t hash = 0;
  for (int i = 0; i < heft_batch_count(batch); ++i) {
    const uint64_t one = heft_batch_hash(batch, i);
    hash = heft_hash(&one, sizeof one, hash);
  }
  return hash;
}

// 0: failed (reported).
static int measure(const HeftModel* model, const BatchOptions* o, int threads, uint64_t* hash) {
  HeftBatch* batch = NULL;
  HeftError error = {0};
  HeftBatchDef def = heft_batch_def_default();
  def.count = (int)o->worlds;
  def.threads = threads;
  def.user = (void*)(uintptr_t)model;
  def.before = control;
  if (heft_batch_create(&batch, model, &def, &error) != HEFT_OK) {
    fprintf(stderr, "heft bench batch: error: %s\n", error.message);
    return 0;
  }
  const uint64_t start = heft_clock_ns();
  heft_batch_step(batch, (int64_t)o->steps, &error);
  const double seconds = 1e-9 * (double)(heft_clock_ns() - start);
  int64_t steps = 0, inexact = 0;
  for (int i = 0; i < def.count; ++i) {
    steps += heft_batch_steps(batch)[i];
    inexact += heft_batch_reports(batch)[i].status != HEFT_STEP_SOLVED;
  }
  *hash = hash_of(batch);
  json_row_begin(o->path);
  json_row_number("threads", threads);
  json_row_number("steps_per_s", (double)steps / seconds);
  json_row_number("bytes_per_world", (double)heft_batch_memory(batch) / def.count);
  json_row_number("inexact", (double)inexact);
  json_row_end();
  printf("%7d %12.0f %14.1f %10lld   %016llx\n", threads, (double)steps / seconds,
         1e-3 * (double)heft_batch_memory(batch) / def.count, (long long)inexact,
         (unsigned long long)*hash);
  fflush(stdout);
  heft_batch_destroy(batch);
  return 1;
}

// Steps per second of MuJoCo; 0: it cannot, and prints why.
static double measure_peer(const BatchOptions* o, int threads) {
  PeerProgram peer;
  char command[2400], line[1200] = "";
  double rate = 0;
  if (!peer_program_find(&peer, "MuJoCo", "heft_batch_mujoco", o->mujoco)) return 0;
  snprintf(command, sizeof command, "exec '%s' '%s' %.0f %.0f %d 2>/dev/null", peer.program,
           o->path, o->worlds, o->steps, threads);
  FILE* pipe = popen(command, "r");
  if (!pipe) return 0;
  if (fgets(line, sizeof line, pipe) && sscanf(line, "ok %lf", &rate) != 1)
    fprintf(stderr, "%s: %s", peer.name, line);
  pclose(pipe);
  if (rate > 0) {
    json_row_begin(peer.name);
    json_row_number("threads", threads);
    json_row_number("steps_per_s", rate);
    json_row_end();
    printf("%7d %12.0f   %s\n", threads, rate, peer.name);
  }
  return rate;
}

static int run(BatchOptions* o) {
  HeftModel* model = model_options_load(&o->model, o->path);
  if (!model) return 1;
  uint64_t first = 0, hash = 0;
  int good = 1;
  printf("%s: %.0f worlds, %.0f steps each\n\n", o->path, o->worlds, o->steps);
  printf("threads      steps/s   kB per world    inexact   hash of all states\n");
  for (int threads = 1; good && threads <= (int)o->threads; threads *= 2) {
    good = measure(model, o, threads, &hash);
    if (threads == 1) first = hash;
    if (good && hash != first) {
      fprintf(stderr, "heft bench batch: error: the states depend on the number of threads\n");
      good = 0;
    }
    if (good && o->peers) good = measure_peer(o, threads) > 0;
  }
  heft_model_destroy(model);
  return !good;
}

int heft_bench_batch(int argc, char** argv) {
  char folder[1024], path[1200];
  BatchOptions o = {.worlds = 256, .steps = 200, .threads = 2};
  model_options_init(&o.model);
  const Arguments arguments = {.verb = "bench batch",
                               .help = help,
                               .model = &o.model,
                               .options = &o,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &o.path};
  const int asked = arguments_read(&arguments, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s\n%s", help, model_options_help);
  if (asked == 1 && !o.path) {
    const char* scenes = scene_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/humanoid.xml", scenes ? scenes : ".");
    o.path = path;
  }
  if (asked == 1) result = run(&o);
  model_options_release(&o.model);
  return result;
}
