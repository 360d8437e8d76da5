// SPDX-License-Identifier: Apache-2.0
// The certificate of the last step, always in view: whether it was solved exactly, the residual, and how many steps were
// not exact since the start. Orange while the last step is not solved, with a sentence on what to do.
import type { App } from '../app';
import type { Frame } from '../source';

const ADVICE: Record<string, string> = {
  not_unique: 'The laws allow other motions, too.',
  inexact: 'The contact solver stopped before its tolerance: allow more effort or a smaller time step.',
  energy: 'The energy changed without a force: make the time step smaller.',
  limit_passed: 'A joint is beyond its range: make the time step smaller, or start within it.',
  tendon_passed: 'A tendon is beyond its range: make the time step smaller, or start within it.',
  loop_open: 'A loop is open: make the time step smaller, or start with closed loops.',
  overlap: 'Shapes lie deep in each other: make the time step smaller, or start without overlap.',
  inverted: 'Elements of a deformable body are inside out: make the time step smaller.',
  not_followed: 'Positions did not follow velocities: make the time step smaller.',
  shortened: 'Bodies moved for less than the step: make the time step smaller.',
  contacts_dropped: 'There were more contact points than room: raise contactCapacity.',
  restrained: 'A body turned too fast for the time step: make it smaller.',
  not_finite: 'A number was not finite: the step was taken back. Make the time step smaller.',
  singular: 'The equations are singular: look for bodies without mass.',
  out_of_range: 'A value was out of range: the step was taken back.',
  contact_refused: 'The integrator rk4 takes no contacts: choose moreau.',
};

export function addReport(app: App, over: HTMLElement): void {
  const box = document.createElement('details');
  box.id = 'report';
  box.open = matchMedia('(min-width: 1000px) and (min-height: 620px)').matches;
  const head = document.createElement('summary');
  head.setAttribute('aria-label', 'Certificate of the last step');
  const advice = document.createElement('p');
  const table = document.createElement('table');
  box.append(head, table, advice);
  over.append(box);
  const rows = new Map<string, HTMLTableCellElement>();
  const row = (name: string, value: string): void => {
    let cell = rows.get(name);
    if (!cell) {
      const line = table.insertRow();
      line.insertCell().textContent = name;
      cell = line.insertCell();
      rows.set(name, cell);
    }
    if (cell.textContent !== value) cell.textContent = value;
  };
  let last = 0;
  const show = (frame: Frame): void => {
    const { report } = frame;
    const solved = !report || report.status === 'solved';
    box.dataset.state = solved ? 'solved' : 'not';
    const words = !report ? 'ready' : solved ? 'solved' : report.status.replaceAll('_', ' ');
    head.textContent = report ? `${words} · residual ${exponent(frame.residual)} m/s · inexact ${frame.inexact}` : words;
    advice.hidden = solved;
    advice.textContent = report && !solved ? frame.words || (ADVICE[report.status] ?? '') : '';
    if (!report || !box.open) return;
    row('contacts', String(report.contactCount));
    row('relative residual', exponent(report.relative));
    row('cone violation', `${exponent(report.cone)} N`);
    row('gap power', `${exponent(report.gapPower)} W`);
    row('penetration', `${exponent(report.penetration)} m`);
    row('dropped points', String(frame.dropped));
    row('sweeps, Newton steps', `${report.sweeps}, ${report.newtonSteps}`);
    row('energy', `${(report.kinetic + report.potential).toPrecision(5)} J`);
    row('energy defect', `${exponent(report.energyChange)} J`);
    row('step', `${(1000 * frame.stepTime).toFixed(0)} µs, no. ${frame.step}`);
  };
  app.on('frame', (frame) => {
    const now = performance.now();
    if (app.state.playing && now - last < 120) return; // readable, not a flicker
    last = now;
    show(frame);
  });
  box.ontoggle = () => app.frame && show(app.frame);
}

export function exponent(value: number): string {
  return value === 0 ? '0' : value.toExponential(1).replace('e-', 'e−');
}
