// SPDX-License-Identifier: Apache-2.0
// Tables of the settings of a world and of its contact models, for programs that set them by name.
#include <heft/world.h>
#include <limits.h>

#include "base/assert.h"
#include "base/option.h"

static const HeftOption world_rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftWorldDef, field, min, max, usual, unit, meaning)
    ROW(integrator, 0, HEFT_INTEGRATOR_COUNT - 1, HEFT_INTEGRATOR_MOREAU, "",
        "HeftIntegrator: 0 Moreau-Jean, 1 Runge-Kutta of order 4"),
    ROW(time_step, 0, 10, 0, "s", "length of a step; 0: that of the model"),
    ROW(theta, 0.5, 1, 0.5, "", "Moreau-Jean: 1/2 second order, 1 damps fast motion"),
    ROW(keep_momentum, 0, 1, 1, "", "1: floating trees conserve momentum to rounding"),
    ROW(contact_capacity, 0, INT_MAX, 0, "", "max contact points; 0: from the model's size"),
    ROW(margin, 0, 1e3, 0.001, "m", "contact points are made up to this distance"),
    ROW(tolerance, 0, 1, 1e-6, "", "relative residual to which contacts are solved"),
    ROW(effort_max, INT_MIN, INT_MAX, 0, "", "max effort of the solver per island; 0: by its kind"),
    ROW(seed, 0, 9007199254740992., 0, "", "seed of the noise of sensors"),
    ROW(substeps, 1, 1000, 1, "", "number of equal parts of a step"),
    ROW(rest, 0, 1, 1e-9, "", "islands rest below this times gravity times the time step"),
    ROW(sleep, 0, 1, 1, "", "1: islands that do not change are not solved again"),
    ROW(threads, 1, 64, 1, "", "threads that share the work of a step"),
    ROW(contact_model, 0, HEFT_CONTACT_MODEL_COUNT - 1, HEFT_CONTACT_MODEL_FROM_FILE, "",
        "HeftContactModel: 0 as the model file states, 1 exact"),
    ROW(spin_parts, 1, 100, 16, "", "max parts of a substep in which a tree turns fast"),
#undef ROW
};

static const HeftOption contact_rows[] = {
#define ROW(type, name, usual, min, max, text) \
  HEFT_OPTION(HeftContactOptions, name, min, max, usual, "", text),
    HEFT_CONTACT_OPTION_LIST(ROW)
#undef ROW
};

static const HeftOption bound_rows[] = {
#define ROW(id, name, unit, usual, status, place, text) \
  HEFT_OPTION(HeftStepBounds, name, (usual) < 0 ? -1 : 0, 1e300, usual, unit, text),
    HEFT_STEP_QUANTITY_LIST(ROW)
#undef ROW
};

HeftOptions heft_step_bounds_options(void) { return HEFT_OPTIONS(bound_rows); }

HeftStepBounds heft_step_bounds_default(void) {
  return (HeftStepBounds){
#define USUAL(id, name, unit, usual, status, place, text) .name = (usual),
      HEFT_STEP_QUANTITY_LIST(USUAL)
#undef USUAL
  };
}

HeftOptions heft_world_options(void) { return HEFT_OPTIONS(world_rows); }
HeftOptions heft_contact_model_options(void) { return HEFT_OPTIONS(contact_rows); }

HeftContactOptions heft_contact_options_default(void) {
  return (HeftContactOptions){
#define USUAL(type, name, usual, min, max, text) .name = (usual),
      HEFT_CONTACT_OPTION_LIST(USUAL)
#undef USUAL
  };
}

HeftStatus heft_contact_options_set(HeftContactOptions* options, const char* name, double value,
                                    HeftError* error) {
  HEFT_REQUIRE(options && name, HEFT_ERR_ARGUMENT);
  return heft_options_set(heft_contact_model_options(), options, name, value, error);
}
