// SPDX-License-Identifier: Apache-2.0
// The spring between a pointer and a body. It scales with the mass of the tree, so that a cup and a robot follow with the
// same time constant, as in the native window.

const RATE = 8.5; // [1/s]

/** Mass of all bodies that hang together by joints with this one [kg]. */
export function treeMass(arrays: { bodyParent: Int32Array; bodyMass: Float64Array }, body: number): number {
  const root = (b: number): number => {
    while (b > 0 && (arrays.bodyParent[b] ?? 0) > 0) b = arrays.bodyParent[b]!;
    return b;
  };
  const own = root(body);
  return arrays.bodyMass.reduce((sum, mass, b) => (b > 0 && root(b) === own ? sum + mass : sum), 0);
}

export function spring(mass: number): { stiffness: number; damping: number; forceMax: number } {
  return { stiffness: mass * RATE * RATE, damping: mass * RATE, forceMax: 30 * 9.81 * mass };
}
