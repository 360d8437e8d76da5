// SPDX-License-Identifier: Apache-2.0
// Mechanisms whose motion shows the order of the time-stepping scheme: loops, dry friction, limits
// and contact. For the tests and for `heft validate order`.
#ifndef HEFT_SCENES_LINKAGES_H
#define HEFT_SCENES_LINKAGES_H

#define LINKAGE_ROD(name, pos, joint, end)                                               \
  "<body name='" name "' pos='" pos "'>" joint "<geom type='capsule' fromto='0 0 0 " end \
  "' size='.01' mass='.5' contype='0' conaffinity='0'/>"
#define LINKAGE_HINGE "<joint type='hinge' axis='0 1 0'/>"
#define LINKAGE_WORLD(gravity) \
  "<mujoco><option timestep='0.001' gravity='0 0 " gravity "'/><worldbody>"

// A crank that turns round, a coupler and a rocker.
static const char linkage_four_bar[] =
    LINKAGE_WORLD("0") LINKAGE_ROD("a", "0 0 0", LINKAGE_HINGE, "0 0 .2") LINKAGE_ROD("b", "0 0 .2", LINKAGE_HINGE, ".5 0 .3")
    "</body></body>" LINKAGE_ROD("c", ".5 0 0", LINKAGE_HINGE, "0 0 .5")
    "</body></worldbody><equality><connect body1='b' body2='c' anchor='.5 0 .3'/></equality>"
    "</mujoco>";

// Two degrees of freedom under gravity.
static const char linkage_five_bar[] =
    LINKAGE_WORLD("-9.81") LINKAGE_ROD("a", "0 0 0", LINKAGE_HINGE, "0 0 .3") LINKAGE_ROD("b", "0 0 .3", LINKAGE_HINGE, ".3 0 .3")
    "</body></body>" LINKAGE_ROD("c", ".6 0 0", LINKAGE_HINGE, "0 0 .3") LINKAGE_ROD("d", "0 0 .3", LINKAGE_HINGE, "-.3 0 .3")
    "</body></body></worldbody>"
    "<equality><connect body1='b' body2='d' anchor='.3 0 .3'/></equality></mujoco>";

// A loop that floats freely, with a joint at its limit for a part of the time.
#define LINKAGE_FLOATING(gravity, limit) \
  LINKAGE_WORLD(gravity) "<body name='base' pos='0 0 5'><freejoint/><geom type='box' size='.2 .1 .05' "    \
  "mass='1' contype='0' conaffinity='0'/>" LINKAGE_ROD("a", "-.2 0 0", "<joint type='hinge' axis='0 1 0' " \
  limit "/>", "0 0 .3") LINKAGE_ROD("b", "0 0 .3", "<joint type='ball'/>", ".2 0 .2")                      \
  "</body></body>" LINKAGE_ROD("c", ".2 0 0", LINKAGE_HINGE, "0 0 .3") LINKAGE_ROD("d", "0 0 .3",                          \
  "<joint type='ball'/>", "-.2 0 .2") "</body></body></body></worldbody>"                          \
  "<equality><connect body1='b' body2='d' anchor='.2 0 .2'/></equality></mujoco>"

#define LINKAGE_DOUBLE(first, second)                                                   \
  LINKAGE_WORLD("-9.81")                                                                \
  LINKAGE_ROD("a", "0 0 0", "<joint type='hinge' axis='0 1 0' " first "/>", ".4 0 0")   \
  LINKAGE_ROD("b", ".4 0 0", "<joint type='hinge' axis='0 1 0' " second "/>", ".4 0 0") \
  "</body></body></worldbody></mujoco>"

/// A mechanism, its initial state, and the order that its motion should have.
typedef struct LinkageMotion {
  const char *name, *text;
  double q[2], v[11];
  int count;
  int order;
} LinkageMotion;

static const LinkageMotion linkage_motions[] = {
    {"loop", linkage_five_bar, {0}, {0}, 0, 2},
    {"turning loop", linkage_four_bar, {0}, {10, -10, 4}, 3, 2},
    {"floating loop", LINKAGE_FLOATING("-9.81", ""), {0}, {0.3, -0.2, 1, 1, 2, 0.5}, 6, 2},
    {"dry friction", LINKAGE_DOUBLE("frictionloss='.3'", ""), {0}, {3, -6}, 2, 2},
    {"held limit", LINKAGE_DOUBLE("limited='true' range='-10 0'", ""), {0}, {0, 4}, 2, 2},
    {"contact",
     "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
     "<body pos='0 0 .1'><freejoint/><geom type='sphere' size='.1' mass='1' friction='.3'/>"
     "<body pos='0 0 .1'>" LINKAGE_HINGE
     "<geom type='capsule' fromto='0 0 0 0 0 .3' size='.02' mass='.5' "
     "contype='0' conaffinity='0'/></body></body></worldbody></mujoco>",
     {0},
     {1, 0, 0, 0, 0, 0, 2},
     7,
     1},
};

#endif
