// SPDX-License-Identifier: Apache-2.0
#include "motion_scenes.h"

#include <math.h>

#include "scenes/random.h"

static const double pi = 3.14159265358979323846;

static void begin(FILE* out, double step, double friction) {
  fprintf(out,
          "<mujoco><option timestep=\"%g\"/><size memory=\"2G\"/><default><geom friction=\"%g\"/>"
          "</default><worldbody>\n",
          step, friction);
}

static void end(FILE* out) { fprintf(out, "</worldbody></mujoco>\n"); }

static void put_floor(FILE* out) { fprintf(out, "<geom type=\"plane\" size=\"0 0 .1\"/>\n"); }

static void put_body(FILE* out, HeftVec3 at, HeftQuat turn, const char* shape) {
  fprintf(out,
          "<body pos=\"%.5f %.5f %.5f\" quat=\"%.6f %.6f %.6f %.6f\"><freejoint/>"
          "<geom %s density=\"1000\"/></body>\n",
          at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z, shape);
}

// A floor and four walls at the distance `half`.
static void put_bin(FILE* out, double half, double height) {
  const double far = half + 0.05, wide = half + 0.1;
  put_floor(out);
  for (int i = 0; i < 4; ++i) {
    const double side = i % 2 ? -far : far;
    fprintf(out, "<geom type=\"box\" pos=\"%g %g %g\" size=\"%g %g %g\"/>\n", i < 2 ? side : 0,
            i < 2 ? 0 : side, height / 2, i < 2 ? 0.05 : wide, i < 2 ? wide : 0.05, height / 2);
  }
}

// Place `index` of a lattice of k x k columns, moved at random by at most `shake`; z is its layer.
static HeftVec3 lattice(Random* r, int index, int k, double spacing, double shake) {
  const double middle = 0.5 * spacing * (k - 1);
  const int column = index % k, row = index / k % k, layer = index / (k * k);
  const double x = column * spacing - middle + random_between(r, -shake, shake);
  const double y = row * spacing - middle + random_between(r, -shake, shake);
  return heft_vec3(x, y, layer);
}

void motion_write_boxes(FILE* out, int size) {
  const int k = (int)ceil(sqrt(size));
  const HeftQuat straight = {1, 0, 0, 0};
  begin(out, 0.001, 0.5);
  put_floor(out);
  for (int i = 0; i < size; ++i) {
    const int column = i % k, row = i / k;
    put_body(out, heft_vec3(column * 0.3, row * 0.3, 0.1), straight,
             "type=\"box\" size=\".1 .1 .1\"");
  }
  end(out);
}

void motion_write_balls(FILE* out, int size) {
  const int k = (int)fmax(2, round(cbrt(0.5 * size)));
  const HeftQuat straight = {1, 0, 0, 0};
  Random r = {1};
  begin(out, 0.001, 0.5);
  put_bin(out, 0.105 * k + 0.02, 0.5 * k + 1);
  for (int i = 0; i < size; ++i) {
    HeftVec3 at = lattice(&r, i, k, 0.21, 0.004);
    at.z = 0.1 + 0.2 * at.z;
    put_body(out, at, straight, "type=\"sphere\" size=\".1\"");
  }
  end(out);
}

void motion_write_mixed(FILE* out, int size) {
  static const char* const shapes[3] = {"type=\"box\" size=\".08 .06 .05\"",
                                        "type=\"capsule\" size=\".05 .06\"",
                                        "type=\"sphere\" size=\".08\""};
  const int k = (int)fmax(2, round(cbrt(size)));
  Random r = {1};
  begin(out, 0.001, 0.5);
  put_bin(out, 0.14 * k, 0.3 * k);
  for (int i = 0; i < size; ++i) {
    HeftVec3 at = lattice(&r, i, k, 0.26, 0.02);
    at.z = 0.15 + 0.26 * at.z;
    put_body(out, at, random_quat(&r), shapes[i % 3]);
  }
  end(out);
}

// ---- the belt

static const double pulley = 0.1, between = 0.4, belt_radius = 0.106;  // [m]

// Point of the belt at length s: two straight pieces and two half circles.
static void belt_point(double s, double out[2]) {
  const double half = pi * belt_radius;
  double angle = 0;
  s = fmod(s, 2 * (between + half));
  if (s < between) {
    out[0] = s;
    out[1] = belt_radius;
  } else if (s < between + half) {
    angle = pi / 2 - (s - between) / belt_radius;
    out[0] = between + belt_radius * cos(angle);
    out[1] = belt_radius * sin(angle);
  } else if (s < 2 * between + half) {
    out[0] = between - (s - between - half);
    out[1] = -belt_radius;
  } else {
    angle = -pi / 2 - (s - 2 * between - half) / belt_radius;
    out[0] = belt_radius * cos(angle);
    out[1] = belt_radius * sin(angle);
  }
}

static void put_link(FILE* out, int i, double length) {
  double p[2], q[2];
  belt_point(i * length, p);
  belt_point((i + 1) * length, q);
  const double size = hypot(q[0] - p[0], q[1] - p[1]), angle = atan2(q[1] - p[1], q[0] - p[0]);
  fprintf(out,
          "<body name=\"l%d\" pos=\"%.15g 0 %.15g\" euler=\"0 %.15g 0\"><freejoint/>"
          "<geom type=\"box\" size=\"%.15g .03 .004\" mass=\".02\"/></body>\n",
          i, 0.5 * (p[0] + q[0]), 1 + 0.5 * (p[1] + q[1]), -angle * 180 / pi, 0.4 * size);
}

void motion_write_belt(FILE* out, int size) {
  const double length = 2 * (between + pi * belt_radius) / size;
  double p[2], q[2];
  begin(out, 0.002, 0.8);
  for (int i = 0; i < 2; ++i)
    fprintf(out,
            "<body name=\"p%d\" pos=\"%g 0 1\"><joint name=\"jp%d\" type=\"hinge\" axis=\"0 1 0\" "
            "damping=\".01\"/><geom type=\"cylinder\" size=\"%g .05\" euler=\"90 0 0\" mass=\"1\"/>"
            "</body>\n",
            i, i * between, i, pulley);
  for (int i = 0; i < size; ++i) put_link(out, i, length);
  fprintf(out, "</worldbody><equality>\n");
  for (int i = 0; i < size; ++i) {
    belt_point(i * length, p);
    belt_point((i + 1) * length, q);
    fprintf(out, "<connect body1=\"l%d\" body2=\"l%d\" anchor=\"%.15g 0 0\"/>\n", i, (i + 1) % size,
            0.5 * hypot(q[0] - p[0], q[1] - p[1]));
  }
  fprintf(out, "</equality><contact>\n");
  for (int i = 0; i < size; ++i)
    fprintf(out, "<exclude body1=\"l%d\" body2=\"l%d\"/>\n", i, (i + 1) % size);
  fprintf(out, "</contact><actuator><velocity joint=\"jp0\" kv=\"1\"/></actuator></mujoco>\n");
}

void motion_write_dominoes(FILE* out, int size) {
  const double distance = 0.06;  // [m]
  begin(out, 0.005, 0.4);
  put_floor(out);
  for (int i = 0; i < size; ++i)
    fprintf(out,
            "<body pos=\"%g 0 0.1\"><freejoint/><geom type=\"box\" size=\".01 .05 .1\" "
            "mass=\".1\"/></body>\n",
            i * distance);
  fprintf(out, "</worldbody><keyframe><key qpos=\"");
  for (int i = 0; i < size; ++i) fprintf(out, "%g 0 0.1 1 0 0 0 ", i * distance);
  fprintf(out, "\" qvel=\".2 0 0 0 2 0");  // the first one tips over
  for (int i = 1; i < size; ++i) fprintf(out, " 0 0 0 0 0 0");
  fprintf(out, "\"/></keyframe></mujoco>\n");
}
