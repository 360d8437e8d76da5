// SPDX-License-Identifier: Apache-2.0
// A case of `heft validate` that runs in the page, the exact answer beside the measured one.
import '../element/heft-scene';
import type { HeftScene } from '../element/heft-scene';
import workerAddress from './case-worker?worker&url';
import { errorOf, type LiveCase, type Readings } from './gauges';

const words = new URLSearchParams(location.search);
const SHOWN = 2; // the least time that a run is shown [s of the clock]
// How the camera looks at a case: bodies that go away are followed, small motions need room around them.
const LOOKS: Record<string, Record<string, string>> = {
  'slope-slides': { follow: '1', zoom: '1.6' }, slide: { follow: '1', zoom: '1.6' }, throw: { follow: '1', zoom: '2' }, roll: { follow: '1', zoom: '1.8' },
  static: { follow: '1', zoom: '1.8' }, pendulum: { zoom: '1.5' }, 'double-pendulum': { zoom: '1.4' }, cradle: { zoom: '1.6' }, 'foot-falls': { zoom: '1.5' }, bounce: { zoom: '1.1' },
};

function make<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', name = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}

/** A number with as many digits as help to compare it. */
function digits(value: number): string {
  return value === 0 ? '0' : Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6 ? value.toExponential(3) : String(Number(value.toPrecision(9)));
}

/** A case with its scene and its table; its files are in the folder. */
export function card(live: LiveCase, folder: string): HTMLElement {
  const box = make('article');
  box.id = live.name;
  box.dataset.state = 'waits';
  const title = make('h2', live.title);
  const scene = document.createElement('heft-scene') as HeftScene;
  scene.worker = new URL(workerAddress, import.meta.url);
  scene.prepare = (source) => source.remote.ask('gauges', { rows: live.rows, steps: live.steps }).then(() => {});
  const attributes = { src: folder + live.file, key: live.key, controls: '', label: live.title, speed: String(words.get('speed') ?? live.speed), ...LOOKS[live.name], 'world-options': JSON.stringify(live.options) };
  // A slope is shown as one: from the side, with the vertical against gravity.
  if (live.gravity[0] !== 0) Object.assign(attributes, { up: live.gravity.map((g) => -g).join(' '), azimuth: '-90' });
  for (const [name, value] of Object.entries(attributes)) scene.setAttribute(name, value);
  const state = make('p', 'comes when it is in sight', 'state');
  state.setAttribute('role', 'status');
  const table = make('table');
  const head = make('tr');
  for (const name of ['', 'exact', 'measured here', 'difference', 'limit', '']) head.append(make('th', name));
  table.append(head);
  const cells = live.rows.map((row) => {
    const line = make('tr');
    const measured = make('td', '…'), difference = make('td'), verdict = make('td');
    line.append(make('th', row.what), make('td', digits(row.exact)), measured, difference, make('td', row.limit.toExponential(0) + (row.relative ? ' of it' : '')), verdict);
    table.append(line);
    return { row, line, measured, difference, verdict };
  });
  scene.addEventListener('heft-frame', (event) => {
    const { readings, time } = (event as CustomEvent<{ readings: Readings; time: number }>).detail;
    if (!readings || readings.values.length !== live.rows.length) return;
    if (readings.done && scene.playing && time >= SHOWN * live.speed) void scene.pause();
    let fails = 0;
    cells.forEach(({ row, line, measured, difference, verdict }, i) => {
      const value = readings.values[i]!, error = errorOf(row, value), ok = error <= row.limit;
      measured.textContent = digits(value);
      measured.dataset.value = String(value);
      difference.textContent = readings.done ? error.toExponential(1) : '';
      verdict.textContent = readings.done && !readings.disturbed ? (ok ? '✓' : '✗') : '';
      verdict.title = verdict.textContent && (ok ? 'within the limit' : 'fails');
      line.dataset.ok = readings.done && !readings.disturbed ? String(ok) : '';
      fails += Number(!ok);
    });
    box.dataset.state = readings.disturbed ? 'disturbed' : readings.done ? (fails ? 'fails' : 'ok') : 'runs';
    state.textContent = readings.disturbed ? 'You pulled at it before the end: the answers are not those of the case. ↺ begins anew.'
      : readings.done ? `measured after ${readings.steps} steps` : `runs: ${readings.steps} of ${live.steps} steps, ${time.toFixed(2)} s`;
  });
  scene.addEventListener('heft-error', (event) => {
    box.dataset.state = 'error';
    state.textContent = (event as CustomEvent<Error>).detail.message;
  });
  const wide = make('div', '', 'wide');
  wide.append(table);
  box.append(title, scene, make('p', `heft validate ${live.case}: ${live.text}`, 'case'), wide, state);
  return box;
}

/** The cases that `heft validate --live` wrote into a folder. */
export async function casesOf(folder: string): Promise<LiveCase[]> {
  const answer = await fetch(folder + 'cases.json');
  if (!answer.ok) throw new Error(`cases.json: the server answered ${answer.status}; write it with heft validate --live FOLDER`);
  return ((await answer.json()) as { scenes: LiveCase[] }).scenes;
}
