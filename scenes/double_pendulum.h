// SPDX-License-Identifier: Apache-2.0
// The double pendulum of [Kane 1985] above a floor, which its tip strikes. For the tests and for
// `heft validate impacts`.
#ifndef HEFT_SCENES_DOUBLE_PENDULUM_H
#define HEFT_SCENES_DOUBLE_PENDULUM_H

static const char double_pendulum[] =
    "<mujoco><option timestep=\"1e-4\" gravity=\"0 0 0\"/><worldbody>"
    "<geom type=\"plane\" size=\"0 0 1\"/><body pos=\"0 0 1.2\"><joint axis=\"0 1 0\"/>"
    "<geom type=\"capsule\" fromto=\"0 0 0 0 0 -1\" size=\".02\" mass=\"1\" contype=\"0\" "
    "conaffinity=\"0\"/><body pos=\"0 0 -1\"><joint axis=\"0 1 0\"/>"
    "<geom type=\"capsule\" fromto=\"0 0 0 0 0 -1\" size=\".02\" mass=\"1\" contype=\"0\" "
    "conaffinity=\"0\"/><geom type=\"sphere\" size=\".001\" pos=\"0 0 -1\" mass=\"1e-6\"/>"
    "</body></body></worldbody></mujoco>";

#endif
