// SPDX-License-Identifier: Apache-2.0
// Heft in JavaScript: models from files, worlds that step them, batches. docs/manual/javascript.md.
//
// One instance of the module holds all objects of one Heft. `c` are its functions, those of the C headers: structs are
// passed by their address, also results, whose address comes first. Numbers of worlds and batches are views of the
// module's memory, without copying.
import { Act } from './act.js';
import { Files } from './files.js';
import { Memory, View } from './memory.js';
import { enums } from './tables.js';
import { wasi, Exit } from './wasi.js';

/** What went wrong in a file, a value or a name. */
export class HeftError extends Error {
  constructor({ status, file, line, column, message }) {
    const place = [file, line || '', column || ''].filter((part) => part !== '').join(':');
    super(place ? `${place}: ${message}` : message);
    this.name = 'HeftError';
    Object.assign(this, { status, file, line, column, reason: message });
  }
}

const TEXT = 400; // bytes of a sentence on a step
const registry = new FinalizationRegistry((release) => release());

// Memory that a JavaScript object stands for. It is released by close(), or when the object is collected; that of a
// model only when its worlds are closed, too.
class Handle {
  constructor(pointer, destroy, model) {
    Object.assign(this, { pointer, users: 1, destroy, model });
    model?.use();
  }

  use() {
    ++this.users;
  }

  release() {
    if (--this.users > 0) return;
    this.destroy(this.pointer);
    this.pointer = 0;
    this.model?.release();
  }
}

class Owner {
  constructor(heft, handle) {
    this.heft = heft;
    this.handle = handle;
    this.closed = false;
    registry.register(this, () => handle.release(), this);
  }

  /** Releases the memory. Later calls throw. */
  close() {
    if (this.closed) return;
    this.closed = true;
    registry.unregister(this);
    this.handle.release();
  }

  get pointer() {
    if (this.closed) throw new Error(`this ${this.constructor.name} was closed`);
    return this.handle.pointer;
  }
}

/** The constant description of robots and their environment. Heft.load() makes one. */
export class Model extends Owner {
  constructor(heft, pointer, warnings, destroy = (at) => heft.c.heft_model_destroy(at)) {
    super(heft, new Handle(pointer, destroy, null));
    this.warnings = warnings;
    const { c, memory } = heft;
    const sizes = {}, arrays = {};
    memory.with([memory.layout.HeftModelSize.size, memory.layout.HeftModelArray.size], (size, array) => {
      for (let i = 0; i < c.heft_model_size_count(); ++i) {
        c.heft_model_size(pointer, i, size);
        const { name, value } = memory.read('HeftModelSize', size);
        sizes[camel(name)] = value;
      }
      for (let i = 0; i < c.heft_model_array_count(); ++i) {
        c.heft_model_array(pointer, i, array);
        const { name, type, rows, columns } = memory.read('HeftModelArray', array);
        const place = memory.uint32(array + memory.layout.HeftModelArray.fields.find((f) => f.name === 'data').at);
        const view = new View(memory, { double: Float64Array, int32: Int32Array }[type] ?? Uint8Array, rows * columns, () => place);
        Object.defineProperty(arrays, camel(name), { enumerable: true, get: () => (this.pointer, view.get()) });
      }
    });
    Object.assign(this, { sizes, arrays });
  }

  get hash() {
    return BigInt.asUintN(64, this.heft.c.heft_model_hash(this.pointer));
  }

  /** Names of all objects of a kind; '' for those without one. */
  names(kind) {
    const { c, memory } = this.heft;
    const number = kindNumber(kind);
    return Array.from({ length: c.heft_model_named_count(this.pointer, number) }, (_, i) => memory.text(c.heft_model_name(this.pointer, number, i)));
  }

  /** Index of an object by its name, or the index itself after a check. Throws with the most similar name. */
  find(kind, name) {
    const { c, memory } = this.heft;
    const number = kindNumber(kind);
    if (typeof name === 'number') {
      const count = c.heft_model_named_count(this.pointer, number);
      if (Number.isInteger(name) && name >= 0 && name < count) return name;
      throw new RangeError(`${kind} ${name}: there are ${count}, counted from 0`);
    }
    return memory.with([String(name), 4], (text, out) => {
      this.heft.call((error) => c.heft_model_lookup(this.pointer, number, text, out, error));
      return memory.uint32(out);
    });
  }

  /** The model as files: MJCF, or by the ending .urdf URDF, .heft the compiled form; with its meshes. */
  write(name = 'model.xml') {
    mustBeText(name, 'the name of the file');
    const { heft } = this;
    heft.files.clear();
    heft.memory.with([name], (path) => {
      heft.call((error) => heft.c.heft_model_write_file(this.pointer, path, 0, 0, error));
    });
    const out = Object.fromEntries(heft.files.list().map((path) => [path, heft.files.read(path).slice()]));
    heft.files.clear();
    return out;
  }
}

/** Steps one model through time. */
export class World extends Owner {
  /** With `other`, the pointer of a world: a clone, which is owned, or one of something else. */
  constructor(model, options = {}, other = 0, owned = true) {
    const { heft } = model;
    const { c, memory } = heft;
    const pointer = other || heft.withWorldDef(options, (def) => memory.with([4], (out) => {
      heft.call((error) => c.heft_world_create_for(out, model.pointer, def, c.heft_abi_version(), error));
      return memory.uint32(out);
    }));
    super(heft, new Handle(pointer, (at) => owned && c.heft_world_destroy(at), model.handle));
    this.model = model;
    this.options = options;
    this.acting = null; // an Act
    const { nq, nv, nactuator, nsensordata, nbody, nshape } = model.sizes;
    const state = (field) => memory.uint32(c.heft_world_state(pointer) + memory.layout.HeftState.fields.find((f) => f.name === field).at);
    const view = (count, place) => new View(memory, Float64Array, count, place);
    this.views = {
      time: view(1, () => state('time')),
      q: view(nq, () => state('q')),
      v: view(nv, () => state('v')),
      controls: view(nactuator, () => c.heft_world_controls(pointer)),
      forces: view(nv, () => c.heft_world_joint_forces(pointer)),
    };
    // Memory that a step and a picture use again: freed with the world.
    this.report = memory.allocate(memory.layout.HeftStepReport.size);
    this.poses = memory.allocate(96 * Math.max(nbody, nshape));
    const { report, poses, handle } = this;
    const destroy = handle.destroy;
    handle.destroy = (at) => {
      destroy(at);
      heft.exports.free(report);
      heft.exports.free(poses);
    };
    this.sensorCount = nsensordata;
  }

  /** Takes steps. Returns the report of the last one; an earlier one that was rolled back ends the loop. */
  step(count = 1) {
    if (!Number.isInteger(count) || count < 1) throw new RangeError(`steps: expected a whole number of at least 1, found ${count}`);
    const { c, memory } = this.heft;
    const world = this.pointer;
    for (let i = 0; i < count; ++i) {
      this.acting?.before();
      c.heft_world_step(this.report, world);
      this.acting?.after(this.report);
      if (!c.heft_step_taken(memory.uint32(this.report))) break; // the status comes first
    }
    return memory.read('HeftStepReport', this.report);
  }

  /**
   * A robot of the experiments acts from now on: 'walk', 'stand', 'greet', 'sofa' or 'table', with options as 'walk:steps=20', in the
   * model for which the act is made, such as models/hrp2_like.xml; its pose becomes that with which the act begins.
   */
  act(spec) {
    this.acting?.close();
    this.acting = null;
    const act = Act.create(this.heft, spec);
    try {
      act.attach(this);
      act.reset();
    } catch (error) {
      act.close();
      throw error;
    }
    this.acting = act;
  }

  close() {
    if (!this.closed) this.acting?.close(); // while its world exists
    super.close();
  }

  /** How the last step ended: in words, with the error that decides and its place. */
  get stepText() {
    const { c, memory } = this.heft;
    const [world, model] = [this.pointer, this.model.pointer];
    return world && memory.with([TEXT], (at) => memory.text(c.heft_step_report_text(this.report, model, at, TEXT)));
  }

  /** Simulated time [s]. */
  get time() {
    return (this.pointer, this.views.time.get()[0]);
  }

  /** Length of a step [s]. */
  get timeStep() {
    return this.heft.c.heft_world_time_step(this.pointer);
  }

  /** Coordinates and velocities: views to read. setQ() and setV() change them. */
  get q() {
    return (this.pointer, this.views.q.get());
  }

  get v() {
    return (this.pointer, this.views.v.get());
  }

  /** Controls of the actuators: a view to write. */
  get controls() {
    return (this.pointer, this.views.controls.get());
  }

  /** External joint forces [N, N m]: a view to write. */
  get jointForces() {
    return (this.pointer, this.views.forces.get());
  }

  /** Values of all sensors, a copy. */
  get sensors() {
    const at = this.heft.c.heft_world_sensors(this.pointer);
    return new Float64Array(this.heft.memory.buffer, at, this.sensorCount).slice();
  }

  setQ(values, first = 0) {
    this.setNumbers(values, (at, count, error) => this.heft.c.heft_world_set_q(this.pointer, first, at, count, error));
  }

  setV(values, first = 0) {
    this.setNumbers(values, (at, count, error) => this.heft.c.heft_world_set_v(this.pointer, first, at, count, error));
  }

  setNumbers(values, set) {
    const data = new Uint8Array(Float64Array.from(values).buffer);
    this.heft.memory.with([data], (at) => this.heft.call((error) => set(at, values.length, error)));
  }

  /** Back to the start, or to a keyframe by its name or index. */
  reset(key) {
    if (key === undefined) {
      this.heft.c.heft_world_reset(this.pointer);
      return this.acting?.reset();
    }
    this.heft.check(this.heft.c.heft_world_set_key(this.pointer, this.model.find('key', key)), `keyframe ${key}`);
  }

  /** Contacts of the last step. */
  get contacts() {
    return this.list('HeftContact', (at, count) => this.heft.c.heft_world_contacts(this.pointer, at, count));
  }

  /** Forces of joint limits, dry friction, equalities and tendons in the last step. */
  get constraintForces() {
    return this.list('HeftConstraintForce', (at, count) => this.heft.c.heft_world_constraint_forces(this.pointer, at, count));
  }

  list(struct, copy) {
    const { memory } = this.heft;
    const { size } = memory.layout[struct];
    const count = memory.with([size], (at) => copy(at, 0));
    if (count === 0) return [];
    return memory.with([size * count], (at) => {
      copy(at, count);
      return Array.from({ length: count }, (_, i) => memory.read(struct, at + i * size));
    });
  }

  /** Pose of a body, by name or index. */
  bodyPose(body) {
    const { c, memory } = this.heft;
    const index = this.model.find('body', body);
    return memory.with([memory.layout.HeftPose.size], (out) => {
      c.heft_dynamics_body_pose(out, c.heft_world_dynamics(this.pointer), index);
      return memory.read('HeftPose', out);
    });
  }

  /** Velocity of a body at its origin, in the axes of the world: {ang, lin}. */
  bodyVelocity(body) {
    const { c, memory } = this.heft;
    const index = this.model.find('body', body);
    const { pos } = this.bodyPose(index);
    return memory.with([memory.layout.HeftSpatial.size, new Uint8Array(Float64Array.from(pos).buffer)], (out, point) => {
      c.heft_dynamics_body_velocity(out, c.heft_world_dynamics(this.pointer), index, point);
      return memory.read('HeftSpatial', out);
    });
  }

  /** Poses of all bodies (nbody x 12): position, rotation matrix row by row. A view that the next call writes again. */
  get bodyPoses() {
    this.heft.c.heft_js_body_poses(this.pointer, this.poses);
    return new Float64Array(this.heft.memory.buffer, this.poses, 12 * this.model.sizes.nbody);
  }

  /** The same for shapes (nshape x 12). */
  get shapePoses() {
    this.heft.c.heft_js_shape_poses(this.pointer, this.poses);
    return new Float64Array(this.heft.memory.buffer, this.poses, 12 * this.model.sizes.nshape);
  }

  /** Applies a force [N] at a point of the world frame, by default the origin of the body, during the next step. */
  applyForce(body, force, point = this.bodyPose(body).pos, torque = [0, 0, 0]) {
    const index = this.model.find('body', body);
    const vector = (values) => new Uint8Array(Float64Array.from(values).buffer);
    this.heft.memory.with([vector(point), vector(force), vector(torque)], (p, f, t) => {
      this.heft.c.heft_world_apply_wrench(this.pointer, index, p, f, t);
    });
  }

  /** Couples a body to a target by a damped spring during the next step: the way to pull it. */
  couple(coupling) {
    const { c, memory } = this.heft;
    const identity = { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: [0, 0, 0] };
    const body = this.model.find('body', coupling.body);
    return memory.with([memory.layout.HeftCoupling.size], (at) => {
      memory.write('HeftCoupling', at, { at: identity, target: identity, ...coupling, body }, 'a coupling');
      const index = c.heft_world_add_coupling(this.pointer, at);
      if (index < 0) throw new RangeError('the coupling was refused: a number is negative or not finite, or there are 16 already');
      return index;
    });
  }

  /** The model with one more keyframe: the present state and the controls. So its write() saves a moment. */
  keyModel(key) {
    mustBeText(key, 'the name of the keyframe');
    const { c, memory } = this.heft;
    return memory.with([key, 4], (name, out) => {
      this.heft.call((error) => c.heft_world_key_model(out, this.pointer, name, error));
      return new Model(this.heft, memory.uint32(out), []);
    });
  }

  /** Changes a parameter: gravity (factor), friction or restitution of a material or pair, mass (factor), gain (factor). */
  change({ kind, index = 0, value }) {
    const { c, memory } = this.heft;
    memory.with([memory.layout.HeftChange.size], (at) => {
      memory.write('HeftChange', at, { kind, index, value }, 'a change');
      this.heft.call((error) => c.heft_world_apply_change(this.pointer, at, error));
    });
  }

  /** Goes on where another world is: states, parameters and impulses of what both models have. */
  transfer(from) {
    this.heft.call((error) => this.heft.c.heft_world_transfer(this.pointer, from.pointer, error));
    if (!from.acting) return;
    from.acting.attach(this);
    Object.assign(this, { acting: from.acting });
    from.acting = null;
  }

  /** A second world of the same model, options, parameters and state. */
  clone() {
    const { c, memory } = this.heft;
    return new World(this.model, undefined, memory.with([4], (out) => {
      this.heft.call((error) => c.heft_world_clone(out, this.pointer, error));
      return memory.uint32(out);
    }));
  }

  /** Everything that decides the future of the world, as bytes: the same natively. */
  snapshot() {
    const { c, memory } = this.heft;
    const size = c.heft_world_snapshot_size(this.pointer);
    const bytes = memory.with([size], (at) => {
      c.heft_world_snapshot(this.pointer, at);
      return memory.bytes(at, size).slice();
    });
    return this.acting ? this.acting.add(bytes) : bytes;
  }

  restore(bytes) {
    const { c, memory } = this.heft;
    const [own, act] = this.acting ? this.acting.split(bytes) : [bytes];
    memory.with([own], (at) => this.heft.check(c.heft_world_restore(this.pointer, at, own.length), 'the snapshot'));
    this.acting?.restore(act);
  }

  /** 64 bits that depend on every bit of the state. */
  get hash() {
    return BigInt.asUintN(64, this.heft.c.heft_world_hash(this.pointer));
  }
}

/** Many worlds of one model: rows of contiguous arrays. */
export class Batch extends Owner {
  constructor(model, count, options = {}) {
    const { heft } = model;
    const { c, memory } = heft;
    const pointer = memory.with([memory.layout.HeftBatchDef.size, 4], (def, out) => {
      c.heft_batch_def_init(def, heft.cookie('HeftBatchDef'));
      memory.write('HeftBatchDef', def, { count, world: options }, 'the options of a batch');
      heft.call((error) => c.heft_batch_create(out, model.pointer, def, error));
      return memory.uint32(out);
    });
    super(heft, new Handle(pointer, (at) => c.heft_batch_destroy(at), model.handle));
    this.model = model;
    this.count = count;
    const { nq, nv, nactuator, nsensordata } = model.sizes;
    const view = (Kind, columns, place) => new View(memory, Kind, count * columns, () => place(pointer));
    this.views = {
      q: view(Float64Array, nq, (at) => c.heft_batch_q(at)),
      v: view(Float64Array, nv, (at) => c.heft_batch_v(at)),
      time: view(Float64Array, 1, (at) => c.heft_batch_time(at)),
      controls: view(Float64Array, nactuator, (at) => c.heft_batch_controls(at)),
      sensors: view(Float64Array, nsensordata, (at) => c.heft_batch_sensors(at)),
      ended: view(Uint8Array, 1, (at) => c.heft_batch_ended(at)),
    };
  }

  step(count = 1) {
    this.heft.call((error) => this.heft.c.heft_batch_step(this.pointer, BigInt(count), error));
  }

  /** All worlds back to the start, or to a keyframe by its name or index. */
  reset(key) {
    const index = key === undefined ? -1 : this.model.find('key', key);
    this.heft.call((error) => this.heft.c.heft_batch_reset(this.pointer, 0, index, error));
  }

  setState(index, q, v) {
    this.checkIndex(index);
    const numbers = (values) => new Uint8Array(Float64Array.from(values).buffer);
    const { nq, nv } = this.model.sizes;
    if (q.length !== nq || v.length !== nv) throw new RangeError(`a state has ${nq} coordinates and ${nv} velocities`);
    this.heft.memory.with([numbers(q), numbers(v)], (a, b) => {
      this.heft.call((error) => this.heft.c.heft_batch_set_state(this.pointer, index, a, b, error));
    });
  }

  hash(index) {
    this.checkIndex(index);
    return BigInt.asUintN(64, this.heft.c.heft_batch_hash(this.pointer, index));
  }

  checkIndex(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) throw new RangeError(`world ${index}: there are ${this.count}, counted from 0`);
  }
}
for (const name of ['q', 'v', 'time', 'controls', 'sensors', 'ended']) {
  Object.defineProperty(Batch.prototype, name, {
    get() {
      return (this.pointer, this.views[name].get());
    },
  });
}

/** One instance of the module. init() makes one. */
export class Heft {
  constructor(exports, files, warnings) {
    this.exports = exports;
    this.c = exports;
    this.files = files;
    this.warnings = warnings;
    this.memory = new Memory(exports);
    warnings.memory = this.memory;
  }

  get version() {
    return this.memory.text(this.c.heft_version());
  }

  /**
   * Loads MJCF, URDF or a compiled model: a text, or files by path with the path of the model among them. `packages` has the
   * folders of URDF packages by name.
   * Throws a HeftError with file, line and column.
   */
  load(source, { main, warn, packages = {}, ...options } = {}) {
    const files = typeof source === 'string' ? { [main ?? 'model.xml']: source } : source;
    const path = typeof source === 'string' ? main ?? 'model.xml' : main ?? onlyModel(files);
    mustBeText(path, 'main');
    const { c, memory } = this;
    this.files.clear();
    for (const [name, data] of Object.entries(files)) this.files.write(name, data);
    this.warnings.list = [];
    try {
      const names = Object.entries(packages).flat();
      return memory.with([path, '.', memory.layout.HeftLoadDef.size, 4, Math.max(4 * names.length, 4), ...names], (name, root, def, out, list, ...texts) => {
        c.heft_load_def_init(def, this.cookie('HeftLoadDef'));
        memory.write('HeftLoadDef', def, options, 'the options of load()');
        const place = (field) => def + memory.layout.HeftLoadDef.fields.find((f) => f.name === field).at;
        const view = new DataView(memory.buffer);
        view.setUint32(place('warning'), c.heft_js_warning_hook(), true);
        view.setUint32(place('root'), root, true); // all files in memory may be used
        texts.forEach((text, i) => view.setUint32(list + 4 * i, text, true)); // HeftPackage: name, folder
        view.setUint32(place('packages'), list, true);
        view.setInt32(place('packageCount'), texts.length / 2, true);
        this.call((error) => c.heft_model_load_file(out, name, def, error));
        for (const warning of this.warnings.list) warn?.(warning);
        return new Model(this, memory.uint32(out), this.warnings.list);
      });
    } finally {
      this.files.clear();
    }
  }

  /** 64 bits that depend on every byte, the same natively. Chain calls by the seed. */
  hash(bytes, seed = 0n) {
    return this.memory.with([bytes], (at) => BigInt.asUintN(64, this.c.heft_hash(at, bytes.length, seed)));
  }

  // Calls use(pointer) with a HeftWorldDef of these options.
  withWorldDef(options, use) {
    return this.memory.with([this.memory.layout.HeftWorldDef.size], (def) => {
      this.c.heft_world_def_init(def, this.cookie('HeftWorldDef'));
      this.memory.write('HeftWorldDef', def, options, 'the options of a world');
      return use(def);
    });
  }

  // HEFT_DEF_COOKIE of base.h.
  cookie(struct) {
    return (0xde000000 | (this.c.heft_abi_version() << 16) | this.memory.layout[struct].size) >>> 0;
  }

  // Calls a function whose last argument is a HeftError; throws what it tells.
  call(use) {
    this.memory.with([this.memory.layout.HeftError.size], (error) => {
      const status = use(error);
      if (status === 0) return;
      const told = this.memory.read('HeftError', error);
      if (!told.message) this.check(status, 'the call');
      throw new HeftError(told);
    });
  }

  // For functions that return a status alone.
  check(status, what) {
    if (status === 0) return;
    const message = `${what}: ${this.memory.text(this.c.heft_status_text(status))}`;
    throw new HeftError({ status: enums.HeftStatus[status], file: '', line: 0, column: 0, message });
  }
}

function camel(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function mustBeText(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what}: expected a text, found ${typeof value}`);
}

function kindNumber(kind) {
  const number = enums.HeftNamed.indexOf(kind);
  if (number < 0) throw new TypeError(`'${kind}' is not a kind of objects; these exist: ${enums.HeftNamed.join(', ')}`);
  return number;
}

// The only file in the root that may be a model.
function onlyModel(files) {
  const models = Object.keys(files).filter((path) => /\.(xml|mjcf|urdf|heft)$/i.test(path));
  if (models.length === 1) return models[0];
  throw new TypeError(`load() needs the option main, one of ${models.length} files that may be a model: ${models.join(', ')}`);
}

// The bytes or the module of heft.wasm: in node from the disk, in browsers by fetch.
async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
  const address = wasm ?? new URL('./heft.wasm', import.meta.url);
  if (String(address).startsWith('file:')) {
    const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(address));
  }
  return WebAssembly.compileStreaming(fetch(address));
}

/**
 * Makes an instance of Heft. Its memory is its own: objects of two instances do not mix.
 * @param {{wasm?: BufferSource | WebAssembly.Module | URL | string, print?: (text: string) => void}} options
 */
export async function init({ wasm: source, print = () => {} } = {}) {
  const files = new Files();
  const random = globalThis.crypto ?? (await import(/* @vite-ignore */ 'node:crypto')).webcrypto; // node 18 has no global one
  const host = wasi({ files, print, random });
  const warnings = { list: [], memory: null };
  const imports = {
    ...host.imports,
    heft: {
      warning: (_user, error, count) => {
        warnings.list.push({ ...warnings.memory.read('HeftError', error), count });
      },
    },
  };
  const instance = await WebAssembly.instantiate(await compile(source), imports);
  host.attach(instance);
  instance.exports._initialize();
  return new Heft(instance.exports, files, warnings);
}

export { McapLog, CsvLog } from './run_log.js';
export { Files, Exit };
