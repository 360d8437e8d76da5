# SPDX-License-Identifier: Apache-2.0
"""CMA-ES, the evolution strategy with covariance adaptation (Hansen, arXiv:1604.00772).

A generation samples a population around the mean, ranks it, and moves mean, step size and
covariance towards the better half. No derivative is needed.
"""

import numpy as np


class Evolution:
    """Maximises a function of `start.size` parameters."""

    def __init__(self, start, step, population, rng):
        n = start.size
        self.mean, self.step, self.population, self.rng = start.astype(float), step, population, rng
        parents = population // 2
        weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        self.weights = weights / weights.sum()
        mass = 1 / (self.weights**2).sum()  # variance effective selection mass
        self.path_rate = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self.step_rate = (mass + 2) / (n + mass + 5)
        self.rank_one = 2 / ((n + 1.3) ** 2 + mass)
        self.rank_many = min(1 - self.rank_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.damping = 1 + 2 * max(0, np.sqrt((mass - 1) / (n + 1)) - 1) + self.step_rate
        self.expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.mass, self.generation = mass, 0
        self.path, self.step_path = np.zeros(n), np.zeros(n)
        self.covariance = np.eye(n)

    def ask(self):
        """One row of parameters for each member of the population."""
        squares, self.axes = np.linalg.eigh(self.covariance)
        self.normal = self.rng.normal(size=(self.population, self.mean.size))
        self.shifts = (self.normal * np.sqrt(np.maximum(squares, 1e-14))) @ self.axes.T
        return self.mean + self.step * self.shifts

    def tell(self, rewards):
        """Takes the reward of each row that ask() gave."""
        best = np.argsort(-rewards)[: self.weights.size]
        shifts = self.shifts[best]
        shift = self.weights @ shifts
        self.generation += 1
        self.mean = self.mean + self.step * shift
        rate = self.step_rate
        self.step_path = (1 - rate) * self.step_path + np.sqrt(rate * (2 - rate) * self.mass) * (
            self.axes @ (self.weights @ self.normal[best])
        )
        length = np.linalg.norm(self.step_path)
        bound = (1.4 + 2 / (self.mean.size + 1)) * self.expected
        moves = length < bound * np.sqrt(1 - (1 - rate) ** (2 * self.generation))
        rate = self.path_rate
        self.path = (1 - rate) * self.path + moves * np.sqrt(rate * (2 - rate) * self.mass) * shift
        self.covariance = (
            (1 - self.rank_one - self.rank_many) * self.covariance
            + self.rank_one * np.outer(self.path, self.path)
            + self.rank_many * (shifts.T * self.weights) @ shifts
        )
        self.step *= np.exp(self.step_rate / self.damping * (length / self.expected - 1))
