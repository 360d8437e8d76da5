// SPDX-License-Identifier: Apache-2.0
// Logs of a run, as `heft run --log` writes them: MCAP by the same C code (without compression, which readers accept), and
// CSV with the same columns and the sum of the contact forces on each body behind them.
import { enums } from './tables.js';

// What a row at the start reports: time and energies.
function startReport({ heft, pointer }) {
  const { c, memory } = heft;
  return memory.with([memory.layout.HeftStepReport.size], (at) => {
    c.heft_run_log_start_report(at, pointer);
    return memory.read('HeftStepReport', at);
  });
}

/** An MCAP log of a world, in memory: for `heft view`, Foxglove and PlotJuggler. */
export class McapLog {
  constructor(world) {
    const { heft } = world;
    const { c, memory } = heft;
    Object.assign(this, { heft, world, pointer: 0 });
    memory.with(['run.mcap', 4], (path, out) => {
      heft.call((error) => c.heft_run_log_open(out, path, world.model.pointer, 0, error));
      this.pointer = memory.uint32(out);
    });
    this.file = heft.files.find('run.mcap'); // the open file: it stays when heft.files forgets its name
    heft.files.remove('run.mcap');
  }

  /** Bytes so far. */
  get size() {
    return this.file.size;
  }

  /** Writes the present state; of the start before any step. */
  write(isStart) {
    const { c } = this.heft;
    this.heft.check(c.heft_run_log_write(this.pointer, this.world.pointer, isStart ? 0 : this.world.report), 'the log');
  }

  /** Ends the log. Returns the file. */
  finish() {
    const at = this.pointer;
    this.pointer = 0;
    this.heft.check(this.heft.c.heft_run_log_close(at), 'the log');
    return this.file.contents().slice();
  }
}

const REPORT = ['kinetic', 'potential', 'work', 'contactCount', 'residual', 'relative', 'penetration', 'energyChange', 'status', 'inexact', 'contactDropped'];
const COLUMNS = ['kinetic', 'potential', 'work', 'contacts', 'residual', 'relative', 'penetration', 'energy_change', 'status', 'inexact', 'dropped', 'quantity', 'error', 'place_a', 'place_b'];

/** A name as a cell of a CSV file. */
function cell(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The quantity that decides the status of a step, its error and its place; -1: none. */
function worst({ error }) {
  const excess = error.map(({ value, bound }) => (value > bound ? value / bound : 0));
  const most = Math.max(...excess), index = excess.indexOf(most);
  return most > 0 ? [index, error[index].value, ...error[index].place] : [-1, 0, -1, -1];
}

/** A CSV log of a world. */
export class CsvLog {
  constructor(world) {
    const { nq, nv, nbody } = world.model.sizes;
    const bodies = world.model.names('body').map((name, i) => name || `body ${i}`).slice(1);
    const columns = ['time', ...Array.from({ length: nq }, (_, i) => `q${i}`), ...Array.from({ length: nv }, (_, i) => `v${i}`), ...COLUMNS,
      ...bodies.flatMap((name) => ['x', 'y', 'z'].map((axis) => cell(`force ${name} ${axis}`)))];
    Object.assign(this, { world, bodies: nbody, lines: [columns.join(',') + '\n'], size: 0 });
  }

  write(report) {
    const { world } = this;
    const forces = new Float64Array(3 * this.bodies);
    for (const { bodyA, bodyB, force } of world.contacts) {
      for (let k = 0; k < 3; ++k) {
        forces[3 * bodyA + k] -= force[k];
        forces[3 * bodyB + k] += force[k];
      }
    }
    const figures = REPORT.map((name) => (name === 'status' ? enums.HeftStepStatus.indexOf(report.status) : Number(report[name])));
    figures.push(...worst(report));
    const line = [Number(world.time.toPrecision(12)), ...world.q, ...world.v, ...figures, ...forces.subarray(3)].join(',') + '\n';
    this.size += line.length;
    this.lines.push(line);
  }

  finish() {
    return new TextEncoder().encode(this.lines.join(''));
  }
}

/** A recording of a running world in several formats, every Nth step. It ends by itself at `limit` bytes. */
export class Recorder {
  constructor(world, { formats = ['mcap', 'csv'], every = 1, limit = 256 * 2 ** 20 } = {}) {
    const wrong = formats.find((format) => format !== 'mcap' && format !== 'csv');
    if (wrong !== undefined || formats.length === 0) throw new TypeError(`'${wrong ?? ''}' is not a format of logs; use 'mcap' or 'csv'`);
    if (!Number.isInteger(every) || every < 1) throw new RangeError(`every: expected a whole number of at least 1, found ${every}`);
    Object.assign(this, { world, every, limit, steps: 0, rows: 0, full: false, from: world.time });
    this.csv = formats.includes('csv') ? new CsvLog(world) : null;
    this.mcap = formats.includes('mcap') ? new McapLog(world) : null;
    this.row(startReport(world), true);
  }

  get size() {
    return (this.csv?.size ?? 0) + (this.mcap?.size ?? 0);
  }

  /** After each step. */
  step(report) {
    if (++this.steps % this.every === 0 && !this.full) this.row(report, false);
  }

  row(report, isStart) {
    this.csv?.write(report);
    this.mcap?.write(isStart);
    ++this.rows;
    this.full = this.size > this.limit;
  }

  finish() {
    const { rows, from, full } = this;
    return { rows, from, to: this.world.time, full, csv: this.csv?.finish(), mcap: this.mcap?.finish() };
  }
}
