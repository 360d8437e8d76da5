// SPDX-License-Identifier: Apache-2.0
// Settings of the world, which change while it runs: it goes on from its present state, and the timeline starts again.
import GUI from 'lil-gui';
import type { Change, ContactModel } from 'heft';
import type { App } from '../app';
import { SHOWN } from '../overlays';

const MODELS: Record<string, ContactModel> = {
  'as the file says': 'from_file', exact: 'exact', penalty: 'penalty', LCP: 'lcp', 'micro-macro': 'micro_macro', 'foot, exact': 'foot_exact',
  'foot, one step': 'foot_onestep',
  'bristles (LuGre)': 'lugre',
  'volume of overlap': 'volume',
};

export function buildWorldPanel(app: App, body: HTMLElement): void {
  let overlays = (): void => {};
  const make = (): void => {
    body.replaceChildren();
    if (!app.description || !app.source) return;
    const gui = new GUI({ container: body, autoPlace: false, title: 'World' });
    addWorld(app, gui);
    overlays = addShown(app, gui.addFolder('Show'));
  };
  make();
  app.on('described', make);
  app.actions.watch(() => overlays());
}

function addWorld(app: App, gui: GUI): void {
  const description = app.description!, source = app.source!;
  const { arrays, options } = description;
  const values = {
    model: options.contactModel ?? 'from_file', timeStep: 1000 * (options.timeStep || description.timeStep),
    tolerance: Math.log10(options.tolerance || 1e-6), friction: 1, restitution: 0, gravity: 1,
  };
  const send = (changed: boolean, changes: Change[]): void => {
    if (changed) description.options = { ...description.options, contactModel: values.model, timeStep: values.timeStep / 1000, tolerance: 10 ** values.tolerance };
    source.configure?.(changed ? description.options : undefined, changes).catch((error: Error) => app.fail(error));
  };
  const materials = (kind: 'friction' | 'restitution', value: (index: number) => number): void =>
    send(false, Array.from(arrays.materialFriction, (_, index) => ({ kind, index, value: value(index) })));
  const rebuild = (): void => send(true, []);
  gui.add(values, 'model', MODELS).name('contact model').onChange(rebuild);
  gui.add(values, 'timeStep', 0.1, 10, 0.1).name('time step [ms]').onFinishChange(rebuild);
  gui.add(values, 'tolerance', -12, -3, 1).name('tolerance 10^').onFinishChange(rebuild);
  gui.add(values, 'friction', 0, 3, 0.05).name('friction ×').onFinishChange((factor: number) => {
    app.friction = factor;
    materials('friction', (i) => factor * (arrays.materialFriction[i] ?? 0));
  });
  gui.add(values, 'restitution', 0, 1, 0.05).name('restitution').onFinishChange((value: number) => materials('restitution', () => value));
  gui.add(values, 'gravity', 0, 3, 0.05).name('gravity ×').onFinishChange((value: number) => send(false, [{ kind: 'gravity', value }]));
  if (!source.can.has('settings')) for (const controller of gui.controllers) controller.disable();
}

/** Boxes of what is shown; returns what brings them up to date. */
function addShown(app: App, folder: GUI): () => void {
  const overlays = app.overlays!;
  const shown = Object.fromEntries(SHOWN.map(([id]) => [id, overlays.shown.has(id)]));
  const boxes = SHOWN.map(([id, label]) => folder.add(shown, id).name(label.toLowerCase()).onChange((on: boolean) => overlays.set(id, on)));
  return () => SHOWN.forEach(([id], i) => {
    if (shown[id] === overlays.shown.has(id)) return;
    shown[id] = overlays.shown.has(id);
    boxes[i]?.updateDisplay();
  });
}
