// SPDX-License-Identifier: Apache-2.0
// What a user takes away: the scene with its present state, and the log of a run.
import type { App } from '../app';
import { download } from '../ui/download';
import './files.css';
import { exportScene, freeKey } from './export';

function section(body: HTMLElement, title: string, text: string): HTMLElement {
  const part = document.createElement('section');
  const head = document.createElement('h3');
  head.textContent = title;
  const note = document.createElement('p');
  note.textContent = text;
  part.append(head, note);
  body.append(part);
  return part;
}

function button(app: App, id: string, label: string, run: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button');
  made.id = id;
  made.textContent = label;
  made.onclick = () => void run().catch((error: Error) => app.fail(error));
  return made;
}

export function buildExport(app: App, body: HTMLElement): void {
  body.classList.add('export');
  const title = (): string => (app.description?.title ?? 'scene').replace(/\.(xml|mjcf|urdf|heft)$/i, '').replace(/[^\w.-]+/g, '_') || 'scene';
  const scene = section(body, 'The scene', 'The model with the present state as a keyframe; a zip file where it needs meshes or images.');
  const save = (ending: string) => async (): Promise<void> => {
    const source = app.source;
    if (!source?.write) throw new Error('this world cannot be saved from here');
    const key = freeKey(app.description?.names.key ?? []);
    const files = await source.write(`${title()}.${ending}`, key);
    const { name, data, type } = await exportScene(`${title()}.${ending}`, files, app.opening?.files ?? {});
    download(name, data, type);
    app.say(`${name} was saved; its keyframe '${key}' is this moment: heft run --key ${key} ...`);
  };
  scene.append(button(app, 'save-mjcf', 'MJCF', save('xml')), button(app, 'save-heft', 'Compiled (.heft)', save('heft')));

  const run = section(body, 'A run', 'Records every Nth step from now on: CSV for spreadsheets, MCAP for heft view, Foxglove and PlotJuggler.');
  const boxes = (['mcap', 'csv'] as const).map((format) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.id = `record-${format}`;
    const line = document.createElement('label');
    line.append(box, ` ${format.toUpperCase()}`);
    run.append(line);
    return [format, box] as const;
  });
  const every = document.createElement('input');
  Object.assign(every, { type: 'number', min: '1', max: '1000', value: '10', id: 'record-every' });
  const line = document.createElement('label');
  line.append('every ', every, ' steps');
  const state = document.createElement('p');
  state.setAttribute('role', 'status');
  let recording = false;
  const record = button(app, 'record', 'Record', async () => {
    const source = app.source;
    if (!source?.record || !source.recorded) throw new Error('this world cannot be recorded from here');
    if (!recording) {
      const formats = boxes.filter(([, box]) => box.checked).map(([format]) => format);
      if (formats.length === 0) throw new Error('choose MCAP, CSV or both');
      await source.record({ formats, every: Math.max(1, Math.round(Number(every.value)) || 1) });
      set(true);
      if (!app.state.playing) await source.play(app.state.speed || 1);
      return;
    }
    set(false);
    const { rows, from, to, csv, mcap } = await source.recorded();
    if (mcap) download(`${title()}.mcap`, mcap);
    if (csv) download(`${title()}.csv`, csv, 'text/csv');
    app.say(`${rows} rows from ${from.toFixed(2)} s to ${to.toFixed(2)} s were saved`);
  });
  const set = (on: boolean): void => {
    recording = on;
    record.textContent = on ? 'Stop and save' : 'Record';
    record.setAttribute('aria-pressed', String(on));
    if (!on) state.textContent = '';
  };
  app.on('frame', ({ recorded }) => {
    if (recording && recorded) {
      state.textContent = `${recorded.rows} rows, ${recorded.size < 1e6 ? `${Math.ceil(recorded.size / 1e3)} kB` : `${(recorded.size / 1e6).toFixed(1)} MB`}${recorded.full ? '; the limit is reached, save it' : ''}`;
    }
  });
  app.on('described', () => set(false));
  run.append(line, record, state);
}
