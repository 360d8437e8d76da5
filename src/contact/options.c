// SPDX-License-Identifier: Apache-2.0
// Tables of the settings of a contact solver, for programs that set them by name.
#include <heft/contact.h>
#include <limits.h>

#include "base/option.h"

static const HeftOption solver_rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftContactSolverDef, field, min, max, usual, unit, meaning)
    ROW(constraint_capacity, 1, 1 << 24, 256, "", "max number of constraint blocks of a problem"),
    ROW(row_capacity, 0, 6 << 24, 0, "", "max number of rows; 0: 3 per constraint block"),
    ROW(block_capacity, 0, INT_MAX, 0, "", "max number of explicit blocks; 0: effectors only"),
    ROW(effector_capacity, 0, INT_MAX, 512, "", "max number of effectors; 0: explicit blocks only"),
    ROW(tree_effector_capacity, 0, INT_MAX, 16, "", "max number of effectors of one tree"),
    ROW(omega_capacity, 0, 9007199254740992., 0, "numbers",
        "max size of the matrices of trees of more than one effector; 0: as if all were as large "
        "as "
        "allowed"),
    ROW(factor_bytes, 0, 9007199254740992., 0, "bytes",
        "memory for the Newton factor; 0: chosen from the capacities"),
    ROW(method, 0, HEFT_CONTACT_METHOD_COUNT - 1, HEFT_CONTACT_METHOD_AUTO, "",
        "HeftContactMethod: 0 auto, 1 sweep, 2 accelerated, 3 Newton"),
    ROW(proximal, 1e-3, 1, 0.03, "", "block-proximal term relative to the trace of the block"),
#undef ROW
};

static const HeftOption termination_rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftContactTermination, field, min, max, usual, unit, meaning)
    ROW(tolerance, 0, 1, 1e-8, "", "relative residual at which a solve ends"),
    ROW(effort_max, INT_MIN, INT_MAX, 100000, "",
        "max effort; 0: by the kind of the problem; negative: none, the warm impulses or zero are "
        "returned"),
    ROW(polish, 0, INT_MAX, 0, "", "effort that may be spent after the tolerance is met"),
    ROW(deadline_ns, 0, 9007199254740992., 0, "ns", "heft_clock_ns() at which to end; 0: none"),
    ROW(effort_min, 0, INT_MAX, 0, "", "effort that is spent whatever the deadline"),
#undef ROW
};

HeftOptions heft_contact_solver_options(void) { return HEFT_OPTIONS(solver_rows); }
HeftOptions heft_contact_termination_options(void) { return HEFT_OPTIONS(termination_rows); }
