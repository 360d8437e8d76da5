// SPDX-License-Identifier: Apache-2.0
// Asks which of several files is the model.
import { titledDialog } from '../ui/dialog';
import type { Candidate } from './file-set';

export function chooseMain(models: Candidate[]): Promise<Candidate | null> {
  const dialog = titledDialog('choose', `Which of these ${models.length} files is the model?`);
  const list = document.createElement('div');
  list.className = 'list';
  const cancel = document.createElement('button');
  cancel.textContent = 'Cancel';
  dialog.append(list, cancel);
  return new Promise((done) => {
    let chosen: Candidate | null = null;
    for (const model of models) {
      const button = document.createElement('button');
      const name = document.createElement('span');
      name.textContent = model.path;
      const kind = document.createElement('small');
      kind.textContent = model.part ? `${model.kind}, part of another` : model.kind;
      button.append(name, kind);
      button.onclick = () => {
        chosen = model;
        dialog.close();
      };
      list.append(button);
    }
    cancel.onclick = () => dialog.close();
    dialog.onclose = () => {
      dialog.remove();
      done(chosen);
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}
