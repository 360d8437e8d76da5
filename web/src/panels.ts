// SPDX-License-Identifier: Apache-2.0
// Panels at the side of the page. A module adds one by one call of add(), which also makes the action that opens and
// closes it. build() is called when the panel is first opened, so that its code may be loaded then.
import type { Actions } from './actions';

export interface Panel {
  id: string;
  title: string;
  /** The key that opens and closes it. */
  key?: string;
  /** Path of an icon; see Action. */
  icon?: string;
  place?: 'bar' | 'menu';
  /** Fills the panel, once. */
  build(body: HTMLElement): void | Promise<void>;
  /** Called when it opens and closes. */
  shown?(open: boolean): void;
}

interface Entry {
  panel: Panel;
  frame: HTMLElement | null;
  open: boolean;
}

export class Panels {
  private readonly all = new Map<string, Entry>();
  private readonly watchers: (() => void)[] = [];

  constructor(private readonly side: HTMLElement, private readonly actions: Actions, private readonly fail: (error: Error) => void) {}

  add(panel: Panel): void {
    const entry: Entry = { panel, frame: null, open: false };
    this.all.set(panel.id, entry);
    this.actions.add({
      id: `panel-${panel.id}`, label: panel.title, group: 'panels', key: panel.key, icon: panel.icon, place: panel.place ?? 'menu',
      run: () => this.set(panel.id, !entry.open), on: () => entry.open,
    });
  }

  isOpen(id: string): boolean {
    return this.all.get(id)?.open ?? false;
  }

  /** Opens or closes a panel. */
  set(id: string, open: boolean): void {
    const entry = this.all.get(id);
    if (!entry) throw new Error(`there is no panel '${id}'`);
    if (entry.open === open) return;
    // On a phone one panel is open at a time.
    if (open && matchMedia('(max-width: 700px)').matches) for (const [other, { open: isOpen }] of this.all) if (isOpen) this.set(other, false);
    entry.open = open;
    entry.frame ??= this.make(entry.panel);
    entry.frame.hidden = !open;
    entry.panel.shown?.(open);
    this.side.hidden = ![...this.all.values()].some((e) => e.open);
    this.actions.changed();
    for (const watcher of this.watchers) watcher();
  }

  /** Called when a panel opened or closed: the area of the picture changed. */
  watch(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  private make(panel: Panel): HTMLElement {
    const frame = document.createElement('section');
    frame.className = 'panel';
    frame.id = `panel-${panel.id}`;
    frame.setAttribute('aria-label', panel.title);
    const head = document.createElement('header');
    const title = document.createElement('h2');
    title.textContent = panel.title;
    const close = document.createElement('button');
    close.className = 'close';
    close.textContent = '×';
    close.setAttribute('aria-label', `Close ${panel.title}`);
    close.onclick = () => this.set(panel.id, false);
    head.append(title, close);
    const body = document.createElement('div');
    body.className = 'body';
    frame.append(head, body);
    // In the order of add(), whatever is opened first.
    const order = [...this.all.keys()];
    const next = [...this.side.children].find((other) => order.indexOf(other.id.slice(6)) > order.indexOf(panel.id));
    this.side.insertBefore(frame, next ?? null);
    Promise.resolve(panel.build(body)).catch((error: unknown) => this.fail(error instanceof Error ? error : new Error(String(error))));
    return frame;
  }
}
