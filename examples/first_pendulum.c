// SPDX-License-Identifier: Apache-2.0
// A first program with Heft: a rod swings on a hinge and is compared with the textbook.
//
// Every program has four parts: describe the model, create a world, step, read the result.
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>

static const double length = 1.0;  // of the rod [m]
static const double mass = 2.0;    // [kg]
static const double start = 0.1;   // initial angle [rad]

// 1. Describe. A builder collects bodies and joints. It stores the first error and reports it at
//    the end, so the calls in between need no checks.
static HeftModel* make_pendulum(HeftError* error) {
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&builder, NULL, error) != HEFT_OK) return NULL;

  HeftBodyDef rod = heft_body_def_default();  // its parent is body 0, the world
  rod.name = "rod";
  rod.mass = mass;
  rod.com = heft_vec3(0, 0, -length / 2);  // the hinge is at its upper end
  rod.inertia.xx = rod.inertia.yy = mass * length * length / 12;
  rod.inertia.zz = 1e-4;
  const int body = heft_builder_add_body(builder, &rod);

  HeftJointDef pivot = heft_joint_def_default();  // the default type is a hinge
  pivot.name = "pivot";
  pivot.body = body;
  pivot.axis = heft_vec3(0, 1, 0);
  heft_builder_add_joint(builder, &pivot);

  heft_builder_finish(builder, &model, error);
  heft_builder_destroy(builder);
  return model;
}

// A small swing is θ(t) = θ0 cos(ω t) with ω² = m g d / I about the hinge; a wider one is slower,
// by 1 - θ0²/16 to first order.
static double theory(double t) {
  const double inertia = mass * length * length / 3;
  const double omega = sqrt(mass * 9.81 * (length / 2) / inertia) * (1 - start * start / 16);
  return start * cos(omega * t);
}

int main(void) {
  HeftError error = {0};
  char text[800];
  HeftModel* model = make_pendulum(&error);

  // 2. Create a world. NULL selects the default settings: gravity down, steps of one millisecond.
  HeftWorld* world = NULL;
  if (!model || heft_world_create(&world, model, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", heft_error_format(&error, text, sizeof text));
    heft_model_destroy(model);
    return 1;
  }

  // Set the initial angle of the joint by its name.
  if (heft_world_set_joint_position(world, "pivot", &start, 1, &error) != HEFT_OK) return 1;

  // 3. and 4. Step and read the result.
  double worst = 0;
  printf("time [s]  angle [rad]  theory [rad]\n");
  for (int i = 1; i <= 2000; ++i) {
    const HeftStepReport report = heft_world_step(world);
    if (!heft_step_taken(report.status)) {
      fprintf(stderr, "%s\n", heft_step_status_text(report.status));
      return 1;
    }
    const double angle = heft_world_state(world)->q[0];
    worst = fmax(worst, fabs(angle - theory(report.time)));
    if (i % 200 == 0) printf("%8.1f  %11.6f  %12.6f\n", report.time, angle, theory(report.time));
  }
  printf("largest difference %.1e rad\n", worst);

  heft_world_destroy(world);
  heft_model_destroy(model);
  return worst < 1e-4 ? 0 : 1;
}
