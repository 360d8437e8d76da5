// SPDX-License-Identifier: Apache-2.0
// The scenes that come with the page, in a list in the bar.
import type { App } from '../app';
import list from '../scenes.json';

/** A file of scenes/ or models/; a scene with a robot that acts has a name, files that its file includes, and the act. */
interface Scene { file: string; title: string; name?: string; parts?: string[]; act?: string; hint?: string }
const scenes: Scene[] = list;
const nameOf = ({ name, file }: Scene): string => name ?? file;

async function textOf(file: string): Promise<[string, string]> {
  const answer = await fetch(`./scenes/${file}`);
  if (!answer.ok) throw new Error(`${file}: the server answered ${answer.status}`);
  return [file, await answer.text()];
}

/** A scene of the page, or a file that the server of the page has beside them. */
export async function openScene(app: App, name: string): Promise<void> {
  const scene = scenes.find((s) => nameOf(s) === name) ?? (/^[\w-]+\.xml$/.test(name) ? { title: name, file: name } as Scene : null);
  if (!scene) throw new Error(`there is no scene '${name}'; these come with the page: ${scenes.map(nameOf).join(', ')}`);
  const { title, file, parts = [], act, hint } = scene;
  await app.open({ title, files: Object.fromEntries(await Promise.all([file, ...parts].map(textOf))), main: file, act, hint });
}

export function sceneList(app: App, element: HTMLElement): void {
  const list = document.createElement('select');
  list.id = 'scene';
  list.setAttribute('aria-label', 'Scene');
  const fill = (title?: string): void => {
    const own = title !== undefined && !scenes.some((s) => s.title === title);
    list.replaceChildren(...(own ? [new Option(title, '', true, true)] : []), ...scenes.map((s) => new Option(s.title, nameOf(s), false, s.title === title)));
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
