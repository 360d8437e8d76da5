// SPDX-License-Identifier: Apache-2.0
// A world that steps at its own pace and is steered by messages: the inside of worker.js. It runs ahead of no clock: it
// takes steps until simulated time has caught up with the wall clock times `speed`, for at most SLICE ms at a time, so
// that messages come through; if the machine is too slow, it leaves the rest out and says so by `lag`.
import { init, World } from './heft.js';
import { enums } from './tables.js';
import { Recorder } from './run_log.js';

const SLICE = 12; // [ms]
const HISTORY_STEP = 1 / 30; // simulated time between snapshots [s]
const HISTORY_LENGTH = 1800; // a minute
const PULL = { stiffness: 0, damping: 0, rotationalStiffness: 0, rotationalDamping: 0 };

export class Session {
  /** post(message, transfer) sends to the other side; later(function, ms) is a timer. */
  constructor(post, later = (run, ms) => setTimeout(run, ms)) {
    Object.assign(this, { post, later, world: null, model: null, playing: false, speed: 1, rate: 60, pull: null, push: null, recorder: null });
    this.history = []; // snapshots for rewinding: {time, bytes}
  }

  /** Answers one message: {id, type, ...}. */
  async receive({ id, type, ...message }) {
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
    Object.assign(this, { model, world: next, pull: null, push: null, history: [], report: null });
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

  need() {
    if (!this.world) throw new Error('there is no world; load() comes first');
    return this.world;
  }

  on_play({ speed = 1, rate = 60 }) {
    this.need();
    if (!(speed > 0) || !(rate > 0 && rate <= 1000)) throw new RangeError('speed and rate must be above 0, and rate at most 1000');
    Object.assign(this, { speed, rate });
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
    Object.assign(this, { history: [], report: null });
    this.begin();
    return this.frame();
  }

  on_controls({ values }) {
    const { controls } = this.need();
    if (values.length !== controls.length) throw new RangeError(`${values.length} controls, expected ${controls.length}`);
    controls.set(values);
  }

  /** Pulls a point of a body towards a target by a damped spring until it is called without a body. */
  on_pull({ body, at, target, stiffness, damping }) {
    this.need();
    this.pull = body === undefined ? null : {
      ...PULL, body: this.model.find('body', body), stiffness, damping,
      at: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: at }, target: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: target },
    };
  }

  /** An impulse [N s] on a point of a body, given in the world, during the next step. */
  on_push({ body, point, impulse }) {
    const world = this.need();
    this.push = { body: this.model.find('body', body), point, force: impulse.map((p) => p / world.timeStep) };
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
    this.begin();
    return this.frame();
  }

  /** Goes back to the last snapshot at or before a time. */
  on_rewind({ time }) {
    const world = this.need();
    this.playing = false;
    const index = this.history.findLastIndex((moment) => moment.time <= time + 1e-12);
    if (index < 0) throw new RangeError(`${time} s is not in the history`);
    world.restore(this.history[index].bytes);
    this.history.length = index; // the next step stores this one again
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

  stepOnce() {
    const { world } = this;
    const last = this.history.at(-1);
    if (!last || world.time >= last.time + HISTORY_STEP - 1e-12) this.history.push({ time: world.time, bytes: world.snapshot() });
    if (this.history.length > HISTORY_LENGTH) this.history.shift();
    if (this.pull) world.couple(this.pull);
    if (this.push) world.applyForce(this.push.body, this.push.force, this.push.point);
    this.push = null;
    this.report = world.step();
    this.recorder?.step(this.report);
  }

  turn() {
    if (!this.playing) return;
    const begin = performance.now();
    const target = () => this.start + ((performance.now() - this.wall) * this.speed) / 1000 - this.lag;
    while (this.world.time + this.world.timeStep <= target() && performance.now() - begin < SLICE) this.stepOnce();
    const behind = target() - this.world.time;
    if (behind > 0.1) this.lag += behind; // too slow for this machine: time is left out, not made up
    if (performance.now() - this.shown >= 1000 / this.rate) {
      this.shown = performance.now();
      const frame = this.frame();
      this.post({ type: 'frame', frame });
    }
    this.later(() => this.turn(), 1);
  }

  /** What a picture needs. */
  frame() {
    const { world } = this;
    return {
      time: world.time, lag: this.lag ?? 0, q: world.q.slice(), v: world.v.slice(), bodyPoses: world.bodyPoses.slice(),
      shapePoses: world.shapePoses.slice(), contacts: world.contacts, report: this.report ?? null,
      historyStart: this.history[0]?.time ?? world.time,
      recorded: this.recorder ? { rows: this.recorder.rows, size: this.recorder.size, full: this.recorder.full } : null,
    };
  }
}
