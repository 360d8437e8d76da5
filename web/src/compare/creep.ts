// SPDX-License-Identifier: Apache-2.0
// How fast a body creeps: the way of its centre by the time, over the last seconds in which nothing disturbed it. The first half
// second after a disturbance is left out, in which it settles.

const SETTLE = 0.5; // [s]
const LEAST = 0.25; // measured time that a figure needs [s]
const WINDOW = 4; // [s]

type Place = [number, number, number];

export class Creep {
  /** Mean speed [m/s]; null while it is not known. */
  speed: number | null = null;
  /** From where it was when nothing disturbed it any more [m]. */
  way = 0;
  private since = 0;
  private began: Place | null = null;
  private places: { time: number; at: Place }[] = [];

  /** The past does not count: time began anew, somebody pulled, or friction changed. */
  disturb(time: number): void {
    Object.assign(this, { since: time, places: [], speed: null, began: null, way: 0 });
  }

  see(time: number, at: Place): void {
    this.began ??= at;
    this.way = distance(at, this.began);
    if (time < this.since + SETTLE) return;
    this.places.push({ time, at });
    while (this.places.length > 2 && this.places[1]!.time <= time - WINDOW) this.places.shift();
    const first = this.places[0]!;
    const passed = time - first.time;
    if (passed >= LEAST) this.speed = distance(at, first.at) / passed;
  }
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
