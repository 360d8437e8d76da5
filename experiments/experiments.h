// SPDX-License-Identifier: Apache-2.0
// The experiments, in one table. Each has a file of its own.
#ifndef HEFT_EXPERIMENTS_EXPERIMENTS_H
#define HEFT_EXPERIMENTS_EXPERIMENTS_H

#include "experiments/lab.h"

/// X(name, function, where it comes from, what happens).
#define EXPERIMENT_LIST(X)                                                                         \
  X("stand", experiment_stand, "[Chardonnet 2012], section 5",                                     \
    "the HRP-2-like robot stands, and is pushed")                                                  \
  X("sway", experiment_sway, "[Moraud 2008], Fig. 9",                                              \
    "hips sway from foot to foot, with a plate under each")                                        \
  X("squat", experiment_squat, "[Moraud 2008], Fig. 11", "squats of 1.25 s and of 1 s on a plate") \
  X("walk", experiment_walk, "[Sugihara 2006], Fig. 10", "ten steps forward")                      \
  X("pillar", experiment_pillar, "[Chardonnet 2012], Fig. 9-13", "the hand pushes a fixed pillar") \
  X("lift", experiment_lift, "[Chardonnet 2012], Fig. 14",                                         \
    "a bar of 8.4 kg, and one of 23.4 kg, goes overhead")                                          \
  X("snatch", experiment_snatch, "[Chardonnet 2012], Fig. 14",                                     \
    "an optimised throw of 8.4 kg, and of 23.4 kg, overhead in open loop")                         \
  X("table", experiment_table, "[Chardonnet 2008], Fig. 3",                                        \
    "it takes a bar from a table, a user pulls and pushes it")                                     \
  X("sofa", experiment_sofa, "[Chardonnet 2012], Fig. 6",                                          \
    "it sits down on a sofa, a user leads its hand to a can")                                      \
  X("door", experiment_door, "[Chardonnet 2012], 5.2", "the hand opens a door by an impact")       \
  X("jump", experiment_jump, "[Sugihara 2006], Fig. 12", "it bends its knees, jumps, and lands")   \
  X("stumble", experiment_stumble, "[Sugihara 2006], Fig. 11", "pushed while it walks, it falls")  \
  X("toes", experiment_toes, "[Moraud 2008], Fig. 6",                                              \
    "it leans forward until it falls over its toes")                                               \
  X("vertices", experiment_vertices, "[Moraud 2008], Fig. 8",                                      \
    "bending and jumping on feet of 4 to 32 vertices")                                             \
  X("feet", experiment_feet, "[Moraud 2008], section VI",                                          \
    "a trunk drops on 1 to 8 feet: one choice a step against a search")                            \
  X("drop", experiment_drop, "[Sugihara 2006], Fig. 6",                                            \
    "a small robot dropped from 5 cm, at 1 and 2.5 ms")                                            \
  X("penalty", experiment_penalty, "[Chardonnet 2012], 1 and 5.2",                                 \
    "a small robot dropped, and a bar lifted, on springs of 45 settings")                          \
  X("lambda", experiment_lambda, "[Sugihara 2006], Fig. 7-8",                                      \
    "standing on a membrane, forces weighed by lambda")                                            \
  X("cost", experiment_cost, "[Sugihara 2006], Fig. 3",                                            \
    "what the weighed forces of one step leave, over the weight")                                  \
  X("slip", experiment_slip, "[Sugihara 2006], Fig. 9",                                            \
    "walking with and without static friction")                                                    \
  X("region", experiment_region, "[Sugihara 2006], Fig. 6-9",                                      \
    "a search for settings that show all figures")                                                 \
  X("motions", experiment_motions, "[Sugihara 2006], Fig. 10-12",                                  \
    "the small robot walks, falls and jumps on a membrane")                                        \
  X("avatar", experiment_avatar, "[Keith 2008], Fig. 3",                                           \
    "a person falls onto pebbles: more than 100 points")                                           \
  X("follow", experiment_follow, "[Keith 2008], Fig. 3",                                           \
    "a person takes a box, is led by it, and follows by steps")                                    \
  X("friction", experiment_friction, "[Moraud 2008], V-C",                                         \
    "coefficients of friction found by pulling")                                                   \
  X("greet", experiment_greet, "[Keith 2008], 2.1",                                                \
    "a simulated person is tapped, looks, and nods when its hand is shaken")                       \
  X("touches", experiment_touches, "[Keith 2008], 2.1",                                            \
    "a simulated person is touched 304 times, in eight ways")                                      \
  X("pair", experiment_pair, "[Keith 2008], 1",                                                    \
    "two persons meet palm to palm, and one leads the other")                                      \
  X("together", experiment_together, "own requirement",                                            \
    "two users lift a plank, and a box is created on it")                                          \
  X("share", experiment_share, "[Chardonnet 2012], Fig. 7-8",                                      \
    "a user leads the arm to a can, the gripper closes, both carry it")                            \
  X("groups", experiment_groups, "[Chardonnet 2008], Fig. 2",                                      \
    "1 to 30 cubes in one collision group, and in groups of one")                                  \
  X("delassus", experiment_delassus, "[Chardonnet 2012] and [Chardonnet 2008], Table 4",           \
    "three methods for the Delassus operator")

typedef struct Experiment {
  const char *name, *source, *text;
  void (*run)(Lab* lab);
} Experiment;

#define EXPERIMENT_DECLARE(name, function, source, text) void function(Lab* lab);
EXPERIMENT_LIST(EXPERIMENT_DECLARE)
#undef EXPERIMENT_DECLARE

/// Row i of the table, NULL beyond its end.
const Experiment* experiment_at(int i);
/// Runs it; its last claim is that on its steps (lab_claim_steps()).
void experiment_run(const Experiment* experiment, Lab* lab);
/// By its name; NULL if there is none.
const Experiment* experiment_find(const char* name);

#endif
