// SPDX-License-Identifier: Apache-2.0
// The list of keys and of what the mouse does, made from the actions.
import { keyWords } from '../actions';
import type { App } from '../app';
import { openDialog } from './dialog';
import { icons } from './icons';

const POINTERS = [
  ['drag a body', 'pull it by a damped spring'], ['Ctrl and click a body', 'apply a short impulse'],
  ['drag the background', 'turn the camera; with the right button anywhere'], ['Shift or middle button and drag', 'move the camera'],
  ['wheel, two fingers', 'zoom and move'], ['click', 'select a body'],
];

export function addHelp(app: App): void {
  app.actions.add({
    id: 'help', label: 'Keys and mouse', group: 'help', key: '?', icon: icons.help, place: 'bar',
    run: () => {
      const columns = document.createElement('div');
      columns.className = 'columns';
      columns.append(table(POINTERS), table(app.actions.list().filter((a) => a.key).map((a) => [keyWords(a.key!.split(' ')[0]!), a.label])));
      openDialog('help', 'Keys and mouse', columns);
    },
  });
}

function table(lines: string[][]): HTMLTableElement {
  const made = document.createElement('table');
  for (const [key, what] of lines) {
    const line = made.insertRow();
    const cell = line.insertCell();
    const mark = document.createElement('kbd');
    mark.textContent = key!;
    cell.append(mark);
    line.insertCell().textContent = what!;
  }
  return made;
}
