// SPDX-License-Identifier: Apache-2.0
// A translucent second picture of the model: the pose of the start, or a world that keeps former settings.
import { Group, Mesh, MeshLambertMaterial } from 'three';
import type { App } from '../app';
import { setPoses } from './stage';

export function addGhost(app: App): void {
  const group = new Group();
  app.stage.scene.add(group);
  const glass = new MeshLambertMaterial({ color: 0x4aa3ff, transparent: true, opacity: 0.3, depthWrite: false });
  let start: Float64Array | null = null;
  let running = false;

  const show = (poses: Float64Array | null): void => {
    group.visible = poses !== null;
    if (!poses) return;
    if (group.children.length !== app.stage.meshes().length) {
      group.clear();
      for (const mesh of app.stage.meshes()) {
        const copy = new Mesh(mesh.geometry, glass);
        copy.matrixAutoUpdate = false;
        copy.visible = mesh.visible && mesh.userData.body > 0;
        copy.raycast = () => {};
        group.add(copy);
      }
    }
    setPoses(group.children, poses);
    app.stage.redraw();
  };
  const refresh = (): void => show(app.frame?.ghostPoses ?? start);
  app.on('described', () => {
    group.clear();
    start = null;
    running = false;
    group.visible = false;
  });
  app.on('frame', (frame) => {
    if (running && !frame.ghostPoses) running = false; // it ends when time goes back
    if (frame.ghostPoses || start) refresh();
    else group.visible = false;
  });
  app.actions.add({
    id: 'ghost', label: 'Ghost with the present settings', group: 'show', key: 'g', on: () => running,
    enabled: () => app.source?.can.has('ghost') ?? false,
    run: async () => {
      const on = !running;
      await app.source?.ghost?.(on);
      running = on;
      if (on) app.say('The ghost keeps the present settings: change some, or pull');
      refresh();
      app.stage.redraw();
    },
  });
  app.actions.add({
    id: 'ghost-start', label: 'Ghost of the start', group: 'show', key: 'Shift+G', on: () => start !== null,
    run: () => {
      start = start ? null : app.description?.frame.shapePoses ?? null;
      refresh();
      app.stage.redraw();
    },
  });
}
