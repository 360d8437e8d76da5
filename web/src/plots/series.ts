// SPDX-License-Identifier: Apache-2.0
// The last seconds of some quantities, for the plots. They are stored from the start, so that a plot that is opened later
// has a past, too. Going back in time drops what is later.
import type { App } from '../app';
import type { Frame } from '../source';

const LENGTH = 1200; // frames, 20 s at 60 a second

export interface Quantity {
  id: string;
  label: string;
  unit: string;
  /** The values are powers of ten. */
  log?: boolean;
  of(frame: Frame): number | null;
}

export const QUANTITIES: Quantity[] = [
  { id: 'kinetic', label: 'kinetic', unit: 'J', of: (f) => f.report?.kinetic ?? null },
  { id: 'potential', label: 'potential', unit: 'J', of: (f) => f.report?.potential ?? null },
  { id: 'energy', label: 'sum', unit: 'J', of: (f) => (f.report ? f.report.kinetic + f.report.potential : null) },
  { id: 'ground', label: 'force on the ground', unit: 'N', of: (f) => f.contacts.reduce((sum, c) => sum + (c.bodyA === 0 ? c.force[2] : c.bodyB === 0 ? -c.force[2] : 0), 0) },
  { id: 'residual', label: 'residual', unit: 'm/s', log: true, of: (f) => (f.report ? Math.log10(Math.max(f.residual, 1e-17)) : null) },
  { id: 'step-time', label: 'step time', unit: 'µs', of: (f) => 1000 * f.stepTime },
];

export class Series {
  time: number[] = [];
  private readonly values = new Map<Quantity, (number | null)[]>();

  constructor(app: App) {
    for (const quantity of QUANTITIES) this.values.set(quantity, []);
    app.on('described', () => this.drop(-Infinity));
    app.on('frame', (frame) => this.add(frame));
  }

  /** Also follows another quantity from now on. */
  follow(quantity: Quantity): void {
    this.values.set(quantity, this.time.map(() => null));
  }

  of(quantity: Quantity): (number | null)[] {
    return this.values.get(quantity) ?? [];
  }

  private add(frame: Frame): void {
    if (frame.time <= (this.time.at(-1) ?? -1)) this.drop(frame.time - 1e-9);
    this.time.push(frame.time);
    for (const [quantity, list] of this.values) list.push(quantity.of(frame));
    if (this.time.length <= LENGTH) return;
    this.time.shift();
    for (const list of this.values.values()) list.shift();
  }

  private drop(time: number): void {
    const keep = this.time.findIndex((t) => t > time);
    if (keep < 0) return;
    this.time.length = keep;
    for (const list of this.values.values()) list.length = keep;
  }
}
