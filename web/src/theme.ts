// SPDX-License-Identifier: Apache-2.0
// Light and dark: as the system says, until the user chooses. The choice is stored.
import type { App } from './app';
import { icons } from './ui/icons';

export function addTheme(app: App): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = localStorage.getItem('heft-theme');
  const dark = (): boolean => (chosen ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const apply = (): void => {
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
    app.stage.dark(dark());
    app.tell('theme', dark());
  };
  system.addEventListener('change', apply);
  app.actions.add({
    id: 'theme', label: 'Dark or light', group: 'view', key: 'd', icon: icons.sun, place: 'bar',
    run: () => {
      chosen = dark() ? 'light' : 'dark';
      localStorage.setItem('heft-theme', chosen);
      apply();
    },
  });
  apply();
}
