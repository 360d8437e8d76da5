// SPDX-License-Identifier: Apache-2.0
// The past of a world: snapshots at equal distances of simulated time, and what the user did, by the number of the step.
// Between two snapshots the world is stepped again with the same inputs, so every step of the past can be reached with
// the same bits. A run that goes on from the past does so, too, until the user acts: then the later part is dropped.

const DISTANCE = 1 / 30; // simulated time between snapshots [s]
const SNAPSHOTS = 9000; // five minutes
const BYTES = 192e6;

export class History {
  constructor() {
    this.clear();
  }

  clear() {
    this.moments = []; // {step, time, bytes, pull, points}: snapshots in the order of time
    this.inputs = []; // {step, kind, value}: act before that step
    this.next = 0; // the first input that has not acted yet, after going back
    this.size = 0;
    this.same = 0; // snapshots that were reached again with the same bytes
    this.frontier = 0; // number of steps of the whole past
    this.end = null; // its time [s]
  }

  /** Time of the first snapshot, or null. */
  get start() {
    return this.moments[0]?.time ?? null;
  }

  /** Stores the state before a step, if it is time for a snapshot; compares it if there is one already. */
  keep(step, world, pull, points) {
    const { time } = world;
    const last = this.moments.at(-1);
    if (!last || (step > last.step && time >= last.time + DISTANCE - 1e-9)) {
      const bytes = world.snapshot();
      this.moments.push({ step, time, bytes, pull, points });
      this.size += bytes.length;
      while (this.moments.length > SNAPSHOTS || (this.size > BYTES && this.moments.length > 2)) this.size -= this.moments.shift().bytes.length;
      this.forget(this.moments[0].step);
    } else if (step <= last.step) {
      const moment = this.at(step);
      if (!moment) return;
      if (equal(moment.bytes, world.snapshot())) ++this.same;
      else this.branch(step);
    }
  }

  /** Drops inputs before the first snapshot. */
  forget(step) {
    const gone = this.inputs.findIndex((input) => input.step >= step);
    const count = gone < 0 ? this.inputs.length : gone;
    if (count < 1000) return; // not in every step
    this.inputs.splice(0, count);
    this.next -= count;
  }

  /** Says that the world has taken a step. */
  taken(step, time) {
    if (step < this.frontier) return;
    this.frontier = step + 1;
    this.end = time;
  }

  /** The snapshot of a step, or undefined. */
  at(step) {
    let low = 0, high = this.moments.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle].step < step) low = middle + 1;
      else high = middle;
    }
    return this.moments[low]?.step === step ? this.moments[low] : undefined;
  }

  /** The last snapshot at or before a time, or the first; undefined if there is none. */
  before(time) {
    return this.moments.findLast((moment) => moment.time <= time + 1e-9) ?? this.moments[0];
  }

  /** Goes back to a snapshot: the inputs from there on act again. */
  goBack(moment) {
    const first = this.inputs.findIndex((input) => input.step >= moment.step);
    this.next = first < 0 ? this.inputs.length : first;
  }

  /** The next input that acts again at or before a step, or null. */
  replay(step) {
    const input = this.inputs[this.next];
    if (!input || input.step > step) return null;
    ++this.next;
    return input;
  }

  /** True if steps or inputs of the past lie ahead. */
  isPast(step) {
    return step < this.frontier || this.next < this.inputs.length;
  }

  /** Drops the snapshots at and after a step. */
  branch(step) {
    while (this.moments.length && this.moments.at(-1).step >= step) this.size -= this.moments.pop().bytes.length;
  }

  /** The user acts. What was ahead is dropped. */
  add(step, time, kind, value) {
    if (this.isPast(step)) {
      this.branch(step);
      this.inputs.length = this.next;
      Object.assign(this, { frontier: step, end: time });
    }
    this.inputs.push({ step, kind, value });
    this.next = this.inputs.length;
  }
}

function equal(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (a[i] !== b[i]) return false;
  return true;
}
