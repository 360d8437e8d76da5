// SPDX-License-Identifier: Apache-2.0
// The numbers of a run. They depend only on the plan and the number of the run: no run needs
// another one, and every machine computes the same bits.
#ifndef HEFT_APPS_SWEEP_SAMPLE_H
#define HEFT_APPS_SWEEP_SAMPLE_H

#include "sweep/plan.h"

/// Values of all variations of a run (vary_count). Of a keyframe: its place in the list.
void sample_run(const Plan* plan, int64_t run, double* values);
/// Checks what the method can do, and prepares the distributions; a part of reading a plan.
/// HEFT_ERR_VALUE: too many variations for Sobol.
HeftStatus sample_prepare(Plan* plan, HeftError* error);

/// A number above 0 and below 1 for each seed, purpose, run and dimension.
double sample_uniform(uint64_t seed, uint64_t purpose, uint64_t run, uint64_t dimension);
/// Image of x under a permutation of 0 .. count - 1 that key chooses.
uint64_t sample_permute(uint64_t x, uint64_t count, uint64_t key);
/// The normal quantile of 0 < p < 1.
double sample_normal(double p);
/// Seed of the noise of sensors of a run.
uint64_t sample_noise_seed(const Plan* plan, int64_t run);
/// Normal numbers of the impacts of a run, counted from 0.
double sample_impact(const Plan* plan, int64_t run, uint64_t number);

#endif
