# SPDX-License-Identifier: Apache-2.0
"""Trajectory optimisation (iLQR, Li and Todorov 2004) by the exact derivative of steps.

Each iteration linearises the world along the trajectory, solves the linear-quadratic problem backwards in time, and
tries shorter and shorter steps until the cost falls. world.derivative() gives the linear model of a step that is made
anyway; central differences need 2 (2 nv + nactuator) more of them.
"""

import numpy as np

import heft

LENGTHS = 1.0, 0.4, 0.1, 0.02  # of the step that an iteration tries


class Problem:
    """Minimises the sum of weights (x - goals)^2 + effort u^2 over knots, x = (q, v), for a model without quaternions."""

    def __init__(self, model, goals, weights, effort, steps, differences=False):
        """goals, weights (knots + 1, 2 nv). steps: of the world for a knot. differences: for comparison."""
        self.world = heft.World(model, rest=0, sleep=0)
        self.goals, self.weights, self.effort, self.steps = goals, weights, effort, steps
        self.knots, self.differences = len(goals) - 1, differences
        self.simulated = {"tries": 0, "linear": 0}  # steps of the world, for trajectories and for linear models
        limited = model.actuator_control_limited.astype(bool)
        self.low, self.high = np.where(limited, model.actuator_control_range.T, [[-np.inf], [np.inf]])

    def put(self, x, u):
        nv = self.world.model.nv
        self.world.q, self.world.v, self.world.controls = x[:nv], x[nv:], u

    def next(self, x, u):
        """The state after a knot."""
        self.put(x, u)
        self.world.step(self.steps)
        self.simulated["tries"] += self.steps
        return np.concatenate([self.world.q, self.world.v])

    def linear(self, x, u):
        """A and B of a knot; just within the ranges of the actuators, as nothing changes beyond them."""
        self.put(x, np.clip(u, 0.999 * self.low, 0.999 * self.high))
        if self.differences:
            self.simulated["linear"] += 2 * (x.size + u.size) * self.steps
            return self.world.linearize(self.steps)[:2]
        A, B = np.eye(x.size), np.zeros((x.size, u.size))
        for _ in range(self.steps):
            self.world.step()
            one = self.world.derivative()
            A, B = one.state @ A, one.state @ B + one.control
        self.simulated["linear"] += self.steps
        return A, B

    def cost(self, x, u):
        return float((self.weights * (x - self.goals) ** 2).sum() + self.effort * (u**2).sum())

    def run(self, start, policy):
        """States and controls from a start: u = policy(knot, x), within the ranges of the actuators."""
        x, u = [np.asarray(start, float)], []
        for k in range(self.knots):
            u.append(np.clip(policy(k, x[k]), self.low, self.high))
            x.append(self.next(x[k], u[k]))
        return np.array(x), np.array(u)

    def backwards(self, x, u, damping):
        """Steps of the controls and gains on the state, from the last knot to the first."""
        bend, slope = np.diag(2 * self.weights[-1]), 2 * self.weights[-1] * (x[-1] - self.goals[-1])
        steps, gains = np.zeros(u.shape), np.zeros((*u.shape, x.shape[1]))
        for k in reversed(range(self.knots)):
            A, B = self.linear(x[k], u[k])
            stiff = B.T @ bend @ B + (2 * self.effort + damping) * np.eye(u.shape[1])
            steps[k] = -np.linalg.solve(stiff, 2 * self.effort * u[k] + B.T @ slope)
            gains[k] = -np.linalg.solve(stiff, B.T @ bend @ A)
            slope = A.T @ (slope + bend @ B @ steps[k]) + 2 * self.weights[k] * (x[k] - self.goals[k])
            bend = A.T @ bend @ (A + B @ gains[k]) + np.diag(2 * self.weights[k])
            bend = (bend + bend.T) / 2
        return steps, gains

    def solve(self, x, u, iterations, damping=1e-2, enough=2e-3):
        """States, controls and gains of a better trajectory, and the number of iterations."""
        cost, gains, iteration = self.cost(x, u), np.zeros((*u.shape, x.shape[1])), 0
        for iteration in range(1, iterations + 1):
            steps, new = self.backwards(x, u, damping)
            for length in LENGTHS:
                tried = self.run(x[0], lambda k, now: u[k] + length * steps[k] + new[k] @ (now - x[k]))
                fall = cost - self.cost(*tried)
                if fall > 0:
                    break
            if fall <= 0:  # no step helps: shorter ones
                damping *= 10
                continue
            x, u, cost, gains, damping = *tried, cost - fall, new, damping / 3
            if fall < enough * cost:
                break
        return x, u, gains, iteration
