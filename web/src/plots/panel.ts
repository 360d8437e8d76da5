// SPDX-License-Identifier: Apache-2.0
// The panel with plots: energy, force on the ground, residual, time of a step, and one joint that the user chooses. A click
// goes to that time. uPlot is loaded with this module, when the panel is first opened.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { App } from '../app';
import { QUANTITIES, type Quantity, type Series } from './series';

const WINDOW = 5; // [s]
const HEIGHT = 132;
const COLORS = ['#3b82f6', '#e8590c', '#2f9e44'];

const PLOTS: { title: string; ids: string[] }[] = [
  { title: 'energy', ids: ['kinetic', 'potential', 'energy'] }, { title: 'force on the ground', ids: ['ground'] },
  { title: 'residual', ids: ['residual'] }, { title: 'step time', ids: ['step-time'] },
];

export function buildPlots(app: App, series: Series, body: HTMLElement): { shown(open: boolean): void } {
  let coordinate = -1;
  const joint: Quantity = { id: 'joint', label: 'joint', unit: 'rad', of: (frame) => frame.q[coordinate] ?? null };
  const plots: { plot: uPlot; quantities: Quantity[] }[] = [];
  let open = true, asked = false;

  const add = (title: string, quantities: Quantity[]): void => {
    const style = getComputedStyle(document.documentElement);
    const axis = { stroke: style.getPropertyValue('--faint'), grid: { stroke: style.getPropertyValue('--line'), width: 1 }, ticks: { show: false } };
    const [{ unit, log = false }] = quantities as [Quantity];
    const plot = new uPlot({
      width: Math.max(200, body.clientWidth - 24), height: HEIGHT, title: `${title} [${unit}]`, cursor: { y: false, sync: { key: 'heft' } },
      legend: { show: quantities.length > 1, live: false }, scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      axes: [{ ...axis, size: 24 }, { ...axis, size: 52, space: 26, ...(log ? { values: (_plot: uPlot, at: number[]) => at.map((x) => (x ? x.toExponential(0) : '')) } : {}) }],
      series: [{}, ...quantities.map((q, i) => ({ label: q.label, stroke: COLORS[i % COLORS.length]!, width: 1.5, points: { show: false } }))],
    }, [[], ...quantities.map(() => [])], body);
    plot.over.addEventListener('click', () => {
      const { frame, source } = app;
      const time = plot.posToVal(plot.cursor.left ?? 0, 'x');
      if (!frame || !source?.can.has('rewind')) return;
      source.rewind(Math.min(frame.historyEnd, Math.max(frame.historyStart, time))).catch((error: Error) => app.fail(error));
    });
    plot.root.setAttribute('role', 'img');
    plot.root.setAttribute('aria-label', `Plot of ${title} in ${unit}`);
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
    choose.onchange = () => {
      coordinate = Number(choose.value);
      series.follow(joint);
    };
    choose.onchange(new Event('change'));
    return choose;
  };

  const make = (): void => {
    for (const { plot } of plots.splice(0)) plot.destroy();
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
    for (const { plot, quantities } of plots) plot.setData([time, ...quantities.map((q) => series.of(q).slice(first))] as uPlot.AlignedData);
  };

  const refresh = (): void => {
    if (!open || asked) return;
    asked = true;
    setTimeout(() => requestAnimationFrame(fill), 90); // about ten times a second
  };
  make();
  app.on('frame', refresh);
  app.on('described', make);
  app.on('theme', make);
  new ResizeObserver(() => {
    const width = body.clientWidth - 24;
    if (width > 60) for (const { plot } of plots) if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
  }).observe(body);
  return {
    shown(now) {
      open = now;
      refresh();
    },
  };
}
