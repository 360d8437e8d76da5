#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throws stones to the places where they are to lie: their velocities and spins are found by gradients through every step
until they rest, with PyTorch. python3 examples/python/curl.py"""
import numpy as np
import torch

import heft
import heft.torch

FEET = "".join(f"<geom type='sphere' size='.02' mass='.5' friction='.1 0 0' pos='{.1 * np.cos(a):.6f} {.1 * np.sin(a):.6f} 0'/>"
               for a in 2 * np.pi * np.arange(3) / 3)
STONE = f"""<mujoco><option timestep='0.02'/><worldbody>
  <geom type='plane' size='9 9 1' friction='.1 0 0'/>
  <body pos='0 0 .02'><freejoint/><geom type='cylinder' size='.14 .05' pos='0 0 .08' mass='18.5'/>{FEET}</body>
</worldbody></mujoco>"""
# x [m], y [m] and direction [rad] of each stone at the end.
PLACES = torch.tensor([[3, 0, .3], [2, 1, -.3], [1.5, -.5, .6]], dtype=torch.float64)
STEPS = 150


def lying(world, throws):
    """Where stones lie that begin at the origin with velocities [m/s] and spins [rad/s] (n, 3)."""
    n, nv = len(throws), world.model.nv
    q = torch.tensor(world.model.q_default).repeat(n, 1)
    v = torch.zeros(n, nv).double().index_copy(1, torch.tensor([0, 1, 5]), throws)
    for _ in range(STEPS):
        q, v = heft.torch.step(world, q, v)
    return torch.stack([q[:, 0], q[:, 1], 2 * torch.atan2(q[:, 6], q[:, 3])], 1)


def search(world, places):
    """Throws that end at places, and how many simulations that took."""
    throws = (places / 1.5).clone().requires_grad_()
    search = torch.optim.LBFGS([throws], max_iter=40, line_search_fn="strong_wolfe", tolerance_change=1e-12)

    def cost():
        search.zero_grad()
        out = ((lying(world, throws) - places)**2).sum()
        out.backward()
        return out

    search.step(cost)
    return throws.detach(), search.state[throws]["func_evals"]


def main():
    # theta=1: sliding bodies have the scheme of first order, which is differentiated.
    world = heft.World(heft.loads(STONE), theta=1, rest=0, sleep=0)
    throws, count = search(world, PLACES)
    for throw, off in zip(throws, lying(world, throws) - PLACES):
        print(f"throw {throw[0]:.4f} {throw[1]:+.4f} m/s, spin {throw[2]:+.4f} rad/s: off by {1e3 * off[:2].norm():.4f} mm, "
              f"{abs(off[2]):.1e} rad")
    print(f"{count} simulations of {len(PLACES)} stones with their gradients")


if __name__ == "__main__":
    main()
