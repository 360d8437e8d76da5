// SPDX-License-Identifier: Apache-2.0
// The scenes that come with the page, in a list in the bar.
import type { App } from '../app';
import scenes from '../scenes.json';

export async function openScene(app: App, file: string): Promise<void> {
  const scene = scenes.find((s) => s.file === file);
  if (!scene) throw new Error(`there is no scene '${file}'; these come with the page: ${scenes.map((s) => s.file).join(', ')}`);
  const answer = await fetch(`./scenes/${file}`);
  if (!answer.ok) throw new Error(`${file}: the server answered ${answer.status}`);
  await app.open({ title: scene.title, files: { [file]: await answer.text() }, main: file });
}

export function sceneList(app: App, element: HTMLElement): void {
  const list = document.createElement('select');
  list.id = 'scene';
  list.setAttribute('aria-label', 'Scene');
  const fill = (title?: string): void => {
    const own = title !== undefined && !scenes.some((s) => s.title === title);
    list.replaceChildren(...(own ? [new Option(title, '', true, true)] : []), ...scenes.map((s) => new Option(s.title, s.file, false, s.title === title)));
  };
  fill();
  app.on('described', ({ title }) => {
    fill(title);
    list.disabled = !app.source?.can.has('open');
  });
  list.onchange = () => {
    if (!list.value) return;
    openScene(app, list.value).then(() => app.source?.play(app.state.speed)).catch((error: Error) => app.fail(error));
  };
  element.append(list);
}
