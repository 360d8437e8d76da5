// SPDX-License-Identifier: Apache-2.0
// Files of the user: drop or choose them, edit them, save what came of them. This part is loaded with the page and only
// listens; the rest is fetched when it is first used.
import type { App } from '../app';
import { icons } from '../ui/icons';
import type { UserFiles } from './user-files';

export function addFiles(app: App): void {
  let files: Promise<UserFiles> | null = null;
  const load = (): Promise<UserFiles> => (files ??= import('./user-files').then((module) => new module.UserFiles(app)));
  const canOpen = (): boolean => app.source?.can.has('open') ?? false;

  const choose = (folder: boolean) => (): void => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.webkitdirectory = folder;
    input.onchange = () => {
      if (input.files?.length) load().then((user) => user.choose(input.files!)).catch((error: Error) => app.fail(error));
    };
    input.click();
  };
  app.actions.add({ id: 'open', label: 'Open files ...', group: 'file', key: 'Ctrl+o', icon: icons.open, place: 'bar', enabled: canOpen, run: choose(false) });
  app.actions.add({ id: 'open-folder', label: 'Open a folder ...', group: 'file', enabled: canOpen, run: choose(true) });
  app.panels.add({ id: 'editor', title: 'Model file', key: 'e', build: async (body) => (await load()).showEditor(body) });
  app.panels.add({ id: 'export', title: 'Save', key: 'Ctrl+s', build: async (body) => (await import('./export-panel')).buildExport(app, body) });

  // A drop anywhere on the page.
  const over = document.createElement('div');
  over.id = 'drop';
  over.textContent = 'Drop a model: MJCF, URDF, meshes, a folder or a zip file';
  over.hidden = true;
  document.body.append(over);
  const isFiles = (event: DragEvent): boolean => (event.dataTransfer?.types.includes('Files') ?? false) && canOpen();
  addEventListener('dragover', (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
    over.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) over.hidden = true;
  });
  addEventListener('drop', (event) => {
    over.hidden = true;
    if (!isFiles(event)) return;
    event.preventDefault();
    // The entries must be taken in the event itself; the code that reads them may still have to be fetched.
    const { items, files: plain } = event.dataTransfer!;
    const entries = [...items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry?.() ?? null);
    const list = [...plain];
    load().then((user) => user.drop(entries, list)).catch((error: Error) => app.fail(error));
  });
}
