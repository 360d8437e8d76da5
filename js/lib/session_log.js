// SPDX-License-Identifier: Apache-2.0
// Sessions: what users did to a world between its steps, so that any machine repeats it with the same bits. C code writes
// and reads the files and makes the actions (src/record), natively and here; this module keeps the list of a session
// that goes on, so that it can be cut where a user goes back in time.
import { Act } from './act.js';
import { HeftError, Model, World } from './heft.js';
import { enums } from './tables.js';

const OBJECTS = ['box', 'ball', 'file', 'remove']; // kinds of changes that make another model
const PARAMETERS_MAX = 256; // HEFT_SESSION_PARAMETERS
const MARK = 500; // steps between hashes
const ACTIONS_MAX = 200_000, STEPS_MAX = 3_600_000; // of a session

const lasts = ({ kind }) => kind === 'pull' || kind === 'track'; // until its slot is used again

/** The pulls of users on a world, and their other actions. */
export class Users {
  constructor(world) {
    const { heft } = world;
    Object.assign(this, { heft, world, pointer: heft.memory.allocate(heft.c.heft_js_user_forces_size()) });
    this.clear();
  }

  /** Ends all pulls. */
  clear() {
    this.heft.memory.bytes(this.pointer, this.heft.c.heft_js_user_forces_size()).fill(0);
    this.held = new Map(); // pulls and tracked points by slot
  }

  /** Makes an action; throws without a change if it is wrong. */
  act(action) {
    const { c, memory } = this.heft;
    memory.with([memory.layout.HeftAction.size], (at) => {
      memory.write('HeftAction', at, action, `the action '${action.kind}'`);
      this.heft.call((error) => c.heft_action_apply(at, this.world.pointer, this.pointer, error));
    });
    if (lasts(action)) this.held.set(action.slot, action);
    if (action.kind === 'release') this.held.delete(action.slot);
  }

  /** Before each step. */
  apply() {
    const { heft: { c }, pointer, world } = this;
    c.heft_user_forces_apply(pointer, world.pointer);
    if (world.acting) c.heft_js_act_hands(world.acting.pointer, pointer, world.pointer);
  }

  close() {
    if (this.pointer) this.heft.exports.free(this.pointer);
    this.pointer = 0;
  }
}

const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A session that goes on. Its world is not stepped or changed past it. */
export class SessionLog {
  /** `fresh`: the world is as it was created, which a session need not store. */
  constructor(world, name, fresh = true) {
    Object.assign(this, { world, name, fresh: fresh && !world.acting ? world.snapshot() : null }); // an act has a pose of its own
    this.restart([], [], 0);
  }

  /** Begins at the present state, with changed parameters and pulls that last. `base` is its step of the world. */
  restart(parameters, pulls, base) {
    const start = this.world.snapshot();
    Object.assign(this, {
      start: this.fresh && same(start, this.fresh) ? null : start, from: this.world.time, base, steps: 0, marks: [], whole: null,
      parameters: [...parameters], actions: [...pulls].map((action) => ({ step: 0, action })),
    });
  }

  get full() {
    return this.actions.length >= ACTIONS_MAX || this.steps >= STEPS_MAX;
  }

  /** An action that was made. */
  act(action) {
    this.actions.push({ step: this.steps, action });
  }

  /** Steps that rewind() can reach: after it the steps ahead, too, until the user acts, which sets `whole` to null. */
  get reach() {
    return (this.whole ?? this).steps;
  }

  /** After each step. */
  stepped() {
    if (++this.steps > this.reach) this.whole = null;
    if (this.steps % MARK === 0) this.marks.push({ step: this.steps, hash: this.world.hash });
  }

  /**
   * Cuts the session after a number of steps, whose state the world has: what was set before the next step belongs to
   * that state, pulls and forces do not, and end.
   */
  rewind(step) {
    const stays = (action) => !lasts(action) && action.kind !== 'force' && action.kind !== 'release';
    const { actions, marks } = this.whole ??= { actions: this.actions, marks: this.marks, steps: this.steps };
    this.actions = actions.filter((a) => a.step < step || (a.step === step && stays(a.action)));
    this.marks = marks.filter((mark) => mark.step <= step);
    this.steps = step;
    const held = new Set();
    for (const { action } of this.actions) {
      if (lasts(action)) held.add(action.slot);
      if (action.kind === 'release') held.delete(action.slot);
    }
    for (const slot of held) this.act({ kind: 'release', slot });
  }

  /** The session as a file, which `heft replay` repeats. */
  file() {
    const { world } = this;
    const { heft } = world;
    const { c, memory } = heft;
    const marks = this.steps > (this.marks.at(-1)?.step ?? 0) ? [...this.marks, { step: this.steps, hash: world.hash }] : this.marks;
    const { parameters } = this;
    const { size } = memory.layout.HeftChange;
    if (parameters.length > PARAMETERS_MAX) throw new RangeError(`${parameters.length} parameters were changed, a session holds ${PARAMETERS_MAX}`);
    const [begin, data] = this.start && world.acting ? world.acting.split(this.start) : [this.start];
    const open = (def) => memory.with(['session.mcap', this.name, begin ?? 1, size * parameters.length + 1, data ? world.acting.spec : '', data ?? 1], (path, name, start, changes, spec, act) => {
      parameters.forEach((change, i) => memory.write('HeftChange', changes + i * size, change, 'a parameter'));
      return c.heft_js_session_open(path, name, world.model.pointer, def, world.timeStep, begin ? start : 0, begin?.length ?? 0, changes, parameters.length, spec, act, data?.length ?? 0);
    });
    const { definition, options } = world;
    const log = definition ? open(definition) : heft.withWorldDef(options, open);
    if (!log) throw new RangeError('there is no memory for the session');
    const node = heft.files.find('session.mcap');
    heft.files.remove('session.mcap');
    let next = 0, step = 0;
    memory.with([memory.layout.HeftAction.size], (at) => {
      const write = (until) => {
        for (; next < this.actions.length && this.actions[next].step < until; ++next) {
          memory.bytes(at, memory.layout.HeftAction.size).fill(0);
          memory.write('HeftAction', at, this.actions[next].action, 'an action');
          c.heft_session_log_action(log, this.actions[next].step, at);
        }
      };
      for (const mark of marks) {
        write(mark.step);
        c.heft_session_log_steps(log, mark.step - step, BigInt.asIntN(64, mark.hash));
        step = mark.step;
      }
      write(Infinity);
    });
    if (!c.heft_session_log_close(log)) throw new RangeError('there is no memory for the session');
    return node.contents().slice();
  }
}

/** Repeats a session of a file, recorded here or natively, and compares its bits. */
export class Replay {
  constructor(heft, bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a session is a Uint8Array');
    const { c, memory } = heft;
    Object.assign(this, { heft, pointer: 0, model: null, world: null, acting: null });
    heft.files.write('session.mcap', bytes.slice());
    try {
      memory.with([4, 4, 'session.mcap'], (out, act, path) => {
        heft.call((error) => c.heft_js_replay_open(out, act, path, error));
        this.pointer = memory.uint32(out);
        if (memory.uint32(act)) this.acting = new Act(heft, memory.uint32(act));
      });
    } finally {
      heft.files.remove('session.mcap');
    }
    const plugins = memory.text(c.heft_js_replay_plugins(this.pointer));
    if (plugins && !this.acting) {
      this.close();
      throw new HeftError({ status: 'err_unsupported', file: '', line: 0, column: 0,
        message: `the session was made with plug-ins, which run natively: repeat it by 'heft replay'; it lists ${plugins}` });
    }
    this.wrap();
  }

  // The objects of the replay, which are other ones after an object was added or removed. Returns whether they are.
  wrap() {
    const { c } = this.heft;
    const model = c.heft_replay_model(this.pointer), world = c.heft_replay_world(this.pointer);
    if (this.world?.handle.pointer === world && this.model.handle.pointer === model) return false;
    this.leave();
    this.model = new Model(this.heft, model, [], () => {});
    this.world = new World(this.model, {}, world, false);
    this.world.definition = c.heft_js_replay_world_def(this.pointer);
    if (this.acting) {
      this.acting.size = c.heft_plugin_set_save_size(this.acting.pointer);
      this.world.acting = this.acting; // the replay itself lets it act; this world after branch()
    }
    return true;
  }

  // The objects go, and the act stays.
  leave() {
    if (this.world) this.world.acting = null;
    this.world?.close();
    this.model?.close();
  }

  /** The file of the model, as it was named when the session was recorded. */
  get name() { return this.heft.memory.text(this.heft.c.heft_js_replay_name(this.pointer)); }
  /** Steps of the session. */
  get stepCount() { return this.heft.c.heft_replay_step_count(this.pointer); }
  /** Steps that were repeated. */
  get steps() { return this.heft.c.heft_replay_steps_done(this.pointer); }
  /** Hashes that were compared, and those that differed. */
  get compared() { return this.heft.c.heft_replay_compared(this.pointer); }
  get different() { return this.heft.c.heft_replay_different(this.pointer); }
  /** Simulated time [s]. */
  get time() { return this.world.time; }
  get done() { return this.steps === this.stepCount; }

  /** Changes of parameters that hold now: {kind, index, value}. */
  get parameters() {
    const { c, memory } = this.heft;
    const all = Array.from({ length: c.heft_js_replay_parameter_count(this.pointer) }, (_, i) => memory.read('HeftChange', c.heft_js_replay_parameter(this.pointer, i)));
    for (const { step, action } of this.actions) {
      const due = step < this.steps || (step === this.steps && this.done);
      if (action.kind === 'change' && due && !OBJECTS.includes(action.change.kind)) all.push(action.change);
    }
    return all.map(({ kind, index, value }) => ({ kind, index, value }));
  }

  /** All actions: {step, action}. */
  get actions() {
    const { c, memory } = this.heft;
    return memory.with([memory.layout.HeftAction.size, 4], (at, out) => (
      Array.from({ length: c.heft_replay_action_count(this.pointer) }, (_, i) => {
        this.heft.call((error) => c.heft_replay_action(this.pointer, i, at, out, error));
        return { step: memory.uint32(out), action: memory.read('HeftAction', at) };
      })));
  }

  /** Takes the next step. Returns its report. */
  step() {
    const { c, memory } = this.heft;
    return memory.with([memory.layout.HeftError.size, memory.layout.HeftStepReport.size], (error, report) => {
      const status = c.heft_replay_step(this.pointer, report, error);
      if (status !== 0 && enums.HeftStatus[status] !== 'err_checksum') throw new HeftError(memory.read('HeftError', error));
      this.wrap();
      return memory.read('HeftStepReport', report);
    });
  }

  /** The state of this moment, for go(). */
  snapshot() {
    const { c, memory } = this.heft;
    const session = c.heft_replay_session(this.pointer);
    const size = c.heft_session_snapshot_size(session);
    const bytes = memory.with([size], (at) => {
      c.heft_session_snapshot(session, at);
      return memory.bytes(at, size).slice();
    });
    return this.acting ? this.acting.add(bytes) : bytes;
  }

  /** Goes to the moment after a number of steps: by a snapshot of it, or from the start. */
  go(step, snapshot = null) {
    const { c, memory } = this.heft;
    if (!Number.isInteger(step) || step < 0 || step > this.stepCount) throw new RangeError(`step ${step}: the session has ${this.stepCount}`);
    const [own, act] = snapshot && this.acting ? this.acting.split(snapshot) : [snapshot];
    memory.with([own ?? 1], (at) => (
      this.heft.call((error) => c.heft_replay_go(this.pointer, step, own ? at : 0, own?.length ?? 0, error))));
    this.wrap();
    if (act) this.acting.restore(act);
  }

  close() {
    this.leave();
    this.acting?.close(); // while its world exists
    if (this.pointer) this.heft.c.heft_replay_destroy(this.pointer);
    Object.assign(this, { pointer: 0, acting: null });
  }
}
