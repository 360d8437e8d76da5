// SPDX-License-Identifier: Apache-2.0
// The panel with plots: energy, force on the ground, residual, time of a step, and one joint that the user chooses. A click
// goes to that time.
import type { App } from '../app';
import { Plot } from './plot';
import { QUANTITIES, type Quantity, type Series } from './series';

const WINDOW = 5; // [s]
const COLORS = ['#3b82f6', '#e8590c', '#2f9e44'];

const PLOTS: { title: string; ids: string[] }[] = [
  { title: 'energy', ids: ['kinetic', 'potential', 'energy'] }, { title: 'force on the ground', ids: ['ground'] },
  { title: 'residual', ids: ['residual'] }, { title: 'step time', ids: ['step-time'] },
];

export function buildPlots(app: App, series: Series, body: HTMLElement): { shown(open: boolean): void } {
  let coordinate = -1;
  const joint: Quantity = { id: 'joint', label: 'joint', unit: 'rad', of: (frame) => frame.q[coordinate] ?? null };
  const plots: { plot: Plot; quantities: Quantity[] }[] = [];
  let open = true, asked = false;

  const goTo = (time: number): void => {
    const { frame, source } = app;
    if (!frame || !source?.can.has('rewind')) return;
    source.rewind(Math.min(frame.historyEnd, Math.max(frame.historyStart, time))).catch((error: Error) => app.fail(error));
  };
  const point = (time: number | null): void => {
    for (const { plot } of plots) plot.setCursor(time);
  };
  const add = (title: string, quantities: Quantity[]): void => {
    const [{ unit, log = false }] = quantities as [Quantity];
    const lines = quantities.map((q, i) => ({ label: q.label, color: COLORS[i % COLORS.length]! }));
    const plot = new Plot({ title, unit, lines, log, onclick: goTo, oncursor: point });
    body.append(plot.element);
    plots.push({ plot, quantities });
  };

  /** The list of joints with one coordinate. */
  const chooser = (): HTMLElement | null => {
    const { description } = app;
    const choose = document.createElement('select');
    choose.setAttribute('aria-label', 'Joint of the plot');
    description?.names.joint.forEach((name, i) => {
      const first = description.arrays.jointQ[i] ?? 0;
      const next = description.arrays.jointQ[i + 1] ?? description.sizes.nq;
      if (next - first === 1) choose.append(new Option(name || `joint ${i}`, String(first)));
    });
    if (!choose.options.length) return null;
    const take = (): void => {
      coordinate = Number(choose.value);
      series.follow(joint);
    };
    choose.onchange = take;
    take();
    return choose;
  };

  const make = (): void => {
    plots.length = 0;
    body.replaceChildren();
    for (const { title, ids } of PLOTS) add(title, ids.map((id) => QUANTITIES.find((q) => q.id === id)!));
    const list = chooser();
    if (list) {
      body.append(list);
      add('coordinate', [joint]);
    }
    fill();
  };

  const fill = (): void => {
    asked = false;
    const end = series.time.at(-1) ?? 0;
    const first = Math.max(0, series.time.findIndex((t) => t >= end - WINDOW));
    const time = series.time.slice(first);
    for (const { plot, quantities } of plots) plot.set(time, quantities.map((q) => series.of(q).slice(first)));
  };

  const refresh = (): void => {
    if (!open || asked) return;
    asked = true;
    setTimeout(() => requestAnimationFrame(fill), 90); // about ten times a second
  };
  make();
  app.on('frame', refresh);
  app.on('described', make);
  app.on('theme', refresh);
  return {
    shown(now) {
      open = now;
      refresh();
    },
  };
}
