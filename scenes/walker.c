// SPDX-License-Identifier: Apache-2.0
// A walker: a box on two legs, with every kind of drive and tendon and a few sensors, on a floor.
#include "parts.h"

static int add_part(HeftBuilder* b, const char* name, int parent, HeftVec3 pos, double mass,
                    HeftVec3 half) {
  HeftBodyDef body = heft_body_def_default();
  body.name = name;
  body.parent = parent;
  body.pos = pos;
  body.com = parent == 0 ? heft_vec3(0, 0, 0) : heft_vec3(0, 0, -half.z);
  set_box_inertia(&body, mass, half);
  const int added = heft_builder_add_body(b, &body);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = added;
  shape.type = HEFT_SHAPE_BOX;
  shape.pos = body.com;
  shape.size[0] = half.x;
  shape.size[1] = half.y;
  shape.size[2] = half.z;
  heft_builder_add_shape(b, &shape);
  return added;
}

static int add_joint(HeftBuilder* b, int body, HeftJointType type, HeftVec3 axis) {
  HeftJointDef joint = heft_joint_def_default();
  joint.body = body;
  joint.type = type;
  joint.axis = axis;
  joint.damping[0] = type == HEFT_JOINT_FREE ? 0 : 0.05;
  return heft_builder_add_joint(b, &joint);
}

static int add_site(HeftBuilder* b, int body, HeftVec3 pos) {
  HeftSiteDef site = heft_site_def_default();
  site.body = body;
  site.pos = pos;
  site.type = HEFT_SHAPE_BOX;
  site.size[0] = site.size[1] = site.size[2] = 0.08;
  return heft_builder_add_site(b, &site);
}

static int add_tendon(HeftBuilder* b, HeftWrapType type, int first, int second) {
  const HeftWrap wraps[2] = {{type, first, type == HEFT_WRAP_JOINT ? 1 : 0, -1},
                             {type, second, type == HEFT_WRAP_JOINT ? -0.5 : 0, -1}};
  HeftTendonDef tendon = heft_tendon_def_default();
  tendon.wrap_count = 2;
  tendon.wraps = wraps;
  if (type == HEFT_WRAP_JOINT) {
    tendon.limited = 1;
    tendon.range[0] = -0.4;
    tendon.range[1] = 0.9;
    tendon.friction = 0.02;
  } else {
    tendon.stiffness = 30;
    tendon.damping = 0.3;
    tendon.spring[0] = 0.3;
    tendon.spring[1] = 0.35;
  }
  return heft_builder_add_tendon(b, &tendon);
}

static void add_servo(HeftBuilder* b, int joint) {
  HeftActuatorDef servo = heft_actuator_def_default();
  servo.target = joint;
  servo.gain = 400;
  servo.bias[1] = -400;
  servo.bias[2] = -8;
  servo.force_limited = 1;
  servo.force_range[0] = -6;
  servo.force_range[1] = 6;
  heft_builder_add_actuator(b, &servo);
}

static void add_muscle(HeftBuilder* b, HeftTransmission way, int target, double gain) {
  HeftActuatorDef muscle = heft_actuator_def_default();
  muscle.transmission = way;
  muscle.target = target;
  muscle.activation = HEFT_ACTIVATION_FILTER;
  muscle.time = 0.03;
  muscle.gain = gain;
  muscle.bias[2] = way == HEFT_TRANSMISSION_SITE ? 0 : -0.05;
  heft_builder_add_actuator(b, &muscle);
}

static void add_sensor(HeftBuilder* b, HeftSensorType type, int object) {
  HeftSensorDef sensor = heft_sensor_def_default();
  sensor.type = type;
  sensor.object = object;
  sensor.noise = 0.01;
  heft_builder_add_sensor(b, &sensor);
}

static void add_leg(HeftBuilder* b, int base, double side) {
  const int thigh =
      add_part(b, "", base, heft_vec3(0, side, -0.05), 0.8, heft_vec3(0.03, 0.03, 0.12));
  const int hip = add_joint(b, thigh, HEFT_JOINT_HINGE, heft_vec3(0, 1, 0));
  const int shank = add_part(b, "", thigh, heft_vec3(0, 0, -0.25), 0.5, heft_vec3(0.06, 0.04, 0.1));
  const int knee = add_joint(b, shank, HEFT_JOINT_HINGE, heft_vec3(0, 1, 0));
  const int heel = add_site(b, shank, heft_vec3(-0.03, 0, -0.2));
  const int sum = add_tendon(b, HEFT_WRAP_JOINT, hip, knee);
  add_tendon(b, HEFT_WRAP_SITE, add_site(b, base, heft_vec3(0.1, side, 0)), heel);
  add_servo(b, hip);
  add_servo(b, knee);
  add_muscle(b, HEFT_TRANSMISSION_TENDON, sum, 2);
  add_sensor(b, HEFT_SENSOR_FORCE, heel);
  add_sensor(b, HEFT_SENSOR_TOUCH, heel);
  add_sensor(b, HEFT_SENSOR_RANGE_FINDER, heel);
}

void scene_build_walker(HeftBuilder* b) {
  HeftShapeDef ground = heft_shape_def_default();
  ground.type = HEFT_SHAPE_PLANE;
  heft_builder_add_shape(b, &ground);
  const int base = add_part(b, "base", 0, heft_vec3(0, 0, 0.55), 3, heft_vec3(0.15, 0.12, 0.05));
  add_joint(b, base, HEFT_JOINT_FREE, heft_vec3(0, 0, 1));
  const int heart = add_site(b, base, heft_vec3(0, 0, 0.02));
  add_leg(b, base, 0.1);
  add_leg(b, base, -0.1);
  add_muscle(b, HEFT_TRANSMISSION_SITE, heart, 0.5);
  add_sensor(b, HEFT_SENSOR_ACCELEROMETER, heart);
  add_sensor(b, HEFT_SENSOR_GYRO, heart);
}
