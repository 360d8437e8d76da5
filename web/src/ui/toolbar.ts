// SPDX-License-Identifier: Apache-2.0
// Buttons and the menu, made from the list of actions whenever it changes.
import { keyWords, type Action, type Group } from '../actions';
import type { App } from '../app';
import { icon, icons } from './icons';

const GROUPS: Record<Group, string> = {
  file: 'File', run: 'Time', show: 'Show', panels: 'Panels', view: 'View', share: 'Share', help: 'Help',
};

/** Fills an element with the buttons of a place. */
export function buttons(app: App, element: HTMLElement, place: 'bar' | 'time'): void {
  const made = new Map<string, HTMLButtonElement>();
  app.actions.watch(() => {
    const actions = app.actions.list().filter((a) => a.place === place);
    for (const [id, button] of made) {
      if (actions.some((a) => a.id === id)) continue;
      button.remove();
      made.delete(id);
    }
    for (const action of actions) {
      let button = made.get(action.id);
      if (!button) {
        button = document.createElement('button');
        button.id = `do-${action.id}`;
        button.onclick = () => app.actions.run(action.id);
        made.set(action.id, button);
        element.append(button);
      }
      dress(button, action);
    }
  });
}

function dress(button: HTMLButtonElement, action: Action): void {
  const path = typeof action.icon === 'function' ? action.icon() : action.icon;
  const face = path ?? action.label;
  if (button.dataset.face !== face) {
    button.dataset.face = face;
    button.replaceChildren(path ? icon(path) : action.label);
    button.classList.toggle('icon', path !== undefined);
  }
  button.setAttribute('aria-label', action.label);
  button.title = action.key ? `${action.label} (${keyWords(action.key)})` : action.label;
  if (action.on) button.setAttribute('aria-pressed', String(action.on()));
  button.disabled = action.enabled ? !action.enabled() : false;
}

/** The menu with all actions, behind one button. */
export function menu(app: App, element: HTMLElement): void {
  const button = document.createElement('button');
  button.id = 'menu-button';
  button.className = 'icon';
  button.append(icon(icons.menu));
  button.title = 'Menu';
  button.setAttribute('aria-label', 'Menu');
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  const list = document.createElement('div');
  list.id = 'menu';
  list.setAttribute('role', 'menu');
  list.setAttribute('aria-label', 'All actions');
  list.hidden = true;
  const set = (open: boolean): void => {
    if (open) fill();
    list.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (open) list.querySelector('button')?.focus();
  };
  const fill = (): void => {
    list.replaceChildren();
    for (const [group, title] of Object.entries(GROUPS)) {
      const actions = app.actions.list().filter((a) => a.group === group && a.place !== 'nowhere');
      if (!actions.length) continue;
      const part = document.createElement('div');
      part.setAttribute('role', 'group');
      part.setAttribute('aria-label', title);
      const head = document.createElement('h2');
      head.textContent = title;
      part.append(head, ...actions.map((action) => item(action)));
      list.append(part);
    }
  };
  const item = (action: Action): HTMLButtonElement => {
    const entry = document.createElement('button');
    entry.setAttribute('role', action.on ? 'menuitemcheckbox' : 'menuitem');
    if (action.on) entry.setAttribute('aria-checked', String(action.on()));
    entry.disabled = action.enabled ? !action.enabled() : false;
    const label = document.createElement('span');
    label.textContent = action.label;
    entry.append(label);
    if (action.key) {
      const key = document.createElement('kbd');
      key.textContent = keyWords(action.key.split(' ')[0]!);
      entry.append(key);
    }
    entry.onclick = () => {
      set(false);
      button.focus();
      app.actions.run(action.id);
    };
    return entry;
  };
  button.onclick = () => set(list.hidden !== false);
  list.onkeydown = (event) => {
    const entries = [...list.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next !== undefined) entries.at(next % entries.length)?.focus();
    else if (event.key === 'Escape') (set(false), button.focus());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('pointerdown', (event) => {
    if (!list.hidden && !list.contains(event.target as Node) && !button.contains(event.target as Node)) set(false);
  });
  element.append(button);
  document.body.append(list);
}
