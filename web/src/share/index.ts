// SPDX-License-Identifier: Apache-2.0
// Sessions and links: what was done with the world as a link or a file; a session of another user, repeated with a
// verdict on its bits, and taken over at any moment.
import { fromLink, toLink } from 'heft/link';
import type { App } from '../app';
import { openDialog } from '../ui/dialog';
import { download } from '../ui/download';
import { icons } from '../ui/icons';
import { WorkerSource } from '../worker-source';

export function addShare(app: App): void {
  const own = (): WorkerSource | null => (app.source instanceof WorkerSource ? app.source : null);
  const repeats = (): boolean => (app.frame?.session ?? null) !== null;
  app.actions.add({
    id: 'share', label: 'Share this session', group: 'share', key: 'Ctrl+l', icon: icons.share, place: 'bar',
    enabled: () => own() !== null && app.description !== null && !repeats(), run: () => share(app, own()!),
  });
  app.actions.add({
    id: 'open-session', label: 'Open a session', group: 'share', enabled: () => own() !== null, run: async () => {
      const bytes = await chooseFile();
      if (bytes) await openSession(app, own()!, bytes);
    },
  });
  app.actions.add({
    id: 'branch', label: 'Take over from here', group: 'share', key: 'b', enabled: repeats, run: async () => {
      await own()?.branch();
      clearFragment();
      app.say('A new session begins here: pull, push and change what you like.');
    },
  });
  addBanner(app);
  window.addEventListener('hashchange', () => {
    const source = own();
    if (source) openLink(app, source).catch((error: Error) => app.fail(error));
  });
}

/** Opens the session in the address of the page. Returns whether there is one. */
export async function openLink(app: App, source: WorkerSource): Promise<boolean> {
  const bytes = await fromLink(location.hash);
  if (!bytes) return false;
  await openSession(app, source, bytes);
  return true;
}

async function openSession(app: App, source: WorkerSource, bytes: Uint8Array): Promise<void> {
  await source.openSession(bytes);
  app.actions.changed();
}

function clearFragment(): void {
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
}

// ---- a session is shared

async function share(app: App, source: WorkerSource): Promise<void> {
  const session = await source.session();
  const fragment = await toLink(session.bytes);
  const link = fragment ? `${location.origin}${location.pathname}#${fragment}` : null;
  const text = document.createElement('p');
  const what = `${(session.to - session.from).toFixed(2)} s, ${session.actions} actions.`;
  text.textContent = link
    ? `${what} Whoever opens the link sees the same motion to the last bit, and can go on from any moment.`
    : `${what} That is too much for a link: save it as a file, which this page opens, and 'heft replay' repeats.`;
  const content: Node[] = [text];
  if (link) {
    const field = document.createElement('input');
    field.id = 'share-link';
    field.readOnly = true;
    field.value = link;
    field.setAttribute('aria-label', 'Link');
    field.onfocus = () => field.select();
    content.push(field, button('share-copy', 'Copy the link', () => {
      field.select();
      navigator.clipboard.writeText(link).then(() => app.say('The link is copied.'), () => app.say('Copy the selected link with Ctrl+C.'));
    }));
  }
  content.push(button('share-save', 'Save as a file', () => download(session.name.replace(/^.*\//, '').replace(/\.\w+$/, '') + '-session.mcap', session.bytes)));
  openDialog('share', 'Share this session', ...content);
}

function button(id: string, label: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.id = id;
  made.textContent = label;
  made.onclick = run;
  return made;
}

function chooseFile(): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.mcap';
    input.onchange = () => {
      const file = input.files?.[0];
      if (!file) return resolve(null);
      file.arrayBuffer().then((data) => resolve(new Uint8Array(data)), () => resolve(null));
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

// ---- a session is repeated

// What is repeated, how far, and whether its bits are the same.
function addBanner(app: App): void {
  const banner = document.createElement('div');
  banner.id = 'session';
  banner.setAttribute('role', 'status');
  banner.hidden = true;
  const text = document.createElement('span');
  banner.append(text, button('session-branch', 'Take over', () => app.actions.run('branch')));
  document.getElementById('over')?.append(banner);
  let shown = '';
  app.on('frame', (frame) => {
    const { session } = frame;
    banner.hidden = session === null;
    if (!session) return;
    const verdict = session.different > 0 ? `bits differ at ${session.different} of ${session.compared} marks`
      : session.done ? `same bits at all ${session.compared} marks` : session.compared > 0 ? 'same bits so far' : 'not compared yet';
    const next = `Recorded session, ${Math.floor((100 * session.step) / Math.max(1, session.steps))} %: ${verdict}`;
    if (next !== shown) text.textContent = shown = next;
    banner.dataset.verdict = session.different > 0 ? 'different' : session.done ? 'same' : '';
  });
}
