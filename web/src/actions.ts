// SPDX-License-Identifier: Apache-2.0
// All that a user can do, by one list: buttons, menu, keys and the list of keys come from it. A module adds an action
// by one call of add().

export type Group = 'file' | 'run' | 'show' | 'panels' | 'view' | 'share' | 'help';

export interface Action {
  id: string;
  /** Words for the button, the menu and the list of keys. */
  label: string;
  group: Group;
  /** As 'r', '?', 'Space', 'ArrowLeft', with 'Shift+' or 'Ctrl+' in front; several separated by spaces. */
  key?: string;
  /** Path of an icon in a square of 24 x 24. Without one, the label is shown. */
  icon?: string | (() => string);
  /** Where its button stands; all actions stand in the menu, too, except 'nowhere'. */
  place?: 'bar' | 'time' | 'menu' | 'nowhere';
  run(): void | Promise<void>;
  /** For a switch: whether it is on. */
  on?(): boolean;
  enabled?(): boolean;
}

export class Actions {
  private readonly all = new Map<string, Action>();
  private readonly watchers: (() => void)[] = [];

  /** fail is told what a run() threw. */
  constructor(private readonly fail: (error: Error) => void) {}

  /** Adds an action; returns a function that removes it. */
  add(action: Action): () => void {
    if (this.all.has(action.id)) throw new Error(`there is an action '${action.id}' already`);
    for (const key of action.key?.split(' ') ?? []) {
      const other = this.list().find((a) => a.key?.split(' ').includes(key));
      if (other) throw new Error(`the key '${key}' of the action '${action.id}' belongs to '${other.id}'`);
    }
    this.all.set(action.id, action);
    this.changed();
    return () => {
      this.all.delete(action.id);
      this.changed();
    };
  }

  list(): Action[] {
    return [...this.all.values()];
  }

  run(id: string): void {
    const action = this.all.get(id);
    if (!action) throw new Error(`there is no action '${id}'`);
    if (action.enabled && !action.enabled()) return;
    Promise.resolve()
      .then(() => action.run())
      .catch((error: unknown) => this.fail(error instanceof Error ? error : new Error(String(error))))
      .finally(() => this.changed());
  }

  /** Says that labels, switches or the list changed. */
  changed(): void {
    for (const watcher of this.watchers) watcher();
  }

  watch(watcher: () => void): void {
    this.watchers.push(watcher);
    watcher();
  }

  /** Runs the action of a key. Keys in text fields belong to the field. */
  listen(target: Window): void {
    target.addEventListener('keydown', (event) => {
      const element = event.target as HTMLElement | null;
      if (event.defaultPrevented || event.isComposing || element?.closest('input[type=text], input[type=number], textarea, select, [contenteditable], dialog')) return;
      const inControl = element?.closest('button, input, summary, a') != null;
      const name = keyName(event);
      if (inControl && /^(Space|Enter|Shift\+Space|ArrowLeft|ArrowRight|Shift\+ArrowLeft|Shift\+ArrowRight)$/.test(name)) return; // theirs
      const action = this.list().find((a) => a.key?.split(' ').includes(name));
      if (!action) return;
      event.preventDefault();
      this.run(action.id);
    });
  }
}

/** The name of a key as actions write it. Shift counts for letters and for keys without a sign. */
export function keyName(event: KeyboardEvent): string {
  const letter = /^\p{L}$/u.test(event.key);
  const plain = event.key === ' ' ? 'Space' : letter ? (event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()) : event.key;
  const shift = event.shiftKey && (event.key.length > 1 || event.key === ' ' || letter) ? 'Shift+' : '';
  const alt = event.altKey ? 'Alt+' : '';
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + alt + shift + plain;
}

/** A key in words for people. */
export function keyWords(key: string): string {
  const words: Record<string, string> = { ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down' };
  return key.split(' ').map((k) => k.split('+').map((part) => words[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(' + ') || '+').join(', ');
}
