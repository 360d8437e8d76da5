// SPDX-License-Identifier: Apache-2.0
// Twelve tasks in which something has to hold: a model, and commands over time.
#ifndef HEFT_TESTS_WHY_TASKS_H
#define HEFT_TESTS_WHY_TASKS_H

/// A command that goes smoothly from one value to another; from == until: at once.
typedef struct Ramp {
  int actuator;
  double from, until;  // [s]
  double start, end;   // values
} Ramp;

enum { TASK_RAMPS = 12, TASKS = 12 };

typedef struct Task {
  const char *name, *model;
  double seconds;
  Ramp ramp[TASK_RAMPS];
  int ramps;
} Task;

#define SCENE(parts, actuators)                                                     \
  "<mujoco><option timestep='0.002'/><default><geom friction='0.5 0 0'/></default>" \
  "<worldbody>" parts "</worldbody><actuator>" actuators "</actuator></mujoco>"
#define FLOOR "<geom name='floor' type='plane' size='9 9 1' friction='0.6 0 0'/>"
#define BOX(name, x, z, size, mass, mu)                                                \
  "<body name='" name "' pos='" x " 0 " z "'><freejoint/><geom type='box' size='" size \
  "' mass='" mass "' friction='" mu " 0 0'/></body>"
#define FINGER(name, x, axis, mu)                                                         \
  "<body name='" name "' pos='" x " 0 0'><joint name='" name "' type='slide' axis='" axis \
  " 0 0' damping='2'/><geom type='box' size='.01 .02 .02' mass='.1' friction='" mu        \
  " 0 0'/></body>"
#define SLIDE(name, axis) "<joint name='" name "' type='slide' axis='" axis "' damping='60'/>"
#define SERVO(joint, gain) "<position name='" joint "' joint='" joint "' kp='" gain "'/>"
#define MOTOR(joint) "<motor name='" joint "' joint='" joint "'/>"

static const Task tasks[TASKS] = {
    {"two fingers lift a cube from a table",
     SCENE(
         FLOOR
         "<body name='table' pos='0 0 .2'><geom type='box' size='.2 .2 .02' mass='5'/></body>" BOX(
             "cube", "0", ".245", ".025 .025 .025", ".3",
             "0.55") "<body name='hand' pos='0 0 .25'>" SLIDE("lift",
                                                              "0 0 1") "<geom type='box' size='.08 "
                                                                       ".02 .01' pos='0 0 .08' "
                                                                       "mass='.5'/>" FINGER(
                                                                           "left "
                                                                           "finge"
                                                                           "r",
                                                                           "-.06", "1", "0.62")
                                                                           FINGER("right finger",
                                                                                  ".06", "-1",
                                                                                  "0.64") "</body>",
         SERVO("lift", "3000") MOTOR("left finger") MOTOR("right finger")),
     1.4,
     {{1, .1, .1, 0, 6}, {2, .1, .1, 0, 6}, {0, .5, 1, 0, .12}},
     3},
    {"a tray carries a cup sideways",
     SCENE(FLOOR "<body name='tray' pos='0 0 .5'>" SLIDE(
               "drive", "1 0 0") "<geom type='box' size='.2 .15 .01' mass='1' friction='0.35 0 "
                                 "0'/></body>" BOX("cup", "0", ".57", ".03 .03 .06", ".25", "0.34"),
           SERVO("drive", "4000")),
     1.6,
     {{0, .3, .9, 0, .12}},
     1},
    {"a ramp is raised below a crate",
     SCENE(FLOOR "<body name='ramp' pos='0 0 .3'><joint name='tilt' type='hinge' axis='0 1 0' "
                 "damping='200'/><geom type='box' size='.5 .3 .02' mass='10' friction='0.42 0 "
                 "0'/></body>" BOX("crate", "-.1", ".42", ".12 .12 .1", "4", "0.4"),
           SERVO("tilt", "60000")),
     1.6,
     {{0, .2, 1.2, 0, .3}},
     1},
    {"a ladder leans at a wall while a load climbs",
     SCENE(FLOOR
           "<body name='wall' pos='1.1 0 1'><geom type='box' size='.05 .5 1' friction='0.3 0 "
           "0'/></body>"
           "<body name='ladder' pos='.54 0 .82' euler='0 30 0'><freejoint/>"
           "<geom type='capsule' size='.02 .9' mass='8' friction='0.45 0 0'/>"
           "<body name='climber' pos='-.03 0 -.5'><joint name='climb' type='slide' axis='0 0 1' "
           "damping='400'/>"
           "<geom type='sphere' size='.05' mass='12' contype='0' conaffinity='0'/></body></body>",
           SERVO("climb", "20000")),
     1.6,
     {{0, .3, 1.2, 0, .5}},
     1},
    {"a stack of three on a moving table",
     SCENE("<body name='table' pos='0 0 .2'>" SLIDE(
               "drive", "1 0 0") "<geom type='box' size='.3 .3 .02' mass='5' friction='0.5 0 "
                                 "0'/></body>" BOX("bottom", "0", ".27", ".06 .06 .05", "1", "0.5")
                                     BOX("middle", "0", ".36", ".05 .05 .04", ".6", "0.44")
                                         BOX("top", "0", ".43", ".04 .04 .03", ".3", "0.38"),
           SERVO("drive", "6000")),
     1.5,
     {{0, .3, .9, 0, .12}},
     1},
    {"three fingers hold a ball that is loaded",
     SCENE("<body name='ball' pos='0 0 1'><freejoint/><geom type='sphere' size='.04' mass='.4' "
           "friction='0.5 0 0'/>"
           "<body name='bucket' pos='0 0 -.1'><joint name='fill' type='slide' axis='0 0 1' "
           "damping='5'/>"
           "<geom type='sphere' size='.01' mass='.2' contype='0' conaffinity='0'/></body></body>"
           "<body name='first' pos='-.065 0 1'><joint name='first' type='slide' axis='1 0 0' "
           "damping='4'/>"
           "<geom type='sphere' size='.025' mass='.1' friction='0.6 0 0'/></body>"
           "<body name='second' pos='.0325 -.0563 1'><joint name='second' type='slide' axis='-.5 "
           ".866 0' damping='4'/>"
           "<geom type='sphere' size='.025' mass='.1' friction='0.62 0 0'/></body>"
           "<body name='third' pos='.0325 .0563 1'><joint name='third' type='slide' axis='-.5 "
           "-.866 0' damping='4'/>"
           "<geom type='sphere' size='.025' mass='.1' friction='0.64 0 0'/></body>",
           SERVO("fill", "900") MOTOR("first") MOTOR("second") MOTOR("third")),
     1.4,
     {{1, 0, 0, 5, 5}, {2, 0, 0, 5, 5}, {3, 0, 0, 5, 5}, {0, .6, .9, 0, -.02}},
     4},
    {"a robot on two feet reaches out",
     SCENE(FLOOR
           "<body name='robot' pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .2' mass='8'/>"
           "<geom name='left foot' type='box' size='.1 .04 .02' pos='0 .1 -.48' mass='1'/>"
           "<geom name='right foot' type='box' size='.1 .04 .02' pos='0 -.1 -.48' mass='1'/>"
           "<body name='arm' pos='.1 0 .1'><joint name='shoulder' type='hinge' axis='0 1 0' "
           "damping='20'/>"
           "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02' mass='.5'/>"
           "<body name='load' pos='0 0 -.3'><geom type='sphere' size='.03' "
           "mass='1'/></body></body></body>",
           SERVO("shoulder", "800")),
     1.5,
     {{0, .2, 1.1, 0, -1.4}},
     1},
    {"a brake holds a drum with a weight",
     SCENE("<body name='drum' pos='0 0 1'><joint name='axle' type='hinge' axis='0 1 0' "
           "damping='.05'/>"
           "<geom type='cylinder' size='.1 .03' euler='90 0 0' mass='2' friction='0.4 0 0'/>"
           "<geom name='weight' type='sphere' size='.02' pos='.1 0 0' mass='.5' contype='0' "
           "conaffinity='0'/></body>"
           "<body name='pad' pos='0 0 1.125'><joint name='brake' type='slide' axis='0 0 -1' "
           "damping='20'/>"
           "<geom type='box' size='.02 .03 .02' mass='.2' friction='0.42 0 0'/></body>"
           "<body name='lever' pos='0 .2 1'><joint name='lever' type='slide' axis='1 0 0' "
           "damping='10'/>"
           "<geom type='box' size='.03 .02 .02' mass='.5' contype='0' conaffinity='0'/></body>",
           MOTOR("brake") MOTOR("axle") SERVO("lever", "100")),
     1.2,
     {{0, 0, 0, 30, 30}, {1, .4, .8, 0, 3}},
     2},
    {"a cart accelerates with a tall box",
     SCENE(FLOOR "<body name='cart' pos='0 0 .1'>" SLIDE(
               "motor", "1 0 0") "<geom type='box' size='.4 .2 .05' mass='10' friction='0.7 0 0' "
                                 "contype='2' conaffinity='1'/></body>" BOX(
                                     "parcel", "-.05", ".35", ".07 .07 .2", "3", "0.7"),
           SERVO("motor", "20000")),
     1.5,
     {{0, .3, .9, 0, .12}},
     1},
    {"books are squeezed and lifted as a row",
     SCENE(
         FLOOR BOX("first book", "-.03", ".1", ".0149 .06 .09", ".3", "0.5")
             BOX("second book", "0", ".1", ".0149 .06 .09", ".35", "0.48") BOX(
                 "third book", ".03", ".1", ".0149 .06 .09", ".3",
                 "0.52") "<body name='palms' pos='0 0 .1'>" SLIDE("lift",
                                                                  "0 0 1") "<geom type='box' "
                                                                           "size='.1 .02 .01' "
                                                                           "pos='0 0 .2' "
                                                                           "mass='1'/>" FINGER("lef"
                                                                                               "t "
                                                                                               "pal"
                                                                                               "m",
                                                                                               "-."
                                                                                               "08",
                                                                                               "1",
                                                                                               "0."
                                                                                               "56")
                                                                               FINGER(
                                                                                   "right palm",
                                                                                   ".08", "-1",
                                                                                   "0.58") "</"
                                                                                           "body>",
         SERVO("lift", "8000") MOTOR("left palm") MOTOR("right palm")),
     1.5,
     {{1, .1, .1, 0, 30}, {2, .1, .1, 0, 30}, {0, .5, 1.1, 0, .08}},
     3},
    {"a block is pressed at a wall and carried up",
     SCENE(
         FLOOR
         "<body name='wall' pos='.3 0 .5'><geom type='box' size='.05 .3 .5' friction='0.2 0 "
         "0'/></body>" BOX(
             "block", ".2", ".05", ".05 .05 .05", ".5",
             "0.2") "<body name='arm' pos='.09 0 .05'>" SLIDE("up",
                                                              "0 0 1") "<geom type='sphere' "
                                                                       "size='.01' mass='.2' "
                                                                       "contype='0' "
                                                                       "conaffinity='0'/>"
                                                                       "<body name='palm'><joint "
                                                                       "name='press' type='slide' "
                                                                       "axis='1 0 0' damping='10'/>"
                                                                       "<geom type='box' size='.02 "
                                                                       ".03 .03' mass='.3' "
                                                                       "friction='0.9 0 "
                                                                       "0'/></body></body>",
         SERVO("up", "6000") MOTOR("press")),
     1.5,
     {{1, .1, .1, 0, 16}, {0, .5, 1.1, 0, .1}},
     2},
    {"a mug on a table that stands on the floor",
     SCENE(FLOOR
           "<body name='table' pos='0 0 .3'><freejoint/>"
           "<geom type='box' size='.25 .2 .02' mass='6' friction='0.5 0 0'/>"
           "<geom name='leg 1' type='sphere' size='.02' pos='.22 .17 -.28' mass='.2' friction='0.7 "
           "0 0'/>"
           "<geom name='leg 2' type='sphere' size='.02' pos='.22 -.17 -.28' mass='.2' "
           "friction='0.7 0 0'/>"
           "<geom name='leg 3' type='sphere' size='.02' pos='-.22 .17 -.28' mass='.2' "
           "friction='0.7 0 0'/>"
           "<geom name='leg 4' type='sphere' size='.02' pos='-.22 -.17 -.28' mass='.2' "
           "friction='0.7 0 0'/>"
           "<body name='slider' pos='0 0 .05'><joint name='slider' type='slide' axis='1 0 0' "
           "damping='30'/>"
           "<geom type='box' size='.03 .03 .02' pos='0 .12 0' mass='.8' contype='0' "
           "conaffinity='0'/></body></body>" BOX("mug", "-.12", ".37", ".03 .03 .05", ".3", "0.36"),
           SERVO("slider", "1500")),
     1.4,
     {{0, .3, .8, 0, .15}},
     1},
};

#endif
