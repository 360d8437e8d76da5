// SPDX-License-Identifier: Apache-2.0
// What a newcomer can do first: pull the robot, or another body where there is none. A line says so until something was pulled, and a
// key pulls for hands without a pointer.
import { Vector3 } from 'three';
import type { Vec3 } from 'heft';
import type { App } from './app';
import { robotOf } from './scene/follow';
import type { Description } from './source';

const PULL = 450; // a key pulls for so long [ms]
const REACH = 0.6; // and so far to the side [m]

/** The robot, or else the last body that can move: the top of a stack. -1: nothing moves. */
function pullable(description: Description): number {
  const robot = robotOf(description), { bodyParent, jointBody } = description.arrays;
  if (robot > 0) return robot;
  for (let body = bodyParent.length - 1; body > 0; --body) if (jointBody.includes(body)) return body;
  return -1;
}

export function addHint(app: App, over: HTMLElement): void {
  const line = document.createElement('p');
  line.id = 'hint';
  line.hidden = true;
  over.append(line);
  let done = false;
  app.on('described', (description) => {
    const coarse = matchMedia('(pointer: coarse)').matches, robot = robotOf(description) > 0;
    line.textContent = description.hint ?? `Drag ${robot ? 'the robot' : 'a body'}${coarse ? ' with a finger' : ', or press P'}${robot ? ': it resists, or falls.' : '.'}`;
    done &&= description.hint === undefined; // a hint of its own was not read yet
    line.hidden = done || pullable(description) < 0 || !app.source?.can.has('pull');
  });
  app.on('frame', (frame) => {
    if (frame.pulled) line.hidden = done = true;
  });

  let end: ReturnType<typeof setTimeout> | undefined;
  const pull = (side: number) => async (): Promise<void> => {
    const { frame, description, source, stage } = app;
    const body = app.selected ?? (description ? pullable(description) : -1);
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
