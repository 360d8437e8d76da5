// SPDX-License-Identifier: Apache-2.0
// A user of a shared world, in node and in pages: carries a box or the plank's far end about.
const places = [[0, -0.5, 0.22], [0.6, 0.5, 0.05], [0.6, 0, 0.05], [0.6, -0.5, 0.05]];

// From place to place in 0.8 s, with pauses of 0.3 s; the same for all who compute it.
const random = (k, user, axis) => { const x = Math.sin(k * 12.9898 + user * 78.233 + axis * 37.719) * 43758.5453; return x - Math.floor(x); };
function path(user, time) {
  const from = places[user], leg = 1.1, k = Math.floor(time / leg), u = Math.min((time - k * leg) / 0.8, 1);
  const target = (n) => (n === 0 ? from : from.map((x, i) => x + 0.2 * (random(n, user, i) - (i === 2 ? -0.5 : 0.5))));
  if (user === 0) { // lifts the end of the plank
    const w = Math.max(0, Math.min((time - 1.5) / 1.5, 1));
    return { pos: [from[0], from[1], from[2] + 0.2 * w * w * (3 - 2 * w)], vel: [0, 0, 0.8 * w * (1 - w)] };
  }
  const [a, b] = [target(k), target(k + 1)], s = u ** 3 * (10 - 15 * u + 6 * u * u), v = u < 1 ? (30 * u * u * (1 - u) ** 2) / 0.8 : 0;
  return { pos: a.map((x, i) => x + s * (b[i] - x)), vel: a.map((x, i) => v * (b[i] - x)) };
}

/** Joins. Returns a function that returns what this user saw. */
export async function enter(heft, join, address, token, user) {
  const seen = { frames: 0, jumps: 0, largest: 0, weight: 0 };
  let begun = null, last = [];
  const { shared, stats } = await join(heft, address, {
    token,
    hand: (time) => path(user, time - (begun ??= time)),
    // A jump is a place that differs by more than 1 mm from the one to which the last two frames lead.
    onframe: ({ bodyPoses, present, force }) => {
      seen.weight += 0.05 * (-force[2] - seen.weight);
      const now = { present, poses: bodyPoses.slice() };
      if (last[1]) {
        const share = (present - last[0].present) / (last[0].present - last[1].present);
        const miss = now.poses.map((x, i) => x - last[0].poses[i] - share * (last[0].poses[i] - last[1].poses[i]));
        let jump = 0;
        for (let b = 0; b < miss.length; b += 12) jump = Math.max(jump, Math.hypot(miss[b], miss[b + 1], miss[b + 2]));
        ++seen.frames;
        seen.jumps += jump > 1e-3;
        seen.largest = Math.max(seen.largest, jump);
      }
      last = [now, last[0]];
    },
  });
  return () => {
    const { deepest, waits, corrections, repeated, present, timeStep } = shared;
    return { ...seen, ...stats, error: stats.error?.message, deepest, waits, corrections, repeated, present, timeStep, height: shared.world.bodyPose('plank').pos[2] };
  };
}
