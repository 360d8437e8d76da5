// SPDX-License-Identifier: Apache-2.0
#include "view/plugin_frame.h"

#include <stdio.h>

// ---- the canvas of a plug-in: marks of the frame

static const double thin = 0.004;  // radius of a line [m]

static void draw_arrow(void* user, HeftVec3 from, HeftVec3 along, uint32_t color) {
  heft_marks_add(user, HEFT_MARK_ARROW, from, along, thin, color);
}
static void draw_line(void* user, HeftVec3 from, HeftVec3 to, uint32_t color) {
  heft_marks_add(user, HEFT_MARK_ROD, from, heft_vec3_sub(to, from), thin, color);
}
static void draw_sphere(void* user, HeftVec3 center, double radius, uint32_t color) {
  heft_marks_add(user, HEFT_MARK_SPHERE, center, heft_vec3(0, 0, 0), radius, color);
}
static void draw_text(void* user, HeftVec3 pos, uint32_t color, const char* text) {
  heft_marks_text(user, pos, color, text);
}

// ---- copies

static HeftFrameField copy_field(const HeftOption* row, const char* plugin, double value) {
  HeftFrameField field = {.min = row->min, .max = row->max, .value = value};
  snprintf(field.name, sizeof field.name, "%.15s%s%.23s", plugin, plugin[0] ? " " : "", row->name);
  snprintf(field.unit, sizeof field.unit, "%.15s", row->unit);
  snprintf(field.meaning, sizeof field.meaning, "%.95s", row->meaning);
  return field;
}

static void copy_options(const HeftPluginSet* plugins, int i, HeftFramePlugin* to) {
  const HeftPlugin* p = heft_plugin_set_plugin(plugins, i);
  snprintf(to->name, sizeof to->name, "%.39s", p->name);
  snprintf(to->help, sizeof to->help, "%.95s", p->help);
  to->option_count = 0;
  for (int k = 0; k < p->options.count && to->option_count < HEFT_FRAME_FIELDS; ++k)
    to->option[to->option_count++] =
        copy_field(&p->options.option[k], "", heft_plugin_set_option(plugins, i, k));
}

static void copy_values(const HeftPluginSet* plugins, int i, HeftViewFrame* f) {
  const HeftPlugin* p = heft_plugin_set_plugin(plugins, i);
  for (int k = 0; k < p->values.count && f->plugin_value_count < HEFT_FRAME_FIELDS; ++k)
    f->plugin_value[f->plugin_value_count++] =
        copy_field(&p->values.option[k], p->name, heft_plugin_set_value(plugins, i, k));
}

void plugin_frame_fill(const HeftPluginSet* plugins, HeftViewFrame* frame) {
  const int count = plugins ? heft_plugin_set_count(plugins) : 0;
  frame->plugin_count = frame->plugin_value_count = 0;
  heft_marks_clear(&frame->plugin_marks);
  for (int i = 0; i < count; ++i) {
    if (i < HEFT_FRAME_PLUGINS) copy_options(plugins, i, &frame->plugin[frame->plugin_count++]);
    copy_values(plugins, i, frame);
  }
  const HeftPluginCanvas canvas = {&frame->plugin_marks, draw_arrow, draw_line, draw_sphere,
                                   draw_text};
  if (plugins) heft_plugin_set_draw(plugins, &canvas);
}

void plugin_frame_sample(const HeftPluginSet* plugins, HeftSample* sample) {
  const int count = plugins ? heft_plugin_set_count(plugins) : 0;
  int used = 0;
  for (int i = 0; i < count; ++i) {
    const int values = heft_plugin_set_plugin(plugins, i)->values.count;
    for (int k = 0; k < values && used < HEFT_FRAME_FIELDS; ++k)
      sample->plugin_value[used++] = (float)heft_plugin_set_value(plugins, i, k);
  }
}
