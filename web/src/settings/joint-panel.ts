// SPDX-License-Identifier: Apache-2.0
// Sliders of actuators and joints, and buttons of keyframes. A slider of a joint sets its coordinate, and the joints stand
// still then; while the world runs, it goes on from the new pose.
import GUI, { type Controller } from 'lil-gui';
import type { App } from '../app';

const MOST = 80; // sliders of a kind

interface Slider {
  controller: Controller;
  object: { value: number };
  read(): number;
}

export function buildJointPanel(app: App, body: HTMLElement): void {
  let sliders: Slider[] = [], last = 0;
  const make = (): void => {
    body.replaceChildren();
    sliders = [];
    if (!app.description || !app.source) return;
    const gui = new GUI({ container: body, autoPlace: false, title: 'Pose' });
    addKeys(app, gui);
    sliders = [...addActuators(app, gui), ...addJoints(app, gui)];
  };
  make();
  app.on('described', make);
  app.on('frame', () => {
    if (!app.panels.isOpen('joints') || performance.now() - last < 150) return;
    last = performance.now();
    for (const { controller, object, read } of sliders) {
      if (controller.domElement.matches(':focus-within, :active')) continue; // the user has it
      object.value = read();
      controller.updateDisplay();
    }
  });
}

function slider(app: App, parent: GUI, name: string, [low, high]: [number, number], read: () => number, write: (value: number) => Promise<void> | undefined): Slider {
  const object = { value: read() };
  const controller = parent.add(object, 'value', low, high).name(name).decimals(3)
    .onChange((value: number) => write(value)?.catch((error: Error) => app.fail(error)));
  return { controller, object, read };
}

function addKeys(app: App, gui: GUI): void {
  const { names } = app.description!;
  if (!names.key.length) return;
  const folder = gui.addFolder('Keyframes');
  names.key.slice(0, MOST).forEach((name, i) => {
    folder.add({ go: () => app.source?.reset(i).catch((error: Error) => app.fail(error)) }, 'go').name(name || `keyframe ${i}`);
  });
}

function addActuators(app: App, gui: GUI): Slider[] {
  const { names, arrays } = app.description!;
  if (!names.actuator.length || !app.source!.can.has('controls')) return [];
  const folder = gui.addFolder('Actuators');
  return names.actuator.slice(0, MOST).map((name, i) => {
    const limited = (arrays.actuatorControlLimited[i] ?? 0) !== 0;
    const range: [number, number] = limited ? [arrays.actuatorControlRange[2 * i] ?? -1, arrays.actuatorControlRange[2 * i + 1] ?? 1] : [-1, 1];
    return slider(app, folder, name || `actuator ${i}`, range, () => app.frame?.controls[i] ?? 0, (value) => {
      const controls = Float64Array.from(app.frame?.controls ?? []);
      controls[i] = value;
      return app.source?.setControls(controls);
    });
  });
}

function addJoints(app: App, gui: GUI): Slider[] {
  const { names, arrays, sizes } = app.description!;
  const folder = gui.addFolder('Joints');
  const made = names.joint.slice(0, MOST).flatMap((name, i) => {
    const first = arrays.jointQ[i] ?? 0;
    if ((arrays.jointQ[i + 1] ?? sizes.nq) - first !== 1) return [];
    const dof = arrays.jointDof[i] ?? 0;
    const limited = (arrays.dofLimited[dof] ?? 0) !== 0;
    const range: [number, number] = limited ? [arrays.dofRange[2 * dof] ?? -Math.PI, arrays.dofRange[2 * dof + 1] ?? Math.PI] : [-Math.PI, Math.PI];
    return [slider(app, folder, name || `joint ${i}`, range, () => app.frame?.q[first] ?? 0, (value) => app.source?.setJoints?.(first, [value]))];
  });
  if (!app.source!.can.has('joints')) for (const { controller } of made) controller.disable();
  return made;
}
