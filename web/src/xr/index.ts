// SPDX-License-Identifier: Apache-2.0
// Headsets: actions to enter, where the browser has one. The rest is fetched then.
import type { App } from '../app';

const MODES = [
  { mode: 'immersive-vr', id: 'vr', label: 'Enter VR' },
  { mode: 'immersive-ar', id: 'ar', label: 'Enter AR' },
] as const;

export function addHeadset(app: App): void {
  const { xr } = navigator;
  if (!xr) return;
  const look = (): void => {
    for (const { mode, id, label } of MODES) {
      if (app.actions.list().some((action) => action.id === id)) continue;
      xr.isSessionSupported(mode).then((supported) => {
        if (!supported || app.actions.list().some((action) => action.id === id)) return;
        app.actions.add({
          id, label, group: 'view', place: 'bar', enabled: () => app.description !== null, on: () => app.stage.renderer.xr.isPresenting,
          run: async () => (await import('./headset')).enter(app, mode),
        });
      }).catch(() => {}); // not allowed in this page
    }
  };
  look();
  xr.addEventListener('devicechange', look);
}
