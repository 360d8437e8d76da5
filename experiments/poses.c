// SPDX-License-Identifier: Apache-2.0
// Initial poses of robots.
#include "experiments/poses.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DEGREES(x) ((x) * (HEFT_PI / 180))

const LabAngle pose_half_sitting[] = {{"left_hip_pitch", DEGREES(-26)},
                                      {"left_knee", DEGREES(50)},
                                      {"left_ankle_pitch", DEGREES(-24)},
                                      {"right_hip_pitch", DEGREES(-26)},
                                      {"right_knee", DEGREES(50)},
                                      {"right_ankle_pitch", DEGREES(-24)},
                                      {"left_shoulder_pitch", DEGREES(15)},
                                      {"right_shoulder_pitch", DEGREES(15)},
                                      {"left_shoulder_roll", DEGREES(10)},
                                      {"right_shoulder_roll", DEGREES(-10)},
                                      {"left_elbow", DEGREES(-30)},
                                      {"right_elbow", DEGREES(-30)},
                                      {NULL, 0}};

const LabAngle pose_legs_apart[] = {{"left_hip_pitch", DEGREES(-16)},
                                    {"left_knee", DEGREES(32)},
                                    {"left_ankle_pitch", DEGREES(-16)},
                                    {"right_hip_pitch", DEGREES(-16)},
                                    {"right_knee", DEGREES(32)},
                                    {"right_ankle_pitch", DEGREES(-16)},
                                    {"left_hip_roll", DEGREES(4)},
                                    {"left_ankle_roll", DEGREES(-4)},
                                    {"right_hip_roll", DEGREES(-4)},
                                    {"right_ankle_roll", DEGREES(4)},
                                    {"left_shoulder_roll", DEGREES(10)},
                                    {"right_shoulder_roll", DEGREES(-10)},
                                    {NULL, 0}};

const LabAngle pose_small[] = {{"left_hip_pitch", DEGREES(-20)},
                               {"left_knee", DEGREES(40)},
                               {"left_ankle_pitch", DEGREES(-20)},
                               {"right_hip_pitch", DEGREES(-20)},
                               {"right_knee", DEGREES(40)},
                               {"right_ankle_pitch", DEGREES(-20)},
                               {"left_shoulder_roll", DEGREES(8)},
                               {"right_shoulder_roll", DEGREES(-8)},
                               {"left_elbow", DEGREES(-20)},
                               {"right_elbow", DEGREES(-20)},
                               {NULL, 0}};

void pose_bend_legs(Lab* lab, double bend) {
  static const char* const hips[2] = {"left_hip", "right_hip"};
  static const char* const knees[2] = {"left_knee", "right_knee"};
  static const char* const ankles[2] = {"left_ankle", "right_ankle"};
  const HeftVec3 y = {0, 1, 0};
  for (int side = 0; side < 2; ++side) {
    lab_set_ball(lab, hips[side], heft_quat_from_axis_angle(y, -0.5 * bend));
    lab_set_joint(lab, knees[side], bend);
    lab_set_ball(lab, ankles[side], heft_quat_from_axis_angle(y, -0.5 * bend));
  }
}

int pose_hand_ahead(Lab* lab, HeftVec3 at) {
  const HeftVec3 y = {0, 1, 0}, z = {0, 0, 1}, grip = {0, 0, -0.105};
  const HeftQuat ahead = heft_quat_mul(heft_quat_from_axis_angle(y, -0.5 * HEFT_PI),
                                       heft_quat_from_axis_angle(z, 0.5 * HEFT_PI));
  const int wrist = heft_model_find(lab->model, HEFT_NAMED_JOINT, "right_wrist_yaw");
  lab->pose[0][lab->model->joint_q[wrist]] = 1;  // a start for the inverse kinematics
  const double left = lab_arm(lab, 0, 1, grip, at, ahead, 1);
  memcpy(lab->start, lab->pose[0], (size_t)lab->model->nq * sizeof(double));
  if (left > 5e-3) {
    snprintf(lab->error, sizeof lab->error, "the arm does not reach its start: %.3f m", left);
    return 0;
  }
  return lab_place(lab);
}
