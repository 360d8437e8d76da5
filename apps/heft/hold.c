// SPDX-License-Identifier: Apache-2.0
// heft hold: whether bodies hold, how far they are from slipping or tipping, and the push that does
// it (docs/theory/margins.md). The margin is found from one step; --replay finds the same limit by
// simulations with more and less of the push.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "input_range.h"
#include "json_out.h"
#include "model_options.h"
#include "names.h"
#include "plot.h"
#include "progress.h"
#include "verbs.h"

static const char help[] =
    "usage: heft hold [OPTIONS] FILE|NAME\n"
    "Simulates a model until it rests, and prints how much of a push it holds, whether it then "
    "slips\n"
    "or tips, which contacts give way, how much of its friction it needs, and which contact "
    "forces\n"
    "its motion determines. The exit code is 1 if it does not rest.\n"
    "\n"
    "  --time SECONDS         simulated time before (default 2)\n"
    "  --step SECONDS         time step (default: from the model)\n"
    "  --key NAME             initial keyframe (default: the pose in the file)\n"
    "  --push BODY            body that is pushed (default: the heaviest tree)\n"
    "  --at X,Y,Z             where, in the frame of the body [m] (default: its centre of mass)\n"
    "  --force X,Y,Z          the push [N] (default: 1 N in the weakest horizontal direction)\n"
    "  --torque X,Y,Z         a torque that grows with it [N m]\n"
    "  --replay               find the limit by simulations, too\n"
    "  --vary NAME=LOW:HIGH   an input that is not known: friction or mass.BODY (factors), or\n"
    "                         control.ACTUATOR; may be repeated. The push is found at all ends\n"
    "  --limit NAME=LOW:HIGH  the value of an input between which and the other end it holds, by\n"
    "                         simulations, with a value that fails and one that holds; no push\n"
    "  --figure FILE          draw the limit over all horizontal directions, as SVG\n"
    "  --json                 one JSON object on stdout\n";

enum { DIRECTIONS = 72, HALVINGS = 30 };
static const double resting = 1e-3,  // fastest dof of a model that rests [m/s, rad/s]
    ramp = 2, replayed = 6,          // time in which the push of a replay grows, and all [s]
    given_way = 0.04,  // way of a contact when it fails, as a share of the spread of all ...
    shortest = 1e-3,   // ... and at least this [m]
    fallen = 0.3;      // way of the body that is pushed when it falls [m]

typedef struct Hold {
  ModelOptions model;
  HeftWorldDef def;
  const char *path, *key, *push, *figure;
  double seconds;
  HeftVec3 at, force, torque;
  int has_at, has_force, replay, json;
  HeftWorld* world;
  HeftMarginLoad load;       // the push, or the weakest one
  HeftMargin margin;         // along it
  double tip;                // the same with endless friction [factor]
  double direction;          // of the weakest push, counter-clockwise from x [rad]
  double limit[DIRECTIONS];  // of pushes in all directions [N]
  int tips[DIRECTIONS];
  double friction;      // factor that is needed
  double speed;         // of the fastest dof [m/s, rad/s]
  double replay_limit;  // by simulations; NAN: not asked for
  InputRange vary[INPUT_RANGES], limit_input;
  int vary_count, has_limit;
  double set_least, set_most;  // push over all ends of the inputs that vary [factor]
} Hold;

static int fail(const HeftError* error) {
  fprintf(stderr, "heft hold: error: %s\n", error->message);
  return 0;
}

// ---- options

static int take_value(void* options, const char* name, const char* value) {
  Hold* h = options;
  if (strcmp(name, "--time") == 0) return arguments_positive("hold", value, &h->seconds);
  if (strcmp(name, "--step") == 0) return arguments_positive("hold", value, &h->def.time_step);
  if (strcmp(name, "--key") == 0) return (h->key = value) != NULL;
  if (strcmp(name, "--push") == 0) return (h->push = value) != NULL;
  if (strcmp(name, "--at") == 0) {
    h->has_at = 1;
    return arguments_vector("hold", value, &h->at);
  }
  if (strcmp(name, "--torque") == 0 || strcmp(name, "--force") == 0) {
    h->has_force = 1;
    return arguments_vector("hold", value, name[2] == 't' ? &h->torque : &h->force);
  }
  if (strcmp(name, "--limit") == 0) {
    h->has_limit = 1;
    return input_range_read(value, &h->limit_input);
  }
  if (strcmp(name, "--vary") == 0) {
    if (h->vary_count == INPUT_RANGES)
      return arguments_wrong("hold", "too many inputs vary, the first that does not fit is", value);
    return input_range_read(value, &h->vary[h->vary_count++]);
  }
  if (strcmp(name, "--figure") != 0) return -1;
  h->figure = value;
  return arguments_ending("hold", value, ".svg");
}

static int take_flag(void* options, const char* name) {
  Hold* h = options;
  if (strcmp(name, "--json") == 0) return h->json = 1;
  return strcmp(name, "--replay") == 0 && (h->replay = 1);
}

// ---- the push

static double mass_below(const HeftModel* m, int body) {
  double mass = m->body_mass[body];
  for (int b = body + 1; b < m->nbody; ++b)
    mass += m->body_parent[b] == body ? mass_below(m, b) : 0;
  return mass;
}

// The root of the heaviest tree.
static int heaviest(const HeftModel* m) {
  int best = 0;
  double most = 0;
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_parent[b] != 0 || m->body_joint_count[b] == 0) continue;
    const double mass = mass_below(m, b);
    if (mass > most) best = b;
    most = fmax(most, mass);
  }
  return best;
}

// The body that is pushed, and where. 0: there is none (reported).
static int find_push(Hold* h) {
  const HeftModel* m = heft_world_model(h->world);
  const HeftDynamics* d = heft_world_dynamics(h->world);
  h->load.body = h->push ? heft_model_find(m, HEFT_NAMED_BODY, h->push) : heaviest(m);
  if (h->push && h->load.body < 0)
    return names_wrong_in("hold", "the model has no body named", h->push, m, HEFT_NAMED_BODY);
  if (h->load.body <= 0) {
    fprintf(stderr, "heft hold: error: %s has no body that moves; name one with --push\n", h->path);
    return 0;
  }
  const HeftPose pose = heft_dynamics_body_pose(d, h->load.body);
  const HeftVec3 com = heft_vec3_from(&m->body_com[3L * h->load.body]);
  h->load.point = h->has_at || h->push ? heft_pose_apply(pose, h->has_at ? h->at : com)
                                       : heft_dynamics_center_of_mass(d, h->load.body);
  h->load.force = h->force;
  h->load.torque = h->torque;
  return 1;
}

static int find_margin(Hold* h, HeftMargin* out) {
  HeftError error = {0};
  return heft_world_margin(h->world, &h->load, 1, out, &error) == HEFT_OK || fail(&error);
}

static int find_tip(Hold* h) {
  HeftError error = {0};
  return heft_world_tip_margin(h->world, &h->load, 1, &h->tip, &error) == HEFT_OK || fail(&error);
}

// Pushes in all horizontal directions, if a figure shows them or none was given: then the weakest
// one becomes the push.
static int find_directions(Hold* h) {
  const HeftMarginLoad given = h->load;
  double weakest = HUGE_VAL;
  int best = 0;
  if (h->has_force && !h->figure) return find_margin(h, &h->margin) && find_tip(h);
  for (int k = 0; k < DIRECTIONS; ++k) {
    const double angle = 2 * HEFT_PI * k / DIRECTIONS;
    HeftMargin margin;
    h->load.force = heft_vec3(cos(angle), sin(angle), 0);
    h->load.torque = heft_vec3(0, 0, 0);
    if (!find_margin(h, &margin)) return 0;
    h->limit[k] = margin.load;
    h->tips[k] = margin.end == HEFT_MARGIN_TIPS;
    if (margin.load < weakest) best = k;
    weakest = fmin(weakest, margin.load);
  }
  h->direction = 2 * HEFT_PI * best / DIRECTIONS;
  h->load = given;
  if (!h->has_force) h->load.force = heft_vec3(cos(h->direction), sin(h->direction), 0);
  return find_margin(h, &h->margin) && find_tip(h);
}

// ---- replays

static HeftPose pose_in(const HeftWorld* w, int body) {
  return heft_dynamics_body_pose(heft_world_dynamics(w), body);
}

// How far the places at which bodies touch each other at the start have moved with these bodies. A
// shank may turn about its foot while its robot sags.
static double moved(const HeftWorld* now, const HeftWorld* start) {
  double worst = 0;
  for (int i = 0; i < heft_world_contact_count(start); ++i) {
    const HeftContact c = heft_world_contact(start, i);
    const int body[2] = {c.body_a, c.body_b};
    for (int s = 0; s < 2; ++s) {
      const HeftVec3 local = heft_pose_apply(heft_pose_inverse(pose_in(start, body[s])), c.pos);
      const HeftVec3 there = heft_pose_apply(pose_in(now, body[s]), local);
      worst = fmax(worst, heft_vec3_norm(heft_vec3_sub(there, c.pos)));
    }
  }
  return worst;
}

// The largest distance between two places of contact.
static double spread(const HeftWorld* w) {
  double largest = 0;
  for (int i = 1; i < heft_world_contact_count(w); ++i)
    for (int k = 0; k < i; ++k)
      largest = fmax(largest, heft_vec3_norm(heft_vec3_sub(heft_world_contact(w, i).pos,
                                                           heft_world_contact(w, k).pos)));
  return largest;
}

// 1 if the push has not won: no contact has moved far, and the body that is pushed has not fallen.
static int stands(const Hold* h, const HeftWorld* now, double far) {
  const HeftVec3 way =
      heft_vec3_sub(pose_in(now, h->load.body).pos, pose_in(h->world, h->load.body).pos);
  return moved(now, h->world) < far && heft_vec3_norm(way) < fallen;
}

// 1: it holds a factor of the push, 0: it does not, -1: no memory (reported). The push grows
// slowly, since soft joints swing when it is sudden, and follows the body.
static int holds(const Hold* h, double factor) {
  HeftWorld* w = NULL;
  HeftError error = {0};
  if (heft_world_clone(&w, h->world, &error) != HEFT_OK) {
    fail(&error);
    return -1;
  }
  const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(h->world), h->load.body);
  const HeftVec3 local = heft_pose_apply(heft_pose_inverse(pose), h->load.point);
  const double far = fmax(shortest, given_way * spread(h->world));
  const int steps = (int)(replayed / heft_world_time_step(w));
  int good = 1;
  for (int i = 0; i < steps && good; ++i) {
    const HeftPose now = heft_dynamics_body_pose(heft_world_dynamics(w), h->load.body);
    const double share = factor * fmin(1, i * heft_world_time_step(w) / ramp);
    heft_world_apply_wrench(w, h->load.body, heft_pose_apply(now, local),
                            heft_vec3_scale(share, h->load.force),
                            heft_vec3_scale(share, h->load.torque));
    good = heft_step_taken(heft_world_step(w).status) && stands(h, w, far);
  }
  heft_world_destroy(w);
  return good;
}

static int find_replay_limit(Hold* h) {
  double low = 0, high = 2 * h->margin.load;
  if (!isfinite(high) || !(high > 0)) return 1;
  for (int k = 0; k < HALVINGS && high - low > 1e-4 * high; ++k) {
    const double middle = 0.5 * (low + high);
    const int good = holds(h, middle);
    if (good < 0) return 0;
    *(good ? &low : &high) = middle;
  }
  h->replay_limit = 0.5 * (low + high);
  return 1;
}

// ---- the report

static const char* body_name(const Hold* h, int body) {
  return body == 0 ? "the world"
                   : heft_model_name(heft_world_model(h->world), HEFT_NAMED_BODY, body);
}

static void print_contacts(const Hold* h) {
  const int count = heft_world_contact_count(h->world);
  int determined = 0, loaded = 0;
  for (int i = 0; i < count; ++i) {
    const HeftContact c = heft_world_contact(h->world, i);
    double least = 0, most = 0;
    if (heft_world_contact_range(h->world, i, &least, &most, NULL) != HEFT_OK) continue;
    loaded += most > 0;
    determined += most > 0 && most - least < 1e-4 * most;
    if (i < 16)
      printf("  %-16s on %-16s %9.3f N of %.3f to %.3f N that would do\n", body_name(h, c.body_b),
             body_name(h, c.body_a), heft_vec3_dot(c.force, c.normal), least, most);
  }
  printf("  The motion determines %d of %d contact forces.\n", determined, loaded);
}

static void print_push(const Hold* h) {
  const HeftMargin* m = &h->margin;
  const HeftVec3 f = h->load.force, p = h->load.point;
  const double size = heft_vec3_norm(f) > 0 ? heft_vec3_norm(f) : heft_vec3_norm(h->load.torque);
  const char* unit = heft_vec3_norm(f) > 0 ? "N" : "N m";
  if (h->has_force) {
    printf("  A push of %g,%g,%g N and %g,%g,%g N m", f.x, f.y, f.z, h->load.torque.x,
           h->load.torque.y, h->load.torque.z);
  } else {
    printf("  The weakest push, towards %.0f degrees (0: x, 90: y)", 180 / HEFT_PI * h->direction);
  }
  printf(" at %s (%.3f, %.3f, %.3f):\n", body_name(h, h->load.body), p.x, p.y, p.z);
  if (m->end == HEFT_MARGIN_NEVER || m->end == HEFT_MARGIN_FREE) {
    printf("    it %s.\n", heft_margin_end_name(m->end));
    return;
  }
  printf("    %.4g %s more, and it %s", m->load * size, unit, heft_margin_end_name(m->end));
  if (m->contact >= 0) {
    const HeftContact c = heft_world_contact(h->world, m->contact);
    printf("; %s moves on %s first", body_name(h, c.body_b), body_name(h, c.body_a));
  }
  printf(".\n");
  if (m->end == HEFT_MARGIN_SLIPS && isfinite(h->tip))
    printf("    With endless friction it would tip at %.4g %s.\n", h->tip * size, unit);
  if (m->load < 0.99 * m->rigid)
    printf("    If its joints did not sag, it would hold %.4g %s.%s\n", m->rigid * size, unit,
           m->load < 0.8 * m->rigid ? " They are so soft that this is an estimate: see --replay."
                                    : "");
  if (!isnan(h->replay_limit))
    printf("    Simulations with more and less of it fail at %.4g %s.\n", h->replay_limit * size,
           unit);
}

static void print_report(const Hold* h) {
  printf("%s after %g s: %s", h->path, h->seconds,
         h->speed < resting ? "it rests.\n" : "it does not rest");
  if (h->speed >= resting) printf(": %.3g m/s or rad/s at the fastest joint.\n", h->speed);
  print_push(h);
  if (h->vary_count > 0)
    printf(
        "  Over all ends of the inputs that vary it holds at least %.6g and at most %.6g of the "
        "push.\n",
        h->set_least, h->set_most);
  printf("  It needs %.1f %% of its friction.\n", 100 * h->friction);
  print_contacts(h);
}

static void print_json(const Hold* h) {
  Json json = json_begin("hold");
  json_put_text(&json, "file", h->path);
  json_put_flag(&json, "rests", h->speed < resting);
  json_put_text(&json, "body", body_name(h, h->load.body));
  json_put_text(&json, "end", heft_margin_end_name(h->margin.end));
  json_put_number(&json, "load", h->margin.load);
  json_put_number(&json, "rigid", h->margin.rigid);
  json_put_number(&json, "gap", h->margin.gap);
  json_put_number(&json, "tip", h->tip);
  if (h->vary_count > 0) {
    json_put_number(&json, "set_min", h->set_least);
    json_put_number(&json, "set_max", h->set_most);
  }
  if (!isnan(h->replay_limit)) json_put_number(&json, "replay", h->replay_limit);
  json_put_number(&json, "friction", h->friction);
  json_open_list(&json, "force");
  const double force[3] = {h->load.force.x, h->load.force.y, h->load.force.z};
  for (int k = 0; k < 3; ++k) json_put_number(&json, NULL, force[k]);
  json_close_list(&json);
  json_open_list(&json, "contacts");
  for (int i = 0; i < heft_world_contact_count(h->world); ++i) {
    const HeftContact c = heft_world_contact(h->world, i);
    double least = (double)NAN, most = (double)NAN;
    heft_world_contact_range(h->world, i, &least, &most, NULL);
    json_open_object(&json, NULL);
    json_put_text(&json, "a", body_name(h, c.body_a));
    json_put_text(&json, "b", body_name(h, c.body_b));
    json_put_number(&json, "force", heft_vec3_dot(c.force, c.normal));
    json_put_number(&json, "least", least);
    json_put_number(&json, "most", most);
    json_close_object(&json);
  }
  json_close_list(&json);
  json_end(&json);
}

// The limit in every direction, as a closed curve: one colour where it slips, another where it
// tips.
static int draw(const Hold* h) {
  double x[2][DIRECTIONS + 1], y[2][DIRECTIONS + 1], most = 0;
  for (int k = 0; k < DIRECTIONS; ++k)
    if (isfinite(h->limit[k])) most = fmax(most, h->limit[k]);
  for (int k = 0; k <= DIRECTIONS; ++k) {
    const int i = k % DIRECTIONS, last = (k + DIRECTIONS - 1) % DIRECTIONS;
    const double angle = 2 * HEFT_PI * k / DIRECTIONS, size = h->limit[i];
    for (int tips = 0; tips < 2; ++tips) {
      const int shown = isfinite(size) && (h->tips[i] == tips || h->tips[last] == tips);
      x[tips][k] = shown ? size * cos(angle) : (double)NAN;
      y[tips][k] = shown ? size * sin(angle) : (double)NAN;
    }
  }
  const double zero = 0, edge = most > 0 ? 1.1 * most : 1;
  const PlotCurve curves[] = {{"slips", x[0], y[0], DIRECTIONS + 1, 0, PLOT_LINE},
                              {"tips", x[1], y[1], DIRECTIONS + 1, 1, PLOT_LINE},
                              {"no push", &zero, &zero, 1, 5, PLOT_POINTS}};
  const PlotPanel panel = {.title = "Largest horizontal push",
                           .x_label = "x [N]",
                           .y_label = "y [N]",
                           .curves = curves,
                           .curve_count = 3,
                           .x_low = -edge,
                           .x_high = edge,
                           .y_low = -edge,
                           .y_high = edge};
  char title[300];
  snprintf(title, sizeof title, "%s, pushed at %s", h->path, body_name(h, h->load.body));
  const Plot plot = {.title = title,
                     .panels = &panel,
                     .panel_count = 1,
                     .columns = 1,
                     .panel_width = 520,
                     .panel_height = 540,
                     .panel_legends = 1};
  return plot_write(h->figure, &plot);
}

// ---- the verb

static int settle(Hold* h) {
  const HeftModel* m = heft_world_model(h->world);
  const long steps = (long)(h->seconds / heft_world_time_step(h->world) + 0.5);
  Progress progress = progress_begin();
  for (long i = 0; i < steps; ++i) {
    const HeftStepReport report = heft_world_step(h->world);
    progress_show(&progress, "it comes to rest", (double)i / (double)steps);
    if (heft_step_taken(report.status)) continue;
    progress_end(&progress);
    fprintf(stderr, "heft hold: error: step %ld: %s\n", i, heft_step_status_text(report.status));
    return 0;
  }
  progress_end(&progress);
  for (int d = 0; d < m->nv; ++d) h->speed = fmax(h->speed, fabs(heft_world_state(h->world)->v[d]));
  return 1;
}

// ---- inputs that vary, and limits of inputs

// The margin of the push at one end of all inputs: bit k of `end` chooses the end of input k.
static int find_end(Hold* h, const HeftWorld* start, int end) {
  HeftWorld* given = h->world;
  HeftError error = {0};
  HeftMargin margin;
  if (heft_world_clone(&h->world, start, &error) != HEFT_OK) {
    h->world = given;
    return fail(&error);
  }
  int well = 1;
  for (int k = 0; k < h->vary_count && well; ++k)
    well =
        input_range_set(h->world, &h->vary[k], (end >> k) & 1 ? h->vary[k].high : h->vary[k].low);
  well = well && settle(h) && find_margin(h, &margin);
  if (well) {
    const double held = h->speed < resting ? margin.load : 0;
    h->set_least = fmin(h->set_least, fmax(0, held - margin.gap));
    h->set_most = fmax(h->set_most, held);
  }
  heft_world_destroy(h->world);
  h->world = given;
  return well;
}

static int find_set(Hold* h, const HeftWorld* start) {
  const double speed = h->speed;
  h->set_least = HUGE_VAL;
  for (int end = 0; h->vary_count > 0 && end < 1 << h->vary_count; ++end) {
    h->speed = 0;
    if (!find_end(h, start, end)) return 0;
  }
  h->speed = speed;
  return 1;
}

static int answer_limit(const Hold* h) {
  double fails, holding;
  if (!input_range_limit(h->world, &h->limit_input, h->seconds, &fails, &holding)) return 2;
  if (h->json) {
    Json json = json_begin("hold");
    json_put_text(&json, "file", h->path);
    json_put_text(&json, "input", h->limit_input.name);
    json_put_number(&json, "failing_value", fails);
    json_put_number(&json, "holding_value", holding);
    json_end(&json);
  } else if (isnan(holding) || isnan(fails)) {
    printf("%s: it %s at both ends of %s\n", h->path, isnan(fails) ? "holds" : "fails",
           h->limit_input.name);
  } else {
    printf("%s: it holds with %s = %.7g and fails with %.7g, for %g s\n", h->path,
           h->limit_input.name, holding, fails, h->seconds);
  }
  return isnan(holding) ? 1 : 0;
}

static int answer_push(Hold* h, const HeftWorld* start) {
  HeftError error = {0};
  if (!settle(h) || !find_push(h) || !find_directions(h) || !find_set(h, start)) return 2;
  if (heft_world_friction_needed(h->world, h->load.body, &h->friction, &error) != HEFT_OK) {
    fail(&error);
    return 2;
  }
  if (h->replay && !find_replay_limit(h)) return 2;
  if (h->json)
    print_json(h);
  else
    print_report(h);
  if (h->figure && !draw(h)) return 2;
  return h->speed < resting ? 0 : 1;
}

static int answer(Hold* h) {
  HeftError error = {0};
  HeftWorld* start = NULL;
  if (!arguments_start("hold", h->world, h->key ? h->key : h->model.start)) return 2;
  if (h->has_limit) return answer_limit(h);
  if (heft_world_clone(&start, h->world, &error) != HEFT_OK) {
    fail(&error);
    return 2;
  }
  const int code = answer_push(h, start);
  heft_world_destroy(start);
  return code;
}

int heft_verb_hold(int argc, char** argv) {
  Hold h = {.def = heft_world_def_default(), .seconds = 2, .replay_limit = (double)NAN};
  const Arguments arguments = {.verb = "hold",
                               .help = help,
                               .model = &h.model,
                               .options = &h,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &h.path};
  h.def.tolerance = 1e-12;  // a limit is as exact as the forces of the last step
  model_options_init(&h.model);
  const int asked = arguments_read_file(&arguments, argc, argv);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1) {
    HeftError error = {0};
    HeftModel* model = model_options_load(&h.model, h.path);
    if (model && heft_world_create(&h.world, model, &h.def, &error) != HEFT_OK) fail(&error);
    code = h.world ? answer(&h) : 2;
    heft_world_destroy(h.world);
    heft_model_destroy(model);
  }
  model_options_release(&h.model);
  return code;
}
