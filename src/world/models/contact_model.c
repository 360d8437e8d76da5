// SPDX-License-Identifier: Apache-2.0
// Papers: R58.
// The table of contact models: selection, options, memory, and the functions that all models share.
#include "world/models/contact_model.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/kind_table.h"
#include "world/world_internal.h"

// NULL: the exact one, which needs no part of its own.
static const ContactModel* const table[] = {
    [HEFT_CONTACT_MODEL_PENALTY] = &heft_contact_penalty,
    [HEFT_CONTACT_MODEL_LCP] = &heft_contact_lcp,
    [HEFT_CONTACT_MODEL_MICRO_MACRO] = &heft_contact_micro_macro,
    [HEFT_CONTACT_MODEL_FOOT_EXACT] = &heft_contact_foot_exact,
    [HEFT_CONTACT_MODEL_FOOT_ONESTEP] = &heft_contact_foot_onestep,
    [HEFT_CONTACT_MODEL_LUGRE] = &heft_contact_lugre,
    [HEFT_CONTACT_MODEL_VOLUME] = &heft_contact_volume,
};
KIND_TABLE_COVERS(table, HEFT_CONTACT_MODEL_COUNT);

// ---- names

static const char* const names[] = {
#define NAME(id, name, meaning) name,
    HEFT_CONTACT_MODEL_LIST(NAME)
#undef NAME
};

static const char* const meanings[] = {
#define MEANING(id, name, meaning) meaning,
    HEFT_CONTACT_MODEL_LIST(MEANING)
#undef MEANING
};

static int is_model(HeftContactModel model) {
  return (int)model >= 0 && model < HEFT_CONTACT_MODEL_COUNT;
}

const char* heft_contact_model_name(HeftContactModel model) {
  return is_model(model) ? names[model] : "unknown";
}

const char* heft_contact_model_meaning(HeftContactModel model) {
  return is_model(model) ? meanings[model] : "unknown";
}

// Writes words with commas between them.
static void list_words(const char* const* words, int first, int count, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = first; i < count; ++i) {
    const size_t length = strlen(words[i]);
    if (used + length + 3 > size) return;
    if (i > first) {
      memcpy(text + used, ", ", 2);
      used += 2;
    }
    memcpy(text + used, words[i], length + 1);
    used += length;
  }
}

HeftStatus heft_contact_model_find(const char* word, HeftContactModel* out, HeftError* error) {
  HEFT_REQUIRE(word && out, HEFT_ERR_ARGUMENT);
  for (int i = 0; i < HEFT_CONTACT_MODEL_COUNT; ++i) {
    if (strcmp(word, names[i]) != 0) continue;
    *out = (HeftContactModel)i;
    return HEFT_OK;
  }
  char known[256];
  list_words(names, HEFT_CONTACT_MODEL_EXACT, HEFT_CONTACT_MODEL_COUNT, known, sizeof known);
  return heft_error_set(error, HEFT_ERR_NAME,
                        "there is no contact model '%.60s'; those that there are: %s", word, known);
}

// ---- choosing

// Sizes of the scratch of a model.
typedef struct ScratchSize {
  const Constraints* constraints;
  size_t numbers;
} ScratchSize;

static void place(void* object, Arena* arena, const void* user) {
  ModelScratch* s = object;
  const ScratchSize* size = user;
  const Constraints* c = size->constraints;
  s->numbers = arena_take(arena, size->numbers, double);
  s->twist = arena_take(arena, 12L * c->sizes.effectors, double);
  s->bias = arena_take(arena, c->set.row_capacity, double);
  s->before = arena_take(arena, c->set.row_capacity, double);
  s->missed = arena_take(arena, c->set.row_capacity, double);
  s->left = arena_take(arena, c->set.row_capacity, double);
  s->known = arena_take(arena, c->set.row_capacity, double);
  s->free = arena_take(arena, c->set.row_capacity, double);
  s->joints = arena_take(arena, c->set.capacity, HeftConstraintBlock);
}

// New scratch for all threads, or none at all.
static HeftStatus take_scratch(Constraints* c, const HeftAllocator* allocator,
                               const ContactModel* model, const HeftContactOptions* options,
                               HeftError* error) {
  enum { THREADS_MAX = 64 };
  ModelScratch* made[THREADS_MAX] = {NULL};
  Solvers* solvers = &c->solvers;
  const ScratchSize size = {c, model ? model->scratch(c->set.capacity, options) : 0};
  int failed = 0;
  for (int i = 0; model && !failed && i < solvers->worker_count; ++i) {
    ModelScratch start = {0};
    made[i] =
        heft_block_create(&start, sizeof start, place, &size, allocator, "a contact model", error);
    failed = !made[i];
  }
  for (int i = 0; i < solvers->worker_count; ++i) {
    ModelScratch** own = &solvers->workers[i].model;
    heft_block_destroy(failed ? made[i] : *own, allocator);
    if (!failed) *own = made[i];
  }
  return failed ? HEFT_ERR_MEMORY : HEFT_OK;
}

static HeftStatus resolve(const HeftModel* m, HeftContactModel asked, HeftContactModel* out,
                          HeftError* error) {
  *out = asked;
  if (!is_model(asked))
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "contact model %d is unknown", (int)asked);
  if (asked != HEFT_CONTACT_MODEL_FROM_FILE) return HEFT_OK;
  *out = HEFT_CONTACT_MODEL_EXACT;
  const char* word = m->names + m->contact_model[0];
  const HeftStatus status = *word ? heft_contact_model_find(word, out, error) : HEFT_OK;
  if (*out == HEFT_CONTACT_MODEL_FROM_FILE) *out = HEFT_CONTACT_MODEL_EXACT;
  return status;
}

// The thickest layers of two shapes, one on the other.
static double thickest_layers(const HeftModel* m) {
  double first = 0, second = 0;
  for (int s = 0; s < m->nshape; ++s) {
    const double* layer = m->material_layer + 3L * m->shape_material[s];
    const double thick = layer[0] > 0 ? layer[2] : 0;
    second = fmax(second, fmin(first, thick));
    first = fmax(first, thick);
  }
  return first + second;
}

// Contact points must be found as far away as the layer is thick.
static HeftStatus check_membrane(const HeftModel* m, double margin, HeftContactModel model,
                                 const HeftContactOptions* o, HeftError* error) {
  const double thick = thickest_layers(m);
  if (model != HEFT_CONTACT_MODEL_MICRO_MACRO) return HEFT_OK;
  if (thick > margin)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the layers of two materials are %g m thick together, but bodies are "
                          "watched for contact within %g m only: set the margin of the world's def "
                          "to at least as much",
                          thick, margin);
  if (o->membrane <= margin) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE,
                        "the membrane is %g m thick, but bodies are watched for contact within %g "
                        "m only: set the margin of the world's def to at least as much",
                        o->membrane, margin);
}

// The stored numbers of contact points have another meaning under another model.
static void forget_memory(WarmStart* warm) {
  for (int i = 0; i < warm->contact_count; ++i)
    memset(warm->contact[i].memory, 0, sizeof warm->contact[i].memory);
}

// Uses a law of the user's, or the contact model that was found if there is no law. `before` is the
// law of the last step.
static HeftStatus use(Constraints* c, const HeftAllocator* allocator, const HeftContactLaw* before,
                      const HeftContactLaw* law, HeftContactModel found,
                      const HeftContactOptions* options, HeftError* error) {
  const ContactModel *old = c->contact_model, *new = table[found];
  if (law) new = law->yields ? &heft_contact_law_yielding : &heft_contact_law_rigid;
  const HeftStatus status = take_scratch(c, allocator, new, options, error);
  if (status != HEFT_OK) return status;
  const int same = law == before && (old == new || (old && new && old->clamps&& new->clamps));
  if (!same) forget_memory(&c->warm_start);
  c->contact_model = new;
  return HEFT_OK;
}

HeftStatus heft_world_set_contact_model(HeftWorld* w, HeftContactModel model,
                                        const HeftContactOptions* options, HeftError* error) {
  HEFT_REQUIRE(w, HEFT_ERR_ARGUMENT);
  const HeftContactOptions used = options ? *options : w->def.contact_options;
  HeftContactModel found = HEFT_CONTACT_MODEL_EXACT;
  HeftStatus status = heft_options_check(heft_contact_model_options(), &used, error);
  if (status == HEFT_OK) status = resolve(w->model, model, &found, error);
  if (status == HEFT_OK) status = check_membrane(w->model, w->def.margin, found, &used, error);
  if (status == HEFT_OK)
    status =
        use(w->constraints, &w->def.allocator, w->input.law, w->input.law, found, &used, error);
  if (status != HEFT_OK) return status;
  w->def.contact_model = found;
  w->def.contact_options = used;
  return HEFT_OK;
}

HeftStatus heft_world_set_contact_law(HeftWorld* w, const HeftContactLaw* law, const void* user,
                                      HeftError* error) {
  HEFT_REQUIRE(w, HEFT_ERR_ARGUMENT);
  if (law && (!law->name || !law->name[0] || !law->solve))
    return heft_error_set(error, HEFT_ERR_VALUE, "a contact law needs a name and a function solve");
  if (!law && !w->input.law) return HEFT_OK;
  const HeftStatus status = use(w->constraints, &w->def.allocator, w->input.law, law,
                                w->def.contact_model, &w->def.contact_options, error);
  if (status != HEFT_OK && law) return status;
  if (status != HEFT_OK) {  // the exact model needs no memory
    w->def.contact_model = HEFT_CONTACT_MODEL_EXACT;
    w->constraints->contact_model = NULL;
  }
  w->input.law = law;
  w->input.law_user = law ? user : NULL;
  heft_world_identify(w);
  return status;
}

const HeftContactLaw* heft_world_contact_law(const HeftWorld* w) {
  HEFT_REQUIRE(w, NULL);
  return w->input.law;
}

void heft_contact_model_end(Solvers* solvers, const HeftAllocator* allocator) {
  for (int i = 0; i < solvers->worker_count; ++i)
    heft_block_destroy(solvers->workers[i].model, allocator);
}

HeftContactModel heft_world_contact_model(const HeftWorld* w) {
  HEFT_REQUIRE(w, HEFT_CONTACT_MODEL_FROM_FILE);
  return w->def.contact_model;
}
HeftContactOptions heft_world_contact_options(const HeftWorld* w) {
  HEFT_REQUIRE(w, ((HeftContactOptions){0}));
  return w->def.contact_options;
}

// ---- shared by all models

const HeftContactPoint* heft_model_contact_point(const ModelTask* t, int contact) {
  return &t->set->contact_points.point[t->set->list[t->source[contact]].source];
}

const double* heft_model_start(const ModelTask* t, int contact) {
  return t->start + t->set->list[t->source[contact]].row;
}

double* heft_model_memory(const ModelTask* t, int contact) {
  return t->memory[t->set->list[t->source[contact]].source];
}

static double in_series(double a, double b) { return a + b > 0 ? a * b / (a + b) : 0; }

int heft_model_layer(const ModelTask* t, int contact, double layer[3]) {
  const HeftModel* m = t->model;
  const HeftContactPoint* point = heft_model_contact_point(t, contact);
  const double* both[2];
  int count = 0;
  if (point->pair >= 0) {
    both[count++] = m->material_layer + 3L * m->pair_material[point->pair];
  } else {
    both[count++] = m->material_layer + 3L * m->shape_material[point->shape_a];
    both[count++] = m->material_layer + 3L * m->shape_material[point->shape_b];
  }
  const double* own[2];
  int layers = 0;
  for (int i = 0; i < count; ++i) {
    if (both[i][0] > 0) own[layers++] = both[i];
  }
  for (int i = 0; i < 3 && layers > 0; ++i) layer[i] = own[0][i];
  if (layers < 2) return layers > 0;
  layer[0] = in_series(own[0][0], own[1][0]);
  layer[1] = in_series(own[0][1], own[1][1]);
  layer[2] = own[0][2] + own[1][2];
  return 1;
}

static void solve_joints(ModelTask* t) {
  const HeftContactProblem* p = t->problem;
  const int rows = p->row_count - t->contact_rows, count = p->constraint_count - t->contact_points;
  ModelScratch* s = t->scratch;
  memset(t->impulse + t->contact_rows, 0, (size_t)rows * sizeof(double));
  heft_operator_apply(p, t->impulse, s->before, s->twist);
  memcpy(s->bias, s->before + t->contact_rows, (size_t)rows * sizeof(double));
  for (int i = 0; i < count; ++i) {
    s->joints[i] = p->constraints[t->contact_points + i];
    s->joints[i].row -= t->contact_rows;
  }
  HeftContactProblem joints = *p;
  joints.constraint_count = count;
  joints.row_count = rows;
  joints.constraints = s->joints;
  joints.bias = s->bias;
  joints.warm = p->warm + t->contact_rows;
  joints.jacobian = p->jacobian + 12L * t->contact_rows;
  const HeftContactResult solved =
      heft_contact_solver_solve(t->solver, &joints, t->stop, t->impulse + t->contact_rows, NULL);
  HeftContactResult* all = t->result;  // of the model and of all solves of the joints
  all->status = solved.status;
  all->effort += solved.effort;
  all->sweeps += solved.sweeps;
  all->newton_steps += solved.newton_steps;
  all->accelerations += solved.accelerations;
  all->clamp = fmin(all->clamp, solved.clamp);
  all->search_ns += solved.search_ns;
  all->start = solved.start;
  all->displacement = solved.displacement;
  all->relative =
      heft_contact_certify(&joints, t->impulse + t->contact_rows, NULL, t->certificate_scratch)
          .relative;
}

// The velocity to which residuals of an island are relative.
static double reference(const HeftContactProblem* p) {
  double max = p->velocity_scale;
  for (int r = 0; r < p->row_count; ++r) max = fmax(max, fabs(p->bias[r]));
  return max;
}

void heft_model_finish(ModelTask* t) {
  if (t->problem->constraint_count > t->contact_points) solve_joints(t);
  heft_operator_apply(t->problem, t->impulse, t->velocity, t->scratch->twist);
}

// The error of a turn falls by a constant factor, slowly where joints couple several contact
// points: by 0.998 a turn where a robot lies on its limits and on a soft layer. So from some turn
// on, the errors of two turns give a secant: the free velocity at which the error would vanish if
// it had a single factor [Anderson 1965].
enum { TURNS = 100, PLAIN_TURNS = 10 };
static const double turn_tolerance = 1e-8;  // of the velocity that gravity adds in a step

// Free velocities of the next turn, from the ones of this turn and what its impulses left.
static void extrapolate(const ModelTask* t, int turn) {
  ModelScratch* s = t->scratch;
  const int rows = t->contact_rows;
  double along = 0, square = 0;
  for (int r = 0; r < rows; ++r) {
    const double missed = s->before[r] - s->free[r], change = missed - s->missed[r];
    along += missed * change;
    square += change * change;
    s->missed[r] = missed;
  }
  const double share = turn > PLAIN_TURNS && square > 0 ? along / square : 0;
  for (int r = 0; r < rows; ++r) {
    const double left = s->before[r];
    s->free[r] = left - share * (left - s->left[r]);
    s->left[r] = left;
  }
}

void heft_model_alternate(ModelTask* t, void (*contact_points)(ModelTask*, const double*, void*),
                          void* user) {
  const HeftContactProblem* p = t->problem;
  const size_t known = (size_t)t->contact_rows * sizeof(double),
               joints = (size_t)(p->row_count - t->contact_rows) * sizeof(double);
  ModelScratch* s = t->scratch;
  memcpy(s->known, t->impulse, known);
  memcpy(t->impulse + t->contact_rows, p->warm + t->contact_rows, joints);
  double change = 0;
  for (int turn = 0; turn < TURNS; ++turn) {
    change = 0;
    memcpy(t->impulse, s->known, known);
    heft_operator_apply(p, t->impulse, s->before, s->twist);
    for (int r = 0; r < t->contact_rows && turn > 0; ++r)
      change = fmax(change, fabs(s->before[r] - s->free[r]));
    if (turn == 0) memcpy(s->free, s->before, known);
    const int done = turn > 0 && change <= turn_tolerance * t->weight_speed;
    if (turn > 0) extrapolate(t, done ? 0 : turn);
    contact_points(t, s->free, user);
    heft_model_finish(t);
    if (joints == 0 || done) return;
  }
  t->result->relative = fmax(t->result->relative, change / reference(p));
}

int heft_contact_model_solve(const ContactModel* model, ModelTask* t) {
  const HeftContactProblem* p = t->problem;
  while (t->contact_points < p->constraint_count &&
         t->set->list[t->source[t->contact_points]].kind == CONSTRAINT_CONTACT)
    t->contact_rows += heft_constraint_type_row_count(p->constraints[t->contact_points++].type);
  *t->result = (HeftContactResult){.status = HEFT_CONTACT_SOLVED, .clamp = 1};
  return model->solve(t);
}
