// SPDX-License-Identifier: Apache-2.0
// What a newcomer can do first: pull the robot. A line says so until something was pulled, and a key pulls for hands without a pointer.
import { Vector3 } from 'three';
import type { Vec3 } from 'heft';
import type { App } from './app';
import { robotOf } from './scene/follow';

const PULL = 450; // a key pulls for so long [ms]
const REACH = 0.6; // and so far to the side [m]

export function addHint(app: App, over: HTMLElement): void {
  const line = document.createElement('p');
  line.id = 'hint';
  line.textContent = matchMedia('(pointer: coarse)').matches ? 'Drag the robot with a finger: it resists, or falls.' : 'Drag the robot, or press P: it resists, or falls.';
  line.hidden = true;
  over.append(line);
  let done = false;
  app.on('described', (description) => (line.hidden = done || robotOf(description) < 0 || !app.source?.can.has('pull')));
  app.on('frame', (frame) => {
    if (frame.pulled) line.hidden = done = true;
  });

  let end: ReturnType<typeof setTimeout> | undefined;
  const pull = (side: number) => async (): Promise<void> => {
    const { frame, description, source, stage } = app;
    const body = app.selected ?? (description ? robotOf(description) : -1);
    if (!frame || !source || body <= 0) return app.say('Select a body first: click it.');
    const right = new Vector3().setFromMatrixColumn(stage.orbit.camera.matrixWorld, 0);
    const target = new Vector3().fromArray(frame.bodyPoses, 12 * body).addScaledVector(right, side * REACH);
    clearTimeout(end);
    end = setTimeout(() => source.letGo().catch((error: Error) => app.fail(error)), PULL);
    await source.pull(body, [0, 0, 0], target.toArray() as Vec3);
  };
  const enabled = (): boolean => app.description !== null && (app.source?.can.has('pull') ?? false);
  app.actions.add({ id: 'pull-right', label: 'Pull the robot or the selected body to the right', group: 'run', key: 'p', enabled, run: pull(1) });
  app.actions.add({ id: 'pull-left', label: 'Pull it to the left', group: 'run', key: 'Shift+p', enabled, run: pull(-1) });
}
