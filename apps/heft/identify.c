// SPDX-License-Identifier: Apache-2.0
// Papers: R68, U4.
// heft identify: parameters of a model from a log, with intervals.
#include "identify.h"

#include <heft/io.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "plot.h"
#include "verbs.h"

static const char help[] =
    "usage: heft identify [OPTIONS] LOG\n"
    "Finds parameters from a log (.csv or .mcap), each with the interval that contains the true\n"
    "value with a probability of 95 %. One of these says what is looked for:\n"
    "\n"
    "  --fit PARAMETER        a parameter of the model, by simulating the motion of the log with "
    "its\n"
    "                         controls; several times for several: friction (of all shapes),\n"
    "                         friction:SHAPE, restitution, slipfriction, contactstiffness,\n"
    "                         contactdamping (of all, or :SHAPE), damping:JOINT,\n"
    "                         frictionloss:JOINT, stiffness:JOINT, armature:JOINT, gear:ACTUATOR,\n"
    "                         offset:SENSOR, offset:SENSOR.NUMBER\n"
    "  --pulls LOAD,PULL      the coefficient of friction, from columns with the load and with "
    "the\n"
    "                         pull at which a body slipped [N]\n"
    "  --calibrate A,B        matrix and offset of sensors of the model (force, torque), from a "
    "log of\n"
    "                         poses at rest without contact: f = G (reading + d)\n"
    "  --wrench A,B..         the same from columns with known forces and torques, together with\n"
    "  --reading A,B..        columns of raw values, as many\n"
    "  --impacts A,B..        restitution and friction from impacts of a body in a plane: columns "
    "of\n"
    "                         the arms of the point that hits, away from the floor and along it,\n"
    "                         and of the velocities along, away and the rate, before and after\n"
    "\n"
    "  --model FILE           the model (default: that of an MCAP log)\n"
    "  --key NAME             keyframe at the start, if the log has no columns q0.. and v0..\n"
    "  --sensors A,B..        sensors of the log that are compared (default: all)\n"
    "  --free-start           the state at the start is inexact: fit it, too\n"
    "  --robust               outliers count less\n"
    "  --offset               pulls: the dynamometer has an unknown offset\n"
    "  --proportional         pulls: errors grow with the load (mean of pull / load)\n"
    "  --load-noise RATIO     pulls: noise of the loads in that of the pulls (default 0)\n"
    "  --plot FILE            write a figure of measured and simulated values to FILE, as SVG\n"
    "  --json                 print JSON\n";

// ---- output

int identify_fail(const HeftError* e) {
  fprintf(stderr, "heft identify: error: ");
  if (e->file[0]) fprintf(stderr, "%s:", e->file);
  if (e->line > 0) fprintf(stderr, "%d:%d:", e->line, e->column);
  fprintf(stderr, "%s%s\n", e->file[0] ? " " : "", e->message);
  return 0;
}

int identify_wrong(const char* format, ...) {
  va_list arguments;
  fprintf(stderr, "heft identify: error: ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
  va_end(arguments);
  fprintf(stderr, "\n");
  return 0;
}

void identify_print(Identify* id, const char* name, const char* unit, const HeftEstimate* e) {
  if (id->json) {
    json_open_object(&id->out, NULL);
    json_put_text(&id->out, "name", name);
    json_put_text(&id->out, "unit", unit);
    json_put_flag(&id->out, "excited", e->excited);
    json_put_number(&id->out, "value", e->value);
    json_put_number(&id->out, "error", e->error);
    json_put_number(&id->out, "low", e->low);
    json_put_number(&id->out, "high", e->high);
    json_close_object(&id->out);
    return;
  }
  if (!e->excited) {
    printf("  %-28s not excited by this log\n", name);
    return;
  }
  printf("  %-28s %12.6g   %12.6g to %-12.6g %s", name, e->value, e->low, e->high, unit);
  if (e->low <= 0 && e->high >= 0) printf("  hardly excited: the interval contains 0");
  printf("\n");
}

int identify_split(const char* list, char* room, size_t size, const char** names) {
  int count = 0;
  if (snprintf(room, size, "%s", list) >= (int)size)
    return identify_wrong("the list '%.40s...' is too long", list);
  for (char* at = room; at; ++count) {
    char* comma = strchr(at, ',');
    if (comma) *comma++ = '\0';
    if (!*at) return identify_wrong("a name is missing in the list '%.200s'", list);
    if (count == IDENTIFY_NAMES)
      return identify_wrong("the list '%.40s...' has more than %d names", list,
                            (int)IDENTIFY_NAMES);
    names[count] = at;
    at = comma;
  }
  return count;
}

HeftModel* identify_model(Identify* id) {
  if (id->model_path) return model_options_load(&id->model, id->model_path);
  HeftModel* model = id->log.model;
  id->log.model = NULL;
  if (!model) identify_wrong("%s has no model; give one with --model FILE", id->path);
  return model;
}

// ---- pulls

static int draw_pulls(const Identify* id, const HeftPulls* p, double slope, double offset) {
  double most = 0;
  for (int i = 0; i < p->count; ++i) most = p->load[i] > most ? p->load[i] : most;
  const double x[2] = {0, 1.05 * most}, y[2] = {offset, offset + slope * 1.05 * most};
  const PlotCurve curves[2] = {{.name = "measured",
                                .x = p->load,
                                .y = p->pull,
                                .count = (size_t)p->count,
                                .style = PLOT_POINTS},
                               {.name = "fit", .x = x, .y = y, .count = 2, .color = 1}};
  const PlotPanel panel = {.title = "Pull at the start of slip",
                           .x_label = "load [N]",
                           .y_label = "pull [N]",
                           .curves = curves,
                           .curve_count = 2};
  char title[300];
  snprintf(title, sizeof title, "Friction from %.200s", id->path);
  const Plot plot = {.title = title, .panels = &panel, .panel_count = 1, .columns = 1};
  return plot_write(id->plot, &plot);
}

// 0: failed (reported).
static int identify_from_pulls(Identify* id) {
  char room[2 * LOG_NAME + 2];
  const char* names[IDENTIFY_NAMES] = {0};
  HeftError error = {0};
  HeftEstimate coefficient, offset;
  if (identify_split(id->pulls, room, sizeof room, names) != 2)
    return identify_wrong("--pulls needs two columns, LOAD,PULL; found '%.100s'", id->pulls);
  const int load = log_table_need(&id->log, names[0], id->path, &error);
  const int pull = load < 0 ? -1 : log_table_need(&id->log, names[1], id->path, &error);
  if (pull < 0) return identify_fail(&error);
  double* x = calloc((size_t)id->log.rows, 2 * sizeof *x);
  if (!x) return identify_wrong("there is not enough memory");
  double* y = x + id->log.rows;
  log_table_copy(&id->log, load, x, 1);
  log_table_copy(&id->log, pull, y, 1);
  const HeftPulls p = {.load = x,
                       .pull = y,
                       .count = (int)id->log.rows,
                       .load_noise = id->load_noise,
                       .with_offset = id->with_offset,
                       .proportional = id->proportional,
                       .robust = id->robust};
  int well = heft_identify_pulls(&p, &coefficient, &offset, &error) == HEFT_OK;
  if (well) {
    if (!id->json) printf("%s: %d pulls\n\n", id->path, p.count);
    identify_print(id, "friction", "", &coefficient);
    if (id->with_offset) identify_print(id, "offset of the dynamometer", "N", &offset);
    if (id->plot) well = draw_pulls(id, &p, coefficient.value, offset.value);
  } else {
    identify_wrong("%s: %s", id->path, error.message);
  }
  free(x);
  return well;
}

// ---- the verb

static int take_flag(void* options, const char* name) {
  Identify* id = options;
  const struct {
    const char* name;
    int* flag;
  } flags[] = {{"--robust", &id->robust},
               {"--free-start", &id->free_start},
               {"--offset", &id->with_offset},
               {"--proportional", &id->proportional},
               {"--json", &id->json}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (strcmp(name, flags[i].name) == 0) return *flags[i].flag = 1;
  return 0;
}

static int take_value(void* options, const char* name, const char* value) {
  Identify* id = options;
  const struct {
    const char *name, **text;
  } texts[] = {{"--model", &id->model_path},    {"--key", &id->key},
               {"--sensors", &id->sensors},     {"--pulls", &id->pulls},
               {"--calibrate", &id->calibrate}, {"--wrench", &id->wrench},
               {"--reading", &id->reading},     {"--impacts", &id->impacts}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (strcmp(name, texts[i].name) == 0) return (*texts[i].text = value) != NULL;
  if (strcmp(name, "--load-noise") == 0)
    return arguments_positive("identify", value, &id->load_noise);
  if (strcmp(name, "--plot") == 0) {
    id->plot = value;
    return arguments_ending("identify", value, ".svg");
  }
  if (strcmp(name, "--fit") != 0) return -1;
  if (id->fit_count == IDENTIFY_NAMES)
    return arguments_wrong("identify", "too many parameters; the first that does not fit is",
                           value);
  id->fit[id->fit_count++] = value;
  return 1;
}

static int choose(Identify* id) {
  const int wanted = (id->fit_count > 0) + (id->pulls != NULL) + (id->calibrate != NULL) +
                     (id->wrench != NULL || id->reading != NULL) + (id->impacts != NULL);
  if (wanted != 1)
    return identify_wrong(
        "expected one of --fit, --pulls, --calibrate, --impacts, or --wrench with --reading; found "
        "%d of them",
        wanted);
  if ((id->wrench != NULL) != (id->reading != NULL))
    return identify_wrong("--wrench and --reading belong together");
  HeftError error = {0};
  if (!log_table_read(&id->log, id->path, &error)) return identify_fail(&error);
  if (id->json) {
    id->out = json_begin("identify");
    json_put_text(&id->out, "file", id->path);
    json_put_count(&id->out, "rows", id->log.rows);
    json_open_list(&id->out, "parameters");
  }
  const int well = id->fit_count > 0 ? identify_motion(id)
                   : id->pulls       ? identify_from_pulls(id)
                   : id->impacts     ? identify_impacts(id)
                                     : identify_sensor(id);
  if (id->json) {
    json_close_list(&id->out);
    json_put_flag(&id->out, "found", well);
    json_end(&id->out);
  } else if (well && id->plot) {
    printf("\n  figure: %s\n", id->plot);
  }
  log_table_release(&id->log);
  return well;
}

int heft_verb_identify(int argc, char** argv) {
  Identify* id = calloc(1, sizeof *id);
  if (!id) return 1;
  model_options_init(&id->model);
  const Arguments arguments = {.verb = "identify",
                               .help = help,
                               .model = &id->model,
                               .options = id,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &id->path};
  const int asked = arguments_read_file(&arguments, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1) result = choose(id) ? 0 : 1;
  model_options_release(&id->model);
  free(id);
  return result;
}
