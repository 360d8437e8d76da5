// SPDX-License-Identifier: Apache-2.0
// A world that `heft serve --shared` shares: this copy computes every step itself, from the inputs of all users. It runs
// ahead with the own input and with expected ones of the others; when final inputs come, it goes back to the last state
// that has seen final inputs only, and computes the present again (src/serve/shared.c has the reasons).
import { World } from './heft.js';

const RECORD = 56, HERE = 0x80000000, PROBE = 13, HASH_EVERY = 1000, RING = 4096;
const REACH = 0.1; // time for which a hand is expected to go on [s]
const FADE = 0.2; // time constant of a correction in what is shown [s]
const DEPTH = 0.2; // the copy runs ahead by at most this time [s]
const ABSENT = new Uint8Array(RECORD);
const SPARE = 10, SLACK = 20; // steps by which inputs shall be early, and may be

/** The bytes of a hand: {pos, rot, vel, spin, buttons}; null: no hand. */
export function handBytes(hand) {
  const bytes = new Uint8Array(RECORD), view = new DataView(bytes.buffer);
  if (!hand) return bytes;
  const { pos, rot = [1, 0, 0, 0], vel = [0, 0, 0], spin = [0, 0, 0], buttons = 0 } = hand;
  [...pos, ...rot, ...vel, ...spin].forEach((x, i) => view.setFloat32(4 * i, x, true));
  view.setUint32(52, (buttons | HERE) >>> 0, true);
  return bytes;
}

const equal = (a, b) => a.every((x, i) => x === b[i]);

/** A block of steps: [first step, rows of `users` inputs]. */
function readBlock(bytes, users) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = Number(view.getBigUint64(0, true)), count = view.getUint16(8, true), rows = [];
  if (view.getUint16(10, true) !== users) throw new RangeError('the server has another number of users');
  let at = 12, last = new Uint8Array(RECORD * users);
  for (let k = 0; k < count; ++k) {
    const mask = view.getUint8(at++);
    if (mask) last = last.slice();
    for (let i = 0; i < users; ++i) {
      if (!(mask >> i & 1)) continue;
      last.set(bytes.subarray(at, at + RECORD), i * RECORD);
      at += RECORD;
    }
    rows.push(last);
  }
  return [first, rows];
}

function writeBlock(first, inputs) {
  const parts = [];
  let last = ABSENT;
  for (const input of inputs) {
    const same = equal(input, last);
    parts.push(Uint8Array.of(same ? 0 : 1), ...(same ? [] : [input]));
    last = input;
  }
  const out = new Uint8Array(12 + parts.reduce((sum, part) => sum + part.length, 0)), view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(first), true);
  view.setUint16(8, inputs.length, true);
  view.setUint16(10, 1, true);
  let at = 12;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export class SharedWorld {
  /** start: what the server sends to one that joins; seat: that of the user here. */
  constructor(model, start, seat) {
    const { heft } = model, { c, memory } = heft;
    const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
    const users = Number(view.getBigUint64(8, true)), moment = 24 + 8 * PROBE * users;
    const timeStep = view.getFloat64(16, true), step = Number(view.getBigUint64(0, true));
    Object.assign(this, { heft, seat, users, timeStep, world: new World(model, { timeStep }), moment: start.slice(moment), known: step, confirmed: step, present: step, base: step, final: new Map(), own: new Map(), hashes: new Map(), deepest: 0, waits: 0, repeated: 0, corrections: 0, away: null });
    this.session = memory.with([start.slice(24, moment), 4], (numbers, out) => {
      heft.call((error) => c.heft_js_shared_open(out, this.world.pointer, users, numbers, error));
      return memory.uint32(out);
    });
    this.row = memory.allocate(RECORD * users);
    this.restore();
  }

  restore() {
    const { c, memory } = this.heft;
    memory.with([this.moment], (at) => this.heft.check(c.heft_session_restore(this.session, at, this.moment.length), 'the state of the shared world'));
  }

  snapshot() {
    const { c, memory } = this.heft;
    const size = c.heft_session_snapshot_size(this.session);
    this.moment = memory.with([size], (at) => {
      c.heft_session_snapshot(this.session, at);
      return memory.bytes(at, size).slice();
    });
  }

  /** Final inputs: a block of the server. */
  take(bytes) {
    const [first, rows] = readBlock(bytes, this.users);
    rows.forEach((row, k) => {
      if (first + k !== this.known) return;
      this.final.set(this.known++, row);
    });
  }

  /** Poses of all bodies as World.bodyPoses has them, without the jumps of corrections. A view that the next call writes again. */
  get bodyPoses() {
    const poses = this.world.bodyPoses;
    this.away?.forEach((x, i) => { poses[i] += x; });
    return poses;
  }

  // The inputs of a step that is not final: the hands of others go on with their velocity.
  expected(step) {
    const row = (this.final.get(this.base - 1) ?? new Uint8Array(RECORD * this.users)).slice(), view = new DataView(row.buffer);
    const ahead = Math.min(REACH, (step - this.base + 1) * this.timeStep);
    for (let i = 0; i < this.users; ++i) {
      const at = i * RECORD;
      for (let k = 0; k < 3; ++k) view.setFloat32(at + 4 * k, view.getFloat32(at + 4 * k, true) + ahead * view.getFloat32(at + 28 + 4 * k, true), true);
    }
    row.set(this.own.get(step) ?? ABSENT, this.seat * RECORD);
    return row;
  }

  advance(step) {
    const { c, memory } = this.heft;
    const row = step < this.base ? this.final.get(step) : this.expected(step);
    memory.bytes(this.row, row.length).set(row);
    c.heft_js_shared_step(this.session, this.users, this.row);
  }

  /** Goes back if final inputs have come, and computes the present again. Returns the steps that it went back. */
  correct() {
    const until = this.known, back = this.present - this.confirmed;
    if (until === this.confirmed) return 0;
    this.present = Math.max(this.present, this.known); // a copy that was late goes on where the others are
    const before = this.bodyPoses.slice();
    const oldest = this.base;
    this.base = this.known;
    this.restore();
    while (this.confirmed < until) {
      this.advance(this.confirmed++);
      if (this.confirmed % HASH_EVERY === 0) this.hashes.set(this.confirmed, this.world.hash);
    }
    this.snapshot();
    for (let step = until; step < this.present; ++step) this.advance(step);
    for (let step = oldest - 1; step < this.confirmed - 1; ++step) this.final.delete(step);
    for (let step = until - 1; this.own.delete(step - RING / 2); --step);
    const after = this.world.bodyPoses;
    this.away = before.map((x, i) => (i % 12 < 3 ? x - after[i] : 0));
    this.deepest = Math.max(this.deepest, back);
    this.repeated += back;
    ++this.corrections;
    return back;
  }

  /** The next step, with the hand of the user here. false: the copy waits for final inputs. */
  step(hand) {
    if (this.present - this.confirmed >= Math.round(DEPTH / this.timeStep)) {
      ++this.waits;
      return false;
    }
    this.own.set(this.present, handBytes(hand));
    this.advance(this.present++);
    const left = Math.exp(-this.timeStep / FADE);
    this.away = this.away?.map((x) => left * x) ?? null;
    return true;
  }

  /** The force on the hand of the user here [N]. */
  get force() {
    const { c, memory } = this.heft;
    return memory.with([24], (at) => {
      c.heft_js_shared_force(this.session, this.seat, at);
      return Array.from(new Float64Array(memory.buffer, at, 3));
    });
  }

  /** The own inputs from a step on, at most `count`, as a block for the server. */
  inputs(first, count) {
    return writeBlock(first, Array.from({ length: Math.min(count, this.present - first) }, (_, k) => this.own.get(first + k) ?? ABSENT));
  }

  close() {
    this.heft.c.heft_session_destroy(this.session);
    this.heft.exports.free(this.row);
    this.world.close();
  }
}

/**
 * Joins the shared world of a server. hand(time, world) is called before each step and returns the hand of the user, or
 * null. onframe(shared) is called after each correction. Returns a promise of {shared, stats, close()}.
 */
export function join(heft, address, { token, hand, onframe, WebSocket = globalThis.WebSocket, every = 16 }) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address.replace(/^http/, 'ws'), 'heft-1');
    socket.binaryType = 'arraybuffer';
    const stats = { compared: 0, different: 0 };
    let model, image, start, shared, seat, timer, sent = 0, now = 0, heard = 0, lead = 30, least = [];
    const told = new Map(); // hashes of the server
    const say = (message) => socket.send(JSON.stringify(message));
    const fail = (error) => {
      clearInterval(timer);
      stats.error = error;
      reject(error);
      socket.close();
    };
    const close = () => {
      clearInterval(timer);
      socket.close();
      shared?.close();
      model?.close();
    };
    const compare = () => {
      for (const [step, hash] of told) {
        const own = shared.hashes.get(step);
        if (own === undefined) continue;
        ++stats.compared;
        stats.different += own !== hash;
        told.delete(step);
        shared.hashes.delete(step);
      }
      if (stats.different) fail(new Error('this copy of the shared world differs from the server'));
    };
    const turn = () => {
      const begun = performance.now();
      if (shared.known > shared.confirmed && begun >= turn.due) {
        shared.correct();
        turn.due = begun + Math.max(every, 3 * (performance.now() - begun)); // a slow machine keeps time for steps
        compare();
        onframe?.(shared);
      }
      const target = now + (performance.now() - heard) / 1000 / shared.timeStep + lead;
      for (let k = 0; k < 100 && shared.present < target; ++k) if (!shared.step(hand(shared.world.time, shared.world))) break;
      sent = Math.max(sent, shared.known); // the inputs of earlier steps are final
      for (; sent < shared.present; sent = Math.min(sent + 30, shared.present)) socket.send(shared.inputs(sent, 30));
    };
    turn.due = 0;
    // The copy runs ahead of the server, so that its inputs arrive just in time.
    const pace = (margin) => {
      least.push(margin);
      if (least.length < 30) return;
      const early = Math.min(...least);
      if (early < SPARE) lead += SPARE - early;
      else if (early > SLACK) lead -= 0.2 * (early - SPARE);
      lead = Math.max(0, Math.min(lead, 0.5 * DEPTH / shared.timeStep));
      least = [];
    };
    const frames = (bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      now = Number(view.getBigUint64(8, true));
      heard = performance.now();
      const step = Number(view.getBigUint64(16, true));
      if (step > (frames.compared ?? 0)) {
        told.set(step, view.getBigUint64(24, true));
        frames.compared = step;
      }
      shared.take(bytes.subarray(32));
      if (timer) pace(view.getInt32(4, true));
      else {
        sent = shared.present;
        timer = setInterval(() => {
          try { turn(); } catch (error) { fail(error); }
        }, 8);
        resolve({ shared, stats, close });
      }
    };
    const part = (bytes, view, whole) => {
      whole ??= new Uint8Array(view.getUint32(4, true));
      whole.set(bytes.subarray(12), view.getUint32(8, true));
      return [whole, view.getUint32(8, true) + bytes.length - 12 === whole.length];
    };
    const binary = (bytes) => {
      const view = new DataView(bytes.buffer), kind = bytes[0];
      let done;
      if (kind === 2 && !model) {
        [image, done] = part(bytes, view, image);
        if (!done) return;
        model = heft.load({ 'served.heft': image }, { main: 'served.heft' });
        say({ type: 'join' });
      } else if (kind === 4) {
        [start, done] = part(bytes, view, start);
        if (done) shared = new SharedWorld(model, start, seat);
      } else if (kind === 5 && shared) frames(bytes);
    };
    const text = (message) => {
      if (message.type === 'welcome') say({ type: 'hello', version: 1, token });
      else if (message.type === 'error') throw new Error(message.message);
      else if (message.type === 'role') {
        ({ seat } = message);
        say({ type: 'model' });
      }
    };
    socket.onmessage = ({ data }) => {
      try {
        if (typeof data === 'string') text(JSON.parse(data));
        else binary(new Uint8Array(data));
      } catch (error) {
        fail(error);
      }
    };
    socket.onclose = ({ reason }) => fail(new Error(`the server closed the connection${reason ? `: ${reason}` : ''}`));
    socket.onerror = () => fail(new Error(`there is no server at ${address}`));
  });
}
