// SPDX-License-Identifier: Apache-2.0
// The switches of what the picture shows, with the keys of the native window, and the drawing of marks for each frame.
import type { App } from '../app';
import { drawCones, drawForces, drawPoints, drawPressure, type Scale } from './contact-marks';
import { drawJoints, drawMass, drawPull, Names } from './model-marks';
import { Pens } from './pens';

export const SHOWN = [
  ['contacts', 'Contact points', '1'], ['forces', 'Forces', '2'], ['cones', 'Friction cones', '3'], ['pressure', 'Pressure', '4'],
  ['mass', 'Centre of mass', '5'], ['joints', 'Joint axes', '7'], ['names', 'Names', '8'], ['collision', 'Collision shapes', '9'],
] as const;
export type Shown = (typeof SHOWN)[number][0];

export class Overlays {
  readonly shown = new Set<Shown>(['contacts', 'forces']);
  private readonly pens: Pens;
  private readonly names: Names;
  private weight = 1;

  constructor(private readonly app: App, over: HTMLElement) {
    this.pens = new Pens(app.stage.marks);
    this.names = new Names(over);
    for (const [id, label, key] of SHOWN) {
      app.actions.add({ id: `show-${id}`, label, group: 'show', key, run: () => this.set(id, !this.shown.has(id)), on: () => this.shown.has(id) });
    }
    app.on('described', ({ arrays }) => {
      const mass = arrays.bodyMass.reduce((sum, m, body) => (body > 0 ? sum + m : sum), 0);
      this.weight = Math.max(1e-6, mass * 9.81);
      this.showCollision();
    });
    app.on('draw', () => this.draw());
  }

  set(id: Shown, on: boolean): void {
    if (on) this.shown.add(id);
    else this.shown.delete(id);
    if (id === 'collision') this.showCollision();
    this.app.actions.changed();
    this.app.stage.redraw();
  }

  private scale(): Scale {
    const size = this.app.stage.ball.radius;
    return { newton: (2.4 * size) / this.weight, thick: 0.0085 * size, friction: this.app.friction };
  }

  private draw(): void {
    const { pens, app, shown } = this;
    const { description, frame, stage } = app;
    pens.begin();
    if (description && frame) {
      const scale = this.scale();
      if (shown.has('contacts')) drawPoints(pens, frame, scale);
      if (shown.has('forces')) drawForces(pens, frame, scale);
      if (shown.has('cones')) drawCones(pens, description, frame, scale);
      if (shown.has('pressure')) drawPressure(pens, frame, scale);
      if (shown.has('mass')) drawMass(pens, description, frame, scale);
      if (shown.has('joints')) drawJoints(pens, description, frame, scale);
      drawPull(pens, frame, scale);
    }
    pens.end();
    this.names.draw(shown.has('names') ? description : null, frame, stage.orbit.camera, stage.canvas.clientWidth, stage.canvas.clientHeight);
  }

  /** Groups 3 and above are shapes for collision alone. */
  private showCollision(): void {
    const { description, stage } = this.app;
    if (description) stage.showGroups(description, this.shown.has('collision'));
  }
}
