// SPDX-License-Identifier: Apache-2.0
// Dialogs that lie over the page.

/** A dialog with a title, not yet shown. */
export function titledDialog(id: string, title: string): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.id = id;
  dialog.setAttribute('aria-labelledby', id + '-title');
  const head = document.createElement('h2');
  head.id = id + '-title';
  head.textContent = title;
  dialog.append(head);
  return dialog;
}

/** Shows a dialog that a button, Escape and a click beside it close, and that is then removed. */
export function openDialog(id: string, title: string, ...content: Node[]): void {
  const dialog = titledDialog(id, title);
  const close = document.createElement('button');
  close.className = 'close';
  close.textContent = '×';
  close.setAttribute('aria-label', 'Close');
  close.onclick = () => dialog.close();
  dialog.prepend(close);
  dialog.append(...content);
  dialog.onclose = () => dialog.remove();
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  document.body.append(dialog);
  dialog.showModal();
}
