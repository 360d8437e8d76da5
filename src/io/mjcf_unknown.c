// SPDX-License-Identifier: Apache-2.0
// Elements that the reader of MJCF skips. An element of MuJoCo that Heft does not have is a
// warning: the model works without it. A name that MuJoCo does not have either, but that resembles
// one of its names, is a spelling mistake: the model would lack what the user wrote, so the load
// stops. Any other name may belong to a later MuJoCo, and is a warning.
#include <stdio.h>
#include <string.h>

#include "io/mjcf.h"

// The names of all elements of MuJoCo, by section of the file.
static const char* const elements[] = {
    // the file and its settings
    "mujoco", "include", "compiler", "lengthrange", "option", "flag", "size", "statistic", "visual",
    "global", "quality", "headlight", "map", "scale", "rgba", "default", "custom", "numeric",
    "text", "tuple", "element", "extension", "plugin", "instance", "config", "keyframe", "key",
    // assets and bodies
    "asset", "mesh", "hfield", "skin", "bone", "texture", "material", "layer", "model", "worldbody",
    "body", "inertial", "joint", "freejoint", "geom", "site", "camera", "light", "composite",
    "flexcomp", "frame", "replicate", "attach", "pin", "edge", "elasticity", "deformable", "flex",
    // constraints and tendons
    "contact", "pair", "exclude", "equality", "connect", "weld", "distance", "flexvert",
    "flexstrain", "tendon", "spatial", "fixed", "pulley",
    // actuators
    "actuator", "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder",
    "muscle", "adhesion", "dcmotor", "pid",
    // sensors
    "sensor", "touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer",
    "camprojection", "rangefinder", "jointpos", "jointvel", "tendonpos", "tendonvel", "actuatorpos",
    "actuatorvel", "actuatorfrc", "jointactuatorfrc", "tendonactuatorfrc", "ballquat", "ballangvel",
    "jointlimitpos", "jointlimitvel", "jointlimitfrc", "tendonlimitpos", "tendonlimitvel",
    "tendonlimitfrc", "framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis",
    "framelinvel", "frameangvel", "framelinacc", "frameangacc", "subtreecom", "subtreelinvel",
    "subtreeangmom", "insidesite", "normal", "fromto", "e_potential", "e_kinetic", "clock",
    "tactile", "user"};

enum { COUNT = sizeof elements / sizeof *elements, LONGEST = 60 };  // letters of a misspelt name

static const double work_of_letter = 25. * COUNT;  // of a name that is compared with all others

static const char* element_name(const void* from, int i) {
  (void)from;
  return elements[i];
}

// Writes "did you mean 'body'?" for a name that MuJoCo does not have. Returns 0 if no name of
// MuJoCo resembles it, or if it is one of them.
static int is_misspelt(const char* name, char* hint, size_t size) {
  for (int i = 0; i < COUNT; ++i) {
    if (strcmp(elements[i], name) == 0) return 0;
  }
  const HeftNames names = {element_name, NULL, COUNT};
  return strncmp(heft_names_hint(names, name, hint, size), "did you mean", 12) == 0;
}

void mj_unknown_element(Mjcf* m, const XmlNode* node) {
  const char* parent = node->parent ? node->parent->name : "the file";
  char hint[120];
  const size_t length = strlen(node->name), compared = length > LONGEST ? 0 : length;
  if (m->load->status != HEFT_OK ||
      !load_work(m->load, xml_place(node), work_of_letter * (double)compared))
    return;
  if (compared > 0 && is_misspelt(node->name, hint, sizeof hint)) {
    load_fail(m->load, HEFT_ERR_NAME, xml_place(node), "<%.60s> in <%.60s> is not known; %s",
              node->name, parent, hint);
    return;
  }
  load_warn(m->load, xml_place(node), load_format(m->load, "%.80s in %.80s", node->name, parent),
            "<%.60s> in <%.60s> is skipped", node->name, parent);
}
