// SPDX-License-Identifier: Apache-2.0
// Papers: R59, U6.
// The source and its header: the sections of one model, wrapped in functions.
#include "generate/generate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generate/robot.h"
#include "model/tree.h"

void generate_prefix(const char* text, char* out, size_t size) {
  size_t n = 0;
  const char first = text[0];
  if (first >= '0' && first <= '9' && size > 1) out[n++] = '_';
  for (size_t i = 0; text[i] && n + 1 < size; ++i) {
    const char c = text[i];
    const int fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out[n++] = fits ? c : '_';
  }
  out[n] = '\0';
  if (n == 0) snprintf(out, size, "model");
}

void robot_say(Robot* robot, const char* format, ...) {
  va_list list;
  char line[256];
  va_start(list, format);
  const int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  const size_t needed = robot->prelude_length + (size_t)length + 1;
  if (needed > robot->prelude_capacity) {
    char* larger = realloc(robot->prelude, 2 * needed);
    if (!larger) {
      robot->graph.failed = true;
      return;
    }
    robot->prelude = larger;
    robot->prelude_capacity = 2 * needed;
  }
  memcpy(robot->prelude + robot->prelude_length, line, (size_t)length + 1);
  robot->prelude_length += (size_t)length;
}

// ---- the expressions

static int robot_open(Robot* robot, const HeftModel* model) {
  memset(robot, 0, sizeof *robot);
  robot->model = model;
  const size_t nlink = (size_t)model->tree->nlink, nv = (size_t)model->nv + 1;
  robot->pose = calloc(nlink, sizeof *robot->pose);
  robot->origin = calloc(nlink, sizeof *robot->origin);
  robot->spin = calloc(nlink, sizeof *robot->spin);
  robot->axis = calloc(nv, sizeof *robot->axis);
  robot->velocity = calloc(nlink, sizeof *robot->velocity);
  robot->acceleration = calloc(nlink, sizeof *robot->acceleration);
  robot->force = calloc(nlink, sizeof *robot->force);
  robot->hinge = calloc((size_t)model->tree->stage_count + 1, sizeof *robot->hinge);
  return graph_open(&robot->graph) && robot->pose && robot->origin && robot->spin && robot->axis &&
         robot->velocity && robot->acceleration && robot->force && robot->hinge;
}

static void robot_close(Robot* robot) {
  graph_close(&robot->graph);
  free(robot->pose);
  free(robot->origin);
  free(robot->spin);
  free(robot->axis);
  free(robot->velocity);
  free(robot->acceleration);
  free(robot->force);
  free(robot->hinge);
  free(robot->prelude);
}

static void build(Robot* robot) {
  for (int f = 0; f < GENERATED_COUNT; ++f) {
    graph_begin_section(&robot->graph);
    if (f == GENERATED_KINEMATICS) robot_kinematics(robot);
    if (f == GENERATED_BODY_POSES) robot_body_poses(robot);
    if (f == GENERATED_RNEA) robot_rnea(robot, true);
    if (f == GENERATED_BIAS) robot_rnea(robot, false);
    if (f == GENERATED_CRBA) robot_crba(robot);
  }
}

// ---- the text

typedef struct FunctionText {
  const char *name, *parameters, *arguments, *comment;
  bool writes;  ///< it stores into the data
} FunctionText;

static const FunctionText functions[GENERATED_COUNT] = {
    {"kinematics", ", const double* restrict q", ", q",
     "Poses, motion axes and inertias at q (nq). All other functions need it.", true},
    {"body_poses", ", double* restrict pos, double* restrict rot", ", pos, rot",
     "Poses of all bodies in the world: pos (nbody x 3), rot (nbody x 9, row-major).", false},
    {"rnea", ", const double* restrict v, const double* restrict a, double* restrict tau",
     ", v, a, tau", "Inverse dynamics: tau = M a + b(q, v) (nv), gravity in b.", false},
    {"bias", ", const double* restrict v, double* restrict tau", ", v, tau",
     "The same without acceleration: tau = b(q, v).", false},
    {"crba", "", "", "The mass matrix, armature included, by rows along the paths of the tree.",
     true},
};

static void write_header(const Robot* robot, const GenerateDef* def, FILE* out) {
  const HeftModel* m = robot->model;
  const char* p = def->prefix;
  fprintf(
      out,
      "// Written by heft generate from %s; edit the model instead.\n"
      "// Dynamics of this one model, with the bits of heft_dynamics_...() of <heft/dynamics.h>\n"
      "// for finite numbers; a result that is zero may have the other sign.\n"
      "// model hash %016llx, gravity (%.17g, %.17g, %.17g) m/s^2\n"
      "#ifndef %s_DYNAMICS_H\n#define %s_DYNAMICS_H\n\n",
      def->origin, (unsigned long long)heft_model_hash(m), m->physics.gravity[0],
      m->physics.gravity[1], m->physics.gravity[2], p, p);
  fprintf(out, "enum { %s_nq = %d, %s_nv = %d, %s_nbody = %d };\n\n", p, m->nq, p, m->nv, p,
          m->nbody);
  fprintf(out,
          "/// Results of the last calls. Plain data: a copy is a copy.\n"
          "typedef struct %s_data {\n"
          "  _Alignas(32) double slot[%d][4];  ///< of the kinematics\n"
          "  _Alignas(32) double mass[%d];  ///< of the mass matrix, see %s_mass_matrix()\n"
          "} %s_data;\n\n",
          p, robot->graph.slot_count > 0 ? robot->graph.slot_count : 1,
          m->tree->row_count > 0 ? m->tree->row_count : 1, p, p);
  for (int f = 0; f < GENERATED_COUNT; ++f)
    fprintf(out, "/// %s\nvoid %s_%s(%s%s_data* data%s);\n", functions[f].comment, p,
            functions[f].name, functions[f].writes ? "" : "const ", p, functions[f].parameters);
  fprintf(out,
          "/// The mass matrix of %s_crba() as nv x nv numbers, row-major.\n"
          "void %s_mass_matrix(const %s_data* data, double* restrict out);\n\n#endif\n",
          p, p, p);
}

static const char beginning[] =
    "#ifdef __FAST_MATH__\n"
    "#error \"compile without -ffast-math: it changes the results\"\n"
    "#endif\n"
    "#if defined(__clang__)\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#else\n"
    "#pragma GCC optimize(\"fp-contract=off\")\n"
    "#endif\n"
    "// Vectors of the compiler (gcc 12, clang 14 or newer), not of a processor: every component "
    "does\n"
    "// the IEEE operation of a double. With HEFT_GENERATED_CLONES the loader chooses AVX2.\n"
    "typedef double V4 __attribute__((vector_size(32), may_alias));\n"
    "#define NEXT(a) __builtin_shufflevector(a, a, 1, 2, 0, 3)\n"
    "#define ALL(a, i) __builtin_shufflevector(a, a, i, i, i, i)\n"
    "#define SLOT(i) (slot[i])\n"
    "#define ROW(i) (row[(i) / 4])\n"
    "#ifdef HEFT_GENERATED_CLONES\n"
    "#define CLONES __attribute__((target_clones(\"default\", \"avx2\")))\n"
    "#else\n"
    "#define CLONES\n"
    "#endif\n";

// The functions of libheft that the code calls; hinges need only the first one.
static const char* library_of(const Robot* robot) {
  const HeftTree* t = robot->model->tree;
  for (int k = 0; k < t->nlink; ++k)
    if (t->link[k].kind == LINK_GENERAL)
      return "// Of libheft; see <heft/math.h>.\n"
             "typedef struct HeftQuat {\n  double w, x, y, z;\n} HeftQuat;\n"
             "HeftQuat heft_quat_normalize(HeftQuat q);\n"
             "void heft_sincos(double x, double* s, double* c);\n"
             "void heft_sincos_many(int n, const double* x, double* s, double* c);\n";
  return "// Of libheft; see <heft/math.h>.\n"
         "void heft_sincos_many(int n, const double* x, double* s, double* c);\n";
}

static int write_function(const Robot* robot, const GenerateDef* def, int f, FILE* out,
                          OperationCount* count) {
  const FunctionText* text = &functions[f];
  const char *p = def->prefix, *constant = text->writes ? "" : "const ";
  fprintf(out, "\nCLONES static void %s_%s_kernel(%s%s_data* restrict data%s) {\n", p, text->name,
          constant, p, text->parameters);
  fprintf(out, "  %sV4* slot = (%sV4*)data->slot;\n  (void)slot;\n", constant, constant);
  if (f == GENERATED_CRBA) fprintf(out, "  V4* row = (V4*)data->mass;\n  (void)row;\n");
  if (f == GENERATED_KINEMATICS && robot->prelude) fprintf(out, "%s", robot->prelude);
  if (!text_write_section(&robot->graph, f, out, count)) return 0;
  fprintf(out, "}\n\nvoid %s_%s(%s%s_data* data%s) { %s_%s_kernel(data%s); }\n", p, text->name,
          constant, p, text->parameters, p, text->name, text->arguments);
  return 1;
}

static void write_mass_matrix(const Robot* robot, const GenerateDef* def, FILE* out) {
  const HeftTree* t = robot->model->tree;
  const int nv = t->nv;
  fprintf(out,
          "\nvoid %s_mass_matrix(const %s_data* data, double* restrict out) {\n"
          "  for (int i = 0; i < %d; ++i) out[i] = 0;\n",
          def->prefix, def->prefix, nv * nv);
  for (int i = 0; i < nv; ++i) {
    for (int e = 0; e <= t->dof_depth[i]; ++e) {
      const int j = t->path[t->row[i] + e];
      if (i == j)
        fprintf(out, "  out[%d] = data->mass[%d];\n", i * nv + i, t->row[i] + e);
      else
        fprintf(out, "  out[%d] = out[%d] = data->mass[%d];\n", i * nv + j, j * nv + i,
                t->row[i] + e);
    }
  }
  fprintf(out, "}\n");
}

HeftStatus generate_dynamics(const HeftModel* model, const GenerateDef* def, FILE* source,
                             FILE* header, OperationCount counts[GENERATED_COUNT],
                             HeftError* error) {
  if (model->nmoved > 0)
    return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                          "body '%s' is moved by the program; heft generate has no input for it",
                          heft_model_name(model, HEFT_NAMED_BODY, model->moved_body[0]));
  Robot robot;
  OperationCount own[GENERATED_COUNT];
  OperationCount* count = counts ? counts : own;
  memset(count, 0, GENERATED_COUNT * sizeof *count);
  int well = robot_open(&robot, model);
  if (well) {
    build(&robot);
    fprintf(
        source,
        "// Written by heft generate from %s; edit the model instead.\n#include \"%s\"\n\n%s\n%s",
        def->origin, def->header, library_of(&robot), beginning);
    for (int f = 0; f < GENERATED_COUNT && well; ++f)
      well = write_function(&robot, def, f, source, &count[f]);
    write_mass_matrix(&robot, def, source);
    write_header(&robot, def, header);
    well = well && !robot.graph.failed;
  }
  robot_close(&robot);
  if (!well) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the generated code");
  return HEFT_OK;
}
