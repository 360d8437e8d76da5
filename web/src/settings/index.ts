// SPDX-License-Identifier: Apache-2.0
// Adds the panels of settings and of joints; their code and lil-gui are loaded when one is first opened.
import type { App } from '../app';
import { icons } from '../ui/icons';

export function addSettings(app: App): void {
  app.panels.add({
    id: 'settings', title: 'Settings', key: 's', icon: icons.settings, place: 'bar',
    build: async (body) => (await import('./world-panel')).buildWorldPanel(app, body),
  });
  app.panels.add({
    id: 'joints', title: 'Joints', key: 'j', icon: icons.joints, place: 'bar',
    build: async (body) => (await import('./joint-panel')).buildJointPanel(app, body),
  });
}
