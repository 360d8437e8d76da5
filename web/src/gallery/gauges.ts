// SPDX-License-Identifier: Apache-2.0
// Gauges of validation cases, as validation/live.h describes them: a sum of terms in each step, and what is taken of it. The
// command `heft validate --live` writes them and has checked them against the case itself.
import type { Vec3, World } from 'heft';

export interface Term {
  quantity: 'pos' | 'vel' | 'omega' | 'speed' | 'tilt' | 'force' | 'load' | 'energy';
  factor: number;
  body?: number;
  axis?: 'x' | 'y' | 'z';
  from?: number;
  arm?: Vec3;
}

export interface GaugeRow {
  what: string;
  exact: number;
  limit: number;
  relative: boolean;
  take: 'end' | 'first' | 'cross' | 'last' | 'max' | 'change' | 'drift';
  threshold: number;
  offset: number;
  terms: Term[];
}

export interface LiveCase {
  name: string;
  case: string;
  title: string;
  text: string;
  file: string;
  key: string;
  steps: number;
  speed: number;
  /** A slope is a floor under a gravity that leans [m/s²]. */
  gravity: Vec3;
  options: Record<string, unknown>;
  rows: GaugeRow[];
}

export interface Readings {
  steps: number;
  /** All steps of the case were taken. */
  done: boolean;
  /** Somebody pulled or pushed: the answers are not those of the case. */
  disturbed: boolean;
  values: number[];
}

const AXES = { x: 0, y: 1, z: 2 };

function forceSum(world: World, wanted: (bodyA: number, bodyB: number) => number, axis: number): number {
  return world.contacts.reduce((sum, { bodyA, bodyB, force }) => sum + wanted(bodyA, bodyB) * force[axis]!, 0);
}

function term(world: World, energy: number, { quantity, body = 0, axis = 'x', from = 0, arm = [0, 0, 0] }: Term): number {
  const k = AXES[axis];
  switch (quantity) {
    case 'pos': return world.bodyPose(body).pos[k]!;
    case 'vel': return world.bodyVelocity(body).lin[k]!;
    case 'omega': return world.bodyVelocity(body).ang[k]!;
    case 'speed': {
      const { lin, ang } = world.bodyVelocity(body);
      return Math.hypot(lin[0] + ang[1] * arm[2] - ang[2] * arm[1], lin[1] + ang[2] * arm[0] - ang[0] * arm[2], lin[2] + ang[0] * arm[1] - ang[1] * arm[0]);
    }
    case 'tilt': return (Math.acos(Math.min(1, Math.max(-1, world.bodyPose(body).rot[8]))) * 180) / Math.PI;
    case 'force': return forceSum(world, (a, b) => (a === from && b === body ? 1 : 0) - (a === body && b === from ? 1 : 0), k);
    case 'load': return forceSum(world, (a, b) => (a === 0 ? 1 : 0) - (b === 0 ? 1 : 0), k);
    case 'energy': return energy;
  }
}

export class Gauge {
  value = 0;
  private steps = 0;
  private found = false;
  private first = 0;
  private readonly start: number;

  constructor(private readonly row: GaugeRow, world: World, energy: number) {
    this.start = this.sum(world, energy);
  }

  private sum(world: World, energy: number): number {
    return this.row.terms.reduce((sum, one) => sum + one.factor * term(world, energy, one), this.row.offset);
  }

  step(world: World, energy: number): void {
    const { take, threshold } = this.row;
    const x = this.sum(world, energy), time = world.timeStep * ++this.steps;
    if (this.steps === 1) this.first = x;
    switch (take) {
      case 'end': this.value = x; break;
      case 'first':
      case 'cross':
        if (this.found || (take === 'first' ? Math.abs(x) : x) >= threshold) break;
        this.found = true;
        this.value = time;
        break;
      case 'last': if (x > threshold) this.value = time; break;
      case 'max': this.value = Math.max(this.value, x); break;
      case 'change': this.value = x - this.start; break;
      case 'drift': if (this.steps % 10 === 1) this.value = Math.max(this.value, Math.abs(x - this.first) / Math.abs(this.first)); break;
    }
  }
}

export function errorOf(row: GaugeRow, value: number): number {
  return row.relative ? Math.abs(value / row.exact - 1) : Math.abs(value - row.exact);
}
