// SPDX-License-Identifier: Apache-2.0
#include "load_option.h"

#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "names.h"

int load_options_take(LoadOptions* options, const char* verb, const char* text) {
  if (options->count == JUDGE_LOADS)
    return arguments_wrong(verb, "there are 8 loads at most; one more is", text);
  options->text[options->count++] = text;
  return 1;
}

static int find_body(const char* verb, const HeftModel* m, const char* name) {
  const int body = heft_model_find(m, HEFT_NAMED_BODY, name);
  if (body < 0) names_wrong_in(verb, "the model has no body named", name, m, HEFT_NAMED_BODY);
  return body;
}

static int read_load(const char* verb, const HeftModel* m, const char* text, JudgeLoad* out) {
  char name[200];
  const char* equals = strrchr(text, '=');
  double x[4];
  int used = 0;
  if (!equals || equals - text >= (long)sizeof name ||
      sscanf(equals + 1, "%lf@%lf,%lf,%lf%n", &x[0], &x[1], &x[2], &x[3], &used) != 4 ||
      equals[1 + used] || !(x[0] >= 0 && x[0] < 1e6) ||
      !(fabs(x[1]) + fabs(x[2]) + fabs(x[3]) < 1e3))
    return arguments_wrong(verb, "expected --load BODY=MASS@X,Y,Z, found", text);
  snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
  *out = (JudgeLoad){find_body(verb, m, name), x[0], heft_vec3(x[1], x[2], x[3])};
  return out->body >= 0;
}

int load_options_apply(const LoadOptions* options, const char* verb, const HeftModel* model,
                       const char* support, JudgeDef* def) {
  if (support && (def->support = find_body(verb, model, support)) < 0) return 0;
  for (int i = 0; i < options->count; ++i)
    if (!read_load(verb, model, options->text[i], &def->load[i])) return 0;
  def->load_count = options->count;
  return 1;
}
