// SPDX-License-Identifier: Apache-2.0
// The keepers of a step, one after the other. Momentum comes first: the energy keepers scale the
// motion relative to a group's motion as one rigid body.
#include "world/keepers.h"

#include "world/balance.h"

void heft_keepers_place(Keepers* x, Arena* arena, const HeftModel* m) {
  heft_momentum_place(&x->groups, arena, m);
  heft_spin_place(&x->spin, arena, m);
  heft_restore_place(&x->restore, arena, m);
  heft_soft_store_place(&x->soft_store, arena, m);
}

void heft_keepers_begin(Keepers* x, const KeeperStep* step) {
  const Constraints* c = step->constraints;
  heft_momentum_begin(&x->groups, step->in, &c->set, &c->islands, step->dynamics);
  heft_restore_begin(&x->restore, step->in, step->dynamics, c->midpoint.any || c->midpoint.hit);
  heft_soft_store_begin(&x->soft_store, step->in, step->dynamics, &c->set, &c->warm_start);
}

void heft_keepers_act(Keepers* x, const KeeperStep* step) {
  const Constraints* c = step->constraints;
  const double h = step->in->h;
  heft_restore_choose(&x->restore, step->in, &c->set, &c->islands,
                      c->midpoint.any || c->midpoint.hit);
  heft_momentum_act(&x->groups, step->dynamics, step->in->model, step->drive_force, h, 0.5 * h * h);
}

void heft_keepers_work(Keepers* x, const KeeperStep* step) {
  const Constraints* c = step->constraints;
  const RowSolution rows = {.impulse = c->solution.impulse,
                            .velocity = c->solution.velocity,
                            .bias = c->round.bias,
                            .speed = step->speed};
  BalanceStep balance = {.v = step->v,
                         .v_bias = step->v_bias,
                         .tension = step->tension,
                         .change = step->change,
                         .force = step->force};
  heft_restore_work(&x->restore, step->in, step->dynamics, &c->set, &balance, &rows);
  balance.q_middle = step->q_middle;
  heft_soft_store_work(&x->soft_store, step->in, step->dynamics, &c->set, &balance, &rows);
  heft_spin_work(&x->spin, step->in, step->dynamics, &c->set, &balance, &rows);
}

int heft_keepers_finish(Keepers* x, const KeeperStep* step, WarmStart* warm, HeftState* state,
                        HeftStepReport* report) {
  const StepInput* in = step->in;
  const Constraints* c = step->constraints;
  const int* held = x->restore.any ? c->islands.active : c->lasting.touched;
  const int bounded = heft_momentum_finish(&x->groups, step->dynamics, in->model, in->h, state);
  const RestoreLoops loops = {in, &c->set, c->solution.impulse, step->speed};
  report->scheme_work += heft_restore_finish(&x->restore, &loops, &c->islands, &x->groups,
                                             step->dynamics, x->spin.fast, state);
  report->restrained = bounded + heft_spin_project(&x->spin, in, step->dynamics, c->islands.active,
                                                   held, &x->groups, state);
  heft_soft_store_finish(&x->soft_store, &c->islands, &c->set, &x->groups, step->dynamics,
                         report->correction_work, warm, state);
  report->correction_work += x->groups.lift;
  return x->groups.count > 0 || x->restore.any || x->spin.any || x->soft_store.any;
}
