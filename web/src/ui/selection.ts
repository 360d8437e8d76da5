// SPDX-License-Identifier: Apache-2.0
// The selected body: its outline colour in the picture, its mass, place and contact force, and the camera that follows it.
import { Vector3, type Mesh, type MeshPhongMaterial } from 'three';
import type { App } from '../app';
import { robotOf } from '../scene/follow';

export function addSelection(app: App, over: HTMLElement): void {
  const text = document.createElement('output');
  text.id = 'selection';
  text.hidden = true;
  over.append(text);
  let follows = false;
  const place = (body: number): Vector3 => new Vector3().fromArray(app.frame!.bodyPoses, 12 * body);

  // The selected body, or the robot as before.
  const follow = (on: boolean): void => {
    if (!on && !follows) return;
    follows = on;
    app.follow.begin(on ? app.selected! : robotOf(app.description!), app.frame!, !on);
  };
  const glow = (body: number | null): void => {
    for (const mesh of app.stage.meshes() as Mesh[]) {
      const material = mesh.material as MeshPhongMaterial;
      if (mesh.userData.plane) continue;
      mesh.userData.emissive ??= material.emissive.getHex();
      material.emissive.setHex(body !== null && mesh.userData.body === body ? 0x123a66 : (mesh.userData.emissive as number));
    }
  };
  const show = (): void => {
    const { selected, description, frame } = app;
    text.hidden = selected === null;
    if (selected === null || !description || !frame) return;
    const force = frame.contacts.reduce((sum, c) => {
      const sign = c.bodyB === selected ? 1 : c.bodyA === selected ? -1 : 0;
      return sum.add(new Vector3(...c.force).multiplyScalar(sign));
    }, new Vector3());
    const at = place(selected);
    text.textContent = `${description.names.body[selected] || `body ${selected}`}: ${(description.arrays.bodyMass[selected] ?? 0).toPrecision(3)} kg, at (${at.toArray().map((x) => x.toFixed(2)).join(', ')}) m, contact force ${force.length().toFixed(0)} N`;
  };
  app.on('selected', (body) => {
    glow(body);
    if (body === null) follow(false);
    show();
  });
  app.on('frame', () => {
    if (app.selected === null) return;
    show();
  });
  app.actions.add({
    id: 'follow', label: 'Follow the selected body', group: 'view', key: 'f', on: () => follows, enabled: () => app.selected !== null,
    run: () => {
      follow(!follows && app.selected !== null);
      if (!follows) return;
      app.stage.orbit.target.copy(place(app.selected!));
      app.stage.redraw();
    },
  });
}
