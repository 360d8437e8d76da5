// SPDX-License-Identifier: Apache-2.0
// A world that steps at its own pace and is steered by messages: the inside of worker.js. It runs ahead of no clock: it
// takes steps until simulated time has caught up with the wall clock times `speed`, for at most SLICE ms at a time, so
// that messages come through; if the machine is too slow, it leaves the rest out and says so by `lag`.
import { init, World } from './heft.js';
import { History } from './history.js';
import { enums } from './tables.js';
import { Recorder } from './run_log.js';
import { Replay, SessionLog, Users } from './session_log.js';

const SLICE = 12; // [ms]
const STEPS_MAX = 1_000_000; // of one message
const PULL = { stiffness: 0, damping: 0, rotationalStiffness: 0, rotationalDamping: 0 };

export class Session {
  /** post(message, transfer) sends to the other side; later(function, ms) is a timer. */
  constructor(post, later = (run, ms) => setTimeout(run, ms)) {
    Object.assign(this, { post, later, world: null, model: null, playing: false, speed: 1, rate: 60, pull: null, push: null, points: null, recorder: null, replay: null, repeats: false, users: null, log: null });
    this.parameters = new Map(); // changes that hold, by what they change
    this.history = new History();
    this.clear();
  }

  /** Answers one message: {id, type, ...}. Anything may arrive; what is wrong changes nothing. */
  async receive(received) {
    const { id, type, ...message } = received ?? {};
    if (type === 'shown') return void (this.unseen = false); // the other side has taken the last picture
    try {
      // Methods on_TYPE, also those of a class that extends this one; names that objects have by themselves do not begin so.
      const handler = typeof type === 'string' ? this['on_' + type] : null;
      if (typeof handler !== 'function') throw new TypeError(`there is no message of the type '${String(type)}'`);
      const result = await handler.call(this, message);
      this.post({ id, ok: true, result });
    } catch (error) {
      const { name, message: text, status, file, line, column, reason } = error;
      this.post({ id, ok: false, error: { name, message: text, status, file, line, column, reason } });
    }
  }

  on_init({ wasm }) {
    if (this.heft) throw new Error('init() was called already');
    return init({ wasm }).then((heft) => {
      this.heft = heft;
      return { version: heft.version };
    });
  }

  on_load({ source, options, world, act }) {
    if (!this.heft) throw new Error('init() comes first');
    if (typeof source !== 'string' && (typeof source !== 'object' || source === null)) throw new TypeError('load() needs a text, or files by path');
    const model = this.heft.load(source, options ?? {});
    let next;
    try {
      next = new World(model, world ?? {});
      if (act !== undefined) next.act(act);
    } catch (error) {
      next?.close();
      model.close();
      throw error;
    }
    this.use(model, next, null, act !== undefined ? `builtin:${next.acting.spec.split(':')[0]}` : options?.main ?? (typeof source === 'string' ? 'model.xml' : Object.keys(source)[0]));
    return this.describe();
  }

  // Goes on with another world, of its own or of a replay.
  use(model, world, replay, name) {
    if (this.recorder) this.on_recorded(); // of the former world; it was not asked for
    this.users?.close();
    if (this.replay) this.replay.close();
    if (this.ownsWorld) this.world.close();
    if (this.ownsModel) this.model.close();
    Object.assign(this, { model, world, replay, name, repeats: replay !== null, ownsWorld: !replay, ownsModel: !replay, playing: false, options: world.options, log: null });
    this.users = new Users(world);
    this.parameters.clear();
    this.clear();
    if (!replay) this.log = new SessionLog(world, name);
    this.begin();
  }

  describe() {
    const { model } = this;
    return {
      sizes: model.sizes,
      names: Object.fromEntries(enums.HeftNamed.map((kind) => [kind, model.names(kind)])),
      arrays: Object.fromEntries(Object.entries(model.arrays).map(([name, array]) => [name, array.slice()])),
      warnings: model.warnings,
      timeStep: this.world.timeStep,
      frame: this.frame(),
    };
  }

  /** The present is the start of a new past. */
  clear() {
    Object.assign(this, { pull: null, pullReplayed: false, push: null, points: null, report: null, stepNumber: 0, meanStep: 0, spent: { time: 0, steps: 0 }, tally: { inexact: 0, dropped: 0, residual: 0 } });
    this.history.clear();
    this.endGhost();
    this.users?.clear();
    if (this.log) this.restartLog();
  }

  // The session begins at the present state.
  restartLog() {
    this.log.restart(this.parameters.values(), this.users.held.values(), this.stepNumber);
  }

  need() {
    if (!this.world) throw new Error('there is no world; load() comes first');
    return this.world;
  }

  // For messages that change the world.
  needOwn() {
    const world = this.need();
    if (this.repeats) throw new Error('a recorded session is repeated; branch() goes on from this moment');
    return world;
  }

  // An action of the user, which becomes part of the session.
  act(action) {
    this.users.act(action);
    this.log.act(action);
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
    if (!Number.isInteger(count) || count < 1 || count > STEPS_MAX) throw new RangeError(`steps: expected a whole number from 1 to ${STEPS_MAX}, found ${String(count)}`);
    this.playing = false;
    for (let i = 0; i < count && !this.ended; ++i) this.stepOnce();
    return this.frame();
  }

  on_reset({ key }) {
    const world = this.need();
    if (!this.repeats) world.reset(key);
    else if (key === undefined) this.go(0);
    else this.needOwn();
    this.clear();
    this.begin();
    return this.frame();
  }

  on_controls({ values }) {
    const { controls } = this.needOwn();
    const numbers = this.numbers(values, controls.length, 'controls');
    this.input('controls', Float64Array.from(numbers));
  }

  /** Pulls a point of a body towards a target by a damped spring until it is called without a body. */
  on_pull({ body, at, target, stiffness, damping, forceMax }) {
    this.needOwn();
    this.input('pull', body === undefined ? null : {
      ...PULL, body: this.model.find('body', body), stiffness, damping, ...(forceMax ? { forceMax } : {}),
      at: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: this.numbers(at, 3, 'at') },
      target: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: this.numbers(target, 3, 'target') },
    });
  }

  /** Head and hands of a tracked person, nine points of experiments/mirror.h, one after the other; or none. */
  on_track({ points }) {
    this.needOwn();
    this.input('track', points ? this.numbers(points, 27, 'points') : null);
  }

  /** An impulse [N s] on a point of a body, given in the world, during the next step. */
  on_push({ body, point, impulse }) {
    const world = this.needOwn();
    const force = this.numbers(impulse, 3, 'impulse').map((p) => p / world.timeStep);
    this.input('push', { body: this.model.find('body', body), point: this.numbers(point, 3, 'point'), force });
  }

  numbers(values, count, name) {
    const found = values?.length ?? 0; // before a copy: it may be any number
    if (found !== count) throw new RangeError(`${String(found)} ${name}, expected ${count}`);
    const numbers = Array.from(values ?? []);
    const wrong = numbers.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) throw new TypeError(`${name}[${wrong}]: expected a number, found ${String(numbers[wrong])}`);
    return numbers;
  }

  /** Sets coordinates, from the one with the index `first` on; the joints stand still. */
  on_joints({ first, values }) {
    this.needOwn();
    if (!Number.isInteger(first) || first < 0) throw new RangeError(`first: expected a whole number of at least 0, found ${String(first)}`);
    if (!(values?.length <= this.model.sizes.nq)) throw new RangeError(`${String(values?.length)} values, expected at most ${this.model.sizes.nq}`);
    this.input('joints', { first, values: Float64Array.from(values) });
    return this.frame();
  }

  /**
   * Other settings: options of the world, and changes of parameters ({kind, index, value} as HeftChange). The world goes on
   * from its present state; the past is dropped, since its snapshots do not fit.
   */
  on_configure({ options, changes = [] }) {
    let world = this.needOwn();
    if (!Array.isArray(changes)) throw new TypeError('changes: expected an array');
    const next = options ? new World(this.model, options) : world.clone(); // what is wrong changes nothing
    try {
      if (options) next.transfer(world);
      for (const change of changes) next.change(change);
    } catch (error) {
      next.close();
      throw error;
    }
    if (options) {
      if (this.recorder) this.on_recorded();
      if (this.ownsWorld) world.close();
      Object.assign(this, { world: next, options, ownsWorld: true });
      world = next;
      this.users.close();
      this.users = new Users(world);
      this.log.world = world;
    } else {
      next.close();
      for (const change of changes) world.change(change);
    }
    for (const { kind, index = 0, value } of changes) this.parameters.set(`${kind} ${index}`, { kind, index, value });
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
    if (on) this.ghost = this.needOwn().clone();
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
    const world = this.needOwn();
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a snapshot is a Uint8Array');
    world.restore(bytes);
    this.clear();
    this.begin();
    return this.frame();
  }

  /** Goes to a time of the past, by the snapshot before it and steps from there, and pauses. */
  on_rewind({ time }) {
    const { time: present } = this.need();
    this.playing = false;
    if (!(time >= (this.history.start ?? Infinity) - 1e-9)) throw new RangeError(`${time} s is not in the history`);
    this.endGhost();
    const { history } = this;
    const moment = history.before(time);
    if (present > time + 1e-9 || moment.step > this.stepNumber) {
      if (this.repeats) this.go(moment.step, moment.bytes);
      else this.world.restore(moment.bytes);
      history.goBack(moment);
      Object.assign(this, { stepNumber: moment.step, pull: moment.pull, pullReplayed: moment.pull !== null, push: null, points: moment.points });
      if (this.log) this.rewindLog();
    }
    while (this.world.time + this.world.timeStep <= time + 1e-9 && this.stepNumber < history.frontier) this.stepOnce();
    return this.frame();
  }

  // The session is cut where the world is.
  rewindLog() {
    this.users.clear();
    const step = this.stepNumber - this.log.base;
    if (step < 0 || step > this.log.reach) this.restartLog();
    else this.log.rewind(step);
    if (this.pull) this.act(pullAction(this.pull));
    if (this.points) this.apply('track', this.points);
  }

  // ---- sessions

  /** What was done since the start of the session, as a file. */
  on_session() {
    this.need();
    if (this.repeats) throw new Error('a recorded session is repeated; branch() begins another one');
    const { from, steps, actions } = this.log;
    return { bytes: this.log.file(), name: this.name, from, to: this.world.time, steps, actions: actions.length };
  }

  /** Shows a session of a file from its start: play() and step() repeat it, branch() goes on from where it is. */
  on_openSession({ bytes }) {
    if (!this.heft) throw new Error('init() comes first');
    const replay = new Replay(this.heft, bytes);
    this.use(replay.model, replay.world, replay, replay.name);
    return { ...this.describe(), session: this.sessionState() };
  }

  /** Goes on from this moment of a session that is repeated: it ends, and another one begins. */
  on_branch() {
    this.need();
    if (!this.repeats) throw new Error('no recorded session is repeated');
    for (const change of this.replay.parameters) this.parameters.set(`${change.kind} ${change.index}`, change);
    Object.assign(this, { repeats: false, playing: false });
    this.log = new SessionLog(this.world, this.name, false);
    this.clear();
    this.begin();
    return this.frame();
  }

  get ended() {
    return this.repeats && this.replay.done;
  }

  sessionState() {
    if (!this.repeats) return null;
    const { steps, stepCount, compared, different, done } = this.replay;
    return { step: steps, steps: stepCount, compared, different, done };
  }

  // Goes to a step of the session that is repeated.
  go(step, bytes = null) {
    this.replay.go(step, bytes);
    this.followReplay();
  }

  // The replay may have another world, and after an object was added or removed another model.
  followReplay() {
    if (this.world === this.replay.world) return;
    const changed = this.model.handle.pointer !== this.replay.model.handle.pointer;
    Object.assign(this, { model: this.replay.model, world: this.replay.world });
    this.users.close();
    this.users = new Users(this.world);
    if (changed) this.post({ type: 'described', description: this.describe() });
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
    this.apply(kind, value); // it may throw
    history.add(stepNumber, world.time, kind, value);
    this.log.whole = null;
    this.pullReplayed = false;
    if (replayed && kind !== 'pull') this.input('pull', null); // its end was dropped
  }

  apply(kind, value) {
    if (kind === 'push') this.push = value;
    else if (kind === 'pull') {
      if (value) this.act(pullAction(value));
      else if (this.users.held.has(0)) this.act({ kind: 'release', slot: 0 });
      this.pull = value;
    } else if (kind === 'track') {
      for (let slot = 1; slot < 10; ++slot) {
        if (value) this.act({ kind: 'track', slot, target: value.slice(3 * slot - 3, 3 * slot) });
        else if (this.users.held.has(slot)) this.act({ kind: 'release', slot });
      }
      this.points = value;
    } else if (kind === 'controls') {
      value.forEach((control, index) => {
        if (!Object.is(control, this.world.controls[index])) this.act({ kind: 'control', index, value: control });
      });
    } else {
      this.world.setQ(value.values, value.first);
      this.world.setV(new Float64Array(this.model.sizes.nv));
      this.restartLog(); // a session begins with this state
    }
  }

  stepOnce() {
    const { history } = this;
    for (let input = history.replay(this.stepNumber); input; input = history.replay(this.stepNumber)) {
      this.apply(input.kind, input.value);
      if (input.kind === 'pull') this.pullReplayed = true;
    }
    history.keep(this.stepNumber, this.repeats ? this.replay : this.world, this.pull, this.points);
    const before = performance.now();
    if (this.repeats) this.repeatStep();
    else this.ownStep();
    this.spent.time += performance.now() - before; // a mean: clocks of browsers are coarse
    ++this.spent.steps;
    if (this.ghost) this.stepGhost();
    this.push = null;
    history.taken(this.stepNumber++, this.world.time);
    const { tally, report } = this;
    if (report.inexact > 0) ++tally.inexact;
    tally.dropped += report.contactDropped;
    tally.residual = Math.max(tally.residual, report.residual);
    this.recorder?.step(this.report);
  }

  ownStep() {
    const { push, log } = this;
    if (push) this.act({ kind: 'force', index: push.body, at: push.point, force: push.force });
    this.users.apply();
    this.report = this.world.step();
    this.words = this.report.status === 'solved' ? '' : this.world.stepText;
    log.stepped();
    if (log.full) log.restart(this.parameters.values(), this.users.held.values(), this.stepNumber + 1);
  }

  repeatStep() {
    this.report = this.replay.step();
    this.words = '';
    this.followReplay();
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
    while (this.world.time + this.world.timeStep <= target() && performance.now() - begin < SLICE && !this.ended) this.stepOnce();
    if (this.ended) this.playing = false;
    const behind = target() - this.world.time;
    if (behind > 0.1) this.lag += behind; // too slow for this machine: time is left out, not made up
    if ((performance.now() - this.shown >= 1000 / this.rate && !this.unseen) || !this.playing) {
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
      shapePoses: world.shapePoses.slice(), contacts: world.contacts, report: this.report ?? null, words: this.words ?? '',
      historyStart: this.history.start ?? world.time, historyEnd: this.history.end ?? world.time, step: this.stepNumber,
      same: this.history.same, inexact: this.tally.inexact, dropped: this.tally.dropped, residual: this.takeResidual(),
      controls: world.controls.slice(), stepTime: this.takeStepTime(), pulled: this.pull ? { body: this.pull.body, at: this.pull.at.pos, target: this.pull.target.pos } : null,
      ghostPoses: this.ghost?.shapePoses.slice() ?? null,
      recorded: this.recorder ? { rows: this.recorder.rows, size: this.recorder.size, full: this.recorder.full } : null,
      session: this.sessionState(),
    };
  }
}

function pullAction({ body, at, target, stiffness, damping, forceMax = 0 }) {
  return { kind: 'pull', slot: 0, index: body, at: at.pos, target: target.pos, stiffness, damping, forceMax };
}
