// SPDX-License-Identifier: Apache-2.0
// The camera goes with a body, so that a robot that walks stays in the picture. A robot is followed over the floor and smoothly: its
// steps shall be seen, and the picture shall not sway with them.
import { Vector3 } from 'three';
import type { Description, Frame } from '../source';
import type { Stage } from './stage';

const SMOOTH = 0.4; // time constant [s]
const ROBOT = 5; // bodies of a tree that is a robot, at least

export class Follow {
  private body = -1;
  private smooth = false;
  private time = 0;
  private readonly last = new Vector3();

  constructor(private readonly stage: Stage) {}

  /** Goes with a body from now on; none: -1. */
  begin(body: number, frame: Frame, smooth: boolean): void {
    Object.assign(this, { body, smooth, time: frame.time });
    if (body >= 0) this.last.fromArray(frame.bodyPoses, 12 * body);
  }

  see(frame: Frame): void {
    if (this.body < 0) return;
    const way = new Vector3().fromArray(frame.bodyPoses, 12 * this.body).sub(this.last);
    const passed = frame.time - this.time;
    this.time = frame.time;
    if (this.smooth) way.setZ(0);
    if (this.smooth && passed >= 0 && passed < 1) way.multiplyScalar(1 - Math.exp(-passed / SMOOTH)); // not after a jump in time
    this.last.add(way);
    this.stage.shift(way);
  }
}

/** The first body of the only robot of a model: the driven tree with the most bodies. -1: there is none. */
export function robotOf({ arrays, sizes }: Description): number {
  const count = new Map<number, number>();
  for (let b = 1; b < arrays.bodyParent.length; ++b) {
    let root = b;
    while ((arrays.bodyParent[root] ?? 0) > 0) root = arrays.bodyParent[root]!;
    count.set(root, (count.get(root) ?? 0) + 1);
  }
  const [first, second] = [...count].sort((a, b) => b[1] - a[1]);
  return first && sizes.nactuator > 0 && first[1] >= ROBOT && first[1] > (second?.[1] ?? 0) ? first[0] : -1;
}
