// SPDX-License-Identifier: Apache-2.0
// Adds the panel of plots; its code is loaded when it is first opened.
import type { App } from '../app';
import { icons } from '../ui/icons';
import { Series } from './series';

export function addPlots(app: App): void {
  const series = new Series(app);
  let panel: { shown(open: boolean): void } | null = null;
  app.panels.add({
    id: 'plots', title: 'Plots', key: 'l', icon: icons.plots, place: 'bar',
    build: async (body) => {
      panel = (await import('./panel')).buildPlots(app, series, body);
    },
    shown: (open) => panel?.shown(open),
  });
}
