// SPDX-License-Identifier: Apache-2.0
// The evidence of steps, for the program heft-check: the model and all numbers of each step as
// little-endian numbers of 64 bits in an MCAP file. docs/manual/how-to-check.md has the layout.
#ifndef HEFT_APPS_EVIDENCE_H
#define HEFT_APPS_EVIDENCE_H

#include <heft/world.h>

typedef struct Evidence Evidence;

/// Opens a file and writes the model as the world has it. NULL if it cannot be written (reported on
/// stderr).
Evidence* evidence_open(const char* path, const HeftWorld* world, const HeftWorldDef* def);
/// Before each step: stores the state. NULL is allowed.
void evidence_before(Evidence* evidence, const HeftWorld* world);
/// After each step: writes it. NULL is allowed.
void evidence_after(Evidence* evidence, HeftWorld* world, const HeftStepReport* report);
/// Returns 0 if a write failed (reported on stderr). NULL is allowed.
int evidence_close(Evidence* evidence);

#endif
