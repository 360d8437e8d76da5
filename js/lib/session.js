// SPDX-License-Identifier: Apache-2.0
// A world that steps at its own pace and is steered by messages: the inside of worker.js. It runs ahead of no clock: it
// takes steps until simulated time has caught up with the wall clock times `speed`, for at most SLICE ms at a time, so
// that messages come through; if the machine is too slow, it leaves the rest out and says so by `lag`.
import { init, World } from './heft.js';
import { History } from './history.js';
import { enums } from './tables.js';
import { Recorder } from './run_log.js';

const SLICE = 12; // [ms]
const PULL = { stiffness: 0, damping: 0, rotationalStiffness: 0, rotationalDamping: 0 };

export class Session {
  /** post(message, transfer) sends to the other side; later(function, ms) is a timer. */
  constructor(post, later = (run, ms) => setTimeout(run, ms)) {
    Object.assign(this, { post, later, world: null, model: null, playing: false, speed: 1, rate: 60, pull: null, push: null, recorder: null });
    this.history = new History();
    this.clear();
  }

  /** Answers one message: {id, type, ...}. */
  async receive({ id, type, ...message }) {
    if (type === 'shown') return void (this.unseen = false); // the other side has taken the last picture
    try {
      const handler = this['on_' + type];
      if (!handler) throw new TypeError(`there is no message of the type '${type}'`);
      const result = await handler.call(this, message);
      this.post({ id, ok: true, result });
    } catch (error) {
      const { name, message: text, status, file, line, column, reason } = error;
      this.post({ id, ok: false, error: { name, message: text, status, file, line, column, reason } });
    }
  }

  on_init({ wasm }) {
    return init({ wasm }).then((heft) => {
      this.heft = heft;
      return { version: heft.version };
    });
  }

  on_load({ source, options, world }) {
    if (!this.heft) throw new Error('init() comes first');
    const model = this.heft.load(source, options);
    let next;
    try {
      next = new World(model, world);
    } catch (error) {
      model.close();
      throw error;
    }
    if (this.recorder) this.on_recorded(); // of the former world; it was not asked for
    this.world?.close();
    this.model?.close();
    Object.assign(this, { model, world: next, options: world });
    this.clear();
    const copy = (array) => array.slice();
    return {
      sizes: model.sizes,
      names: Object.fromEntries(enums.HeftNamed.map((kind) => [kind, model.names(kind)])),
      arrays: Object.fromEntries(Object.entries(model.arrays).map(([name, array]) => [name, copy(array)])),
      warnings: model.warnings,
      timeStep: next.timeStep,
      frame: this.frame(),
    };
  }

  /** The present is the start of a new past. */
  clear() {
    Object.assign(this, { pull: null, pullReplayed: false, push: null, report: null, stepNumber: 0, meanStep: 0, spent: { time: 0, steps: 0 }, tally: { inexact: 0, dropped: 0, residual: 0 } });
    this.history.clear();
    this.endGhost();
  }

  need() {
    if (!this.world) throw new Error('there is no world; load() comes first');
    return this.world;
  }

  on_play({ speed = 1, rate = 60, waits = false }) {
    this.need();
    if (!(speed > 0) || !(rate > 0 && rate <= 1000)) throw new RangeError('speed and rate must be above 0, and rate at most 1000');
    Object.assign(this, { speed, rate, waits, unseen: false });
    if (!this.playing) {
      this.playing = true;
      this.begin();
      this.turn();
    }
  }

  on_pause() {
    this.playing = false;
    return this.frame();
  }

  on_step({ count = 1 }) {
    this.need();
    this.playing = false;
    for (let i = 0; i < count; ++i) this.stepOnce();
    return this.frame();
  }

  on_reset({ key }) {
    this.need().reset(key);
    this.clear();
    this.begin();
    return this.frame();
  }

  on_controls({ values }) {
    const { controls } = this.need();
    if (values.length !== controls.length) throw new RangeError(`${values.length} controls, expected ${controls.length}`);
    this.input('controls', Float64Array.from(values));
  }

  /** Pulls a point of a body towards a target by a damped spring until it is called without a body. */
  on_pull({ body, at, target, stiffness, damping, forceMax }) {
    this.need();
    this.input('pull', body === undefined ? null : {
      ...PULL, body: this.model.find('body', body), stiffness, damping, ...(forceMax ? { forceMax } : {}),
      at: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: at }, target: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: target },
    });
  }

  /** An impulse [N s] on a point of a body, given in the world, during the next step. */
  on_push({ body, point, impulse }) {
    const world = this.need();
    this.input('push', { body: this.model.find('body', body), point, force: impulse.map((p) => p / world.timeStep) });
  }

  /** Sets coordinates, from the one with the index `first` on; the joints stand still. */
  on_joints({ first, values }) {
    this.need();
    this.input('joints', { first, values: Float64Array.from(values) });
    return this.frame();
  }

  /**
   * Other settings: options of the world, and changes of parameters ({kind, index, value} as HeftChange). The world goes on
   * from its present state; the past is dropped, since its snapshots do not fit.
   */
  on_configure({ options, changes = [] }) {
    let world = this.need();
    if (options) {
      const next = new World(this.model, options);
      try {
        next.transfer(world);
      } catch (error) {
        next.close();
        throw error;
      }
      if (this.recorder) this.on_recorded();
      world.close();
      Object.assign(this, { world: next, options });
      world = next;
    }
    for (const change of changes) world.change(change);
    const { ghost } = this;
    this.ghost = null; // it goes on: it is there for comparison
    const { tally } = this;
    this.clear();
    Object.assign(this, { ghost, tally });
    this.begin();
    return { timeStep: world.timeStep, frame: this.frame() };
  }

  /** A second world with the present settings and state, which gets the same inputs; or none. */
  on_ghost({ on }) {
    this.endGhost();
    if (on) this.ghost = this.need().clone();
    return this.frame();
  }

  endGhost() {
    this.ghost?.close();
    this.ghost = null;
  }

  /** Begins a log of the run: formats 'mcap' and 'csv', every Nth step. */
  on_record({ formats, every, limit }) {
    const world = this.need();
    if (this.recorder) throw new Error('a run is recorded already; end it by recorded()');
    this.recorder = new Recorder(world, { formats, every, limit });
  }

  /** Ends the log. Returns its files. */
  on_recorded() {
    if (!this.recorder) throw new Error('no run is recorded; record() comes first');
    const { recorder } = this;
    this.recorder = null;
    return recorder.finish();
  }

  /** The model as files; with `key` as its name, the present state is a keyframe of it. */
  on_write({ name, key }) {
    const world = this.need();
    if (key === undefined) return this.model.write(name);
    const model = world.keyModel(key);
    try {
      return model.write(name);
    } finally {
      model.close();
    }
  }

  on_snapshot() {
    return this.need().snapshot();
  }

  on_restore({ bytes }) {
    this.need().restore(bytes);
    this.clear();
    this.begin();
    return this.frame();
  }

  /** Goes to a time of the past, by the snapshot before it and steps from there, and pauses. */
  on_rewind({ time }) {
    const world = this.need();
    this.playing = false;
    if (!(time >= (this.history.start ?? Infinity) - 1e-9)) throw new RangeError(`${time} s is not in the history`);
    this.endGhost();
    const { history } = this;
    const moment = history.before(time);
    if (world.time > time + 1e-9 || moment.step > this.stepNumber) {
      world.restore(moment.bytes);
      history.goBack(moment);
      Object.assign(this, { stepNumber: moment.step, pull: moment.pull, pullReplayed: moment.pull !== null, push: null });
    }
    while (world.time + world.timeStep <= time + 1e-9 && this.stepNumber < history.frontier) this.stepOnce();
    return this.frame();
  }

  on_hash() {
    return this.need().hash;
  }

  on_frame() {
    return this.frame();
  }

  // ---- time

  begin() {
    this.wall = performance.now();
    this.start = this.world.time;
    this.lag = 0;
    this.shown = -Infinity;
  }

  /** What the user does: it acts from the next step on, and a past that lay ahead is dropped. */
  input(kind, value) {
    const { history, stepNumber, world } = this;
    const replayed = this.pullReplayed && history.isPast(stepNumber);
    history.add(stepNumber, world.time, kind, value);
    this.apply(kind, value);
    this.pullReplayed = false;
    if (replayed && kind !== 'pull') this.input('pull', null); // its end was dropped
  }

  apply(kind, value) {
    if (kind === 'pull' || kind === 'push') this[kind] = value;
    else if (kind === 'controls') this.world.controls.set(value);
    else {
      this.world.setQ(value.values, value.first);
      this.world.setV(new Float64Array(this.model.sizes.nv));
    }
  }

  stepOnce() {
    const { world, history } = this;
    for (let input = history.replay(this.stepNumber); input; input = history.replay(this.stepNumber)) {
      this.apply(input.kind, input.value);
      if (input.kind === 'pull') this.pullReplayed = true;
    }
    history.keep(this.stepNumber, world, this.pull);
    const before = performance.now();
    this.drive(world);
    this.report = world.step();
    this.spent.time += performance.now() - before; // a mean: clocks of browsers are coarse
    ++this.spent.steps;
    if (this.ghost) this.stepGhost();
    this.push = null;
    history.taken(this.stepNumber++, world.time);
    const { tally, report } = this;
    if (report.inexact > 0) ++tally.inexact;
    tally.dropped += report.contactDropped;
    tally.residual = Math.max(tally.residual, report.residual);
    this.recorder?.step(this.report);
  }

  drive(world) {
    if (this.pull) world.couple(this.pull);
    if (this.push) world.applyForce(this.push.body, this.push.force, this.push.point);
  }

  stepGhost() {
    const { ghost, world } = this;
    ghost.controls.set(world.controls);
    while (ghost.time + ghost.timeStep / 2 < world.time) {
      this.drive(ghost);
      ghost.step();
    }
  }

  turn() {
    if (!this.playing) return;
    const begin = performance.now();
    const target = () => this.start + ((performance.now() - this.wall) * this.speed) / 1000 - this.lag;
    while (this.world.time + this.world.timeStep <= target() && performance.now() - begin < SLICE) this.stepOnce();
    const behind = target() - this.world.time;
    if (behind > 0.1) this.lag += behind; // too slow for this machine: time is left out, not made up
    if (performance.now() - this.shown >= 1000 / this.rate && !this.unseen) {
      this.shown = performance.now();
      this.unseen = this.waits; // a slow page gets fewer pictures, not a queue of old ones
      const frame = this.frame();
      this.post({ type: 'frame', frame });
    }
    this.later(() => this.turn(), 1);
  }

  /** The largest residual since the last frame. */
  takeResidual() {
    const { residual } = this.tally;
    this.tally.residual = this.report?.residual ?? 0;
    return residual;
  }

  /** Mean wall time of the steps since the last frame [ms]; of the last ones if there was none. */
  takeStepTime() {
    const { time, steps } = this.spent;
    if (steps > 0) this.meanStep = time / steps;
    this.spent = { time: 0, steps: 0 };
    return this.meanStep;
  }

  /** What a picture needs. */
  frame() {
    const { world } = this;
    return {
      time: world.time, lag: this.lag ?? 0, q: world.q.slice(), v: world.v.slice(), bodyPoses: world.bodyPoses.slice(),
      shapePoses: world.shapePoses.slice(), contacts: world.contacts, report: this.report ?? null,
      historyStart: this.history.start ?? world.time, historyEnd: this.history.end ?? world.time, step: this.stepNumber,
      same: this.history.same, inexact: this.tally.inexact, dropped: this.tally.dropped, residual: this.takeResidual(),
      controls: world.controls.slice(), stepTime: this.takeStepTime(), pulled: this.pull ? { body: this.pull.body, at: this.pull.at.pos, target: this.pull.target.pos } : null,
      ghostPoses: this.ghost?.shapePoses.slice() ?? null,
      recorded: this.recorder ? { rows: this.recorder.rows, size: this.recorder.size, full: this.recorder.full } : null,
    };
  }
}
