// SPDX-License-Identifier: Apache-2.0
// A world of `heft serve` behind a WebSocket; docs/manual/browser.md has the protocol. The model comes as compiled bytes, which
// the engine of this page reads; poses come in pictures, of which most hold changes alone.
import type { Contact, StepReport, Vec3 } from 'heft';
import { RemoteWorld } from 'heft/remote';
import type { Ability, Description, Events, Frame, Source } from './source';

const VERSION = 1;
const PICTURE = 1, MODEL = 2; // kinds of binary messages
const WHOLE = 1, RUNNING = 2;
const REPEAT = 300; // a pull is repeated, since the server ends one that is not [ms]
const BETWEEN = 20; // two pulls [ms]
const STATES = ['open', 'sticks', 'slips'];

/** What a user of the server may do, as it is called there, and the commands of the viewer that need it. */
const ABILITIES: Record<string, Ability> = { pull: 'pull', push: 'push', control: 'controls', pause: 'run', reset: 'run' };

/** The hand of a user of the server. */
export interface Hand {
  body: number;
  seat: number;
  point: Vec3;
  target: Vec3;
  force: Vec3;
}

/** A frame of a server has the others who are there, too. */
export interface ServedFrame extends Frame {
  number: number;
  hands: Hand[];
  watchers: number;
  users: number;
  /** Time of the world relative to the clock of the server. */
  speed: number;
}

interface Welcome {
  version: number;
  name: string;
  step: number;
  model_size: number;
  model_hash: string;
  users: boolean;
  bodies: string[];
  description: { ncontrol: number };
}

/** What a picture tells; the rest of a frame is that of the start. */
type Told = Pick<ServedFrame, 'time' | 'step' | 'number' | 'contacts' | 'hands' | 'watchers' | 'users' | 'speed' | 'bodyPoses' | 'report' | 'residual' | 'inexact' | 'dropped' | 'controls' | 'stepTime'> & { running: boolean };

/** Applies pictures to the poses of all bodies. */
export class Pictures {
  readonly bodyPoses: Float64Array;
  readonly controls: Float64Array;
  private number = -1;

  constructor(bodies: number, controls: number) {
    this.bodyPoses = new Float64Array(12 * bodies);
    this.controls = new Float64Array(controls);
  }

  /** Returns what a picture tells, or null if it is a change of a picture that was not seen. */
  apply(data: ArrayBuffer): Told | null {
    const view = new DataView(data);
    const f32 = (at: number): number => view.getFloat32(at, true);
    const u16 = (at: number): number => view.getUint16(at, true);
    const vector = (at: number): Vec3 => [f32(at), f32(at + 4), f32(at + 8)];
    const flags = view.getUint8(1), number = view.getUint32(4, true);
    if (!(flags & WHOLE) && number !== this.number + 1) return null;
    this.number = number;
    const [bodies, contacts, hands, controls] = [u16(24), u16(26), u16(28), u16(30)];
    let at = 100;
    for (let i = 0; i < bodies; ++i, at += 24) {
      const place = 12 * u16(at);
      this.bodyPoses.set(vector(at + 12), place);
      this.bodyPoses.set(rotation([2, 4, 6, 8].map((k) => view.getInt16(at + k, true))), place + 3);
    }
    const found: Contact[] = [];
    for (let i = 0; i < contacts; ++i, at += 48)
      found.push({
        shapeA: -1, shapeB: -1, bodyA: u16(at), bodyB: u16(at + 2), state: STATES[view.getUint32(at + 4, true)],
        pos: vector(at + 8), normal: vector(at + 20), force: vector(at + 32), gap: f32(at + 44), torque: [0, 0, 0], slip: [0, 0, 0],
      } as unknown as Contact);
    const held: Hand[] = [];
    for (let i = 0; i < hands; ++i, at += 40) held.push({ body: u16(at), seat: u16(at + 2), point: vector(at + 4), target: vector(at + 16), force: vector(at + 28) });
    for (let i = 0; i < controls; ++i, at += 4) this.controls[i] = f32(at);
    const [residual = 0, relative, penetration, kinetic, potential, contactCount, inexact = 0, speed = 0, p99 = 0, cone, gapPower, energyChange, sweeps, newtonSteps, islands, dropped = 0] =
      Array.from({ length: 16 }, (_, i) => f32(36 + 4 * i));
    const time = view.getFloat64(8, true), step = view.getFloat64(16, true);
    const report = { status: STATUS[u16(2)] ?? '', time, residual, relative, penetration, kinetic, potential, contactCount, cone, gapPower, energyChange, sweeps, newtonSteps, islands, inexact: 0, contactDropped: 0 };
    return {
      time, step, number, contacts: found, hands: held, watchers: u16(32), users: u16(34), speed, residual, inexact, dropped,
      stepTime: p99 / 1000, // of 100 steps 99 take at most this time
      controls: this.controls.slice(), bodyPoses: this.bodyPoses.slice(),
      report: step > 0 ? (report as unknown as StepReport) : null, running: (flags & RUNNING) !== 0,
    };
  }
}

// HeftStepStatus, in the order of world.h.
const STATUS = [
  'solved', 'not_unique', 'inexact', 'energy', 'limit_passed', 'tendon_passed', 'loop_open', 'overlap', 'inverted', 'not_followed', 'shortened',
  'contacts_dropped', 'restrained', 'not_finite', 'singular', 'out_of_range', 'contact_refused',
];

/** A rotation matrix row by row, from a quaternion of any length. */
export function rotation(quaternion: ArrayLike<number>): number[] {
  const size = Math.hypot(quaternion[0]!, quaternion[1]!, quaternion[2]!, quaternion[3]!) || 1;
  const [w, x, y, z] = Array.from({ length: 4 }, (_, k) => quaternion[k]! / size) as [number, number, number, number];
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

export class ServeSource implements Source {
  private readonly abilities = new Set<Ability>();
  readonly can: ReadonlySet<Ability> = this.abilities;
  /** Whether this page acts, or watches. */
  user = false;
  /** Whether the server has a token. */
  hasUsers = false;
  private events: Events | null = null;
  private socket: WebSocket | null = null;
  private pictures: Pictures | null = null;
  private told: Told | null = null; // by the last picture
  private description: Description | null = null;
  private local: Float64Array = new Float64Array(); // poses of shapes in their bodies
  private model = new Uint8Array();
  private welcome: Welcome | null = null;
  private hash = '';
  private playing = false;
  private pulling: { text: string; sent: string; at: number } | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private wait = 1000;
  private closed = false;

  /** address: ws://... or wss://.... The token of a user, or ''. */
  constructor(readonly address: string, private readonly token: string) {}

  listen(events: Events): void {
    this.events = events;
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(this.address, 'heft-1');
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.pictures = null;
    this.told = null;
    socket.onmessage = ({ data }) => {
      try {
        if (typeof data === 'string') this.text(JSON.parse(data) as { type: string });
        else this.binary(data as ArrayBuffer);
      } catch (error) {
        this.events?.failed(error as Error);
      }
    };
    socket.onclose = (event) => this.lost(event);
  }

  /** The connection has ended: it is made again after a while, unless the server does not want it. */
  private lost({ code, reason }: CloseEvent): void {
    if (this.closed) return;
    this.abilities.clear();
    this.user = false;
    this.set(false);
    const refused = code === 1008 || code === 1009 || code === 1003;
    const why = reason ? `: ${reason}` : '';
    this.events?.failed(new Error(refused ? `the server closed the connection${why}` : `there is no connection to ${this.address}${why}; it is tried again`));
    if (refused) return;
    setTimeout(() => this.closed || this.connect(), this.wait);
    this.wait = Math.min(10000, 2 * this.wait);
  }

  private text(message: { type: string }): void {
    if (message.type === 'welcome') this.greet(message as unknown as Welcome & { type: string });
    else if (message.type === 'role') this.admit(message as unknown as { type: string; user: boolean; rights: string[] });
    else if (message.type === 'error') this.events?.failed(new Error((message as unknown as { message: string }).message));
  }

  private greet(welcome: Welcome): void {
    if (welcome.version !== VERSION) throw new Error(`the server speaks version ${welcome.version} of the protocol, this page version ${VERSION}`);
    this.wait = 1000;
    this.welcome = welcome;
    this.hasUsers = welcome.users;
    this.say({ type: 'hello', version: VERSION, ...(this.token && welcome.users ? { token: this.token } : {}) });
    this.pictures = new Pictures(welcome.bodies.length, welcome.description.ncontrol);
    if (this.description && this.hash === welcome.model_hash) return;
    this.model = new Uint8Array(welcome.model_size);
    this.say({ type: 'model' });
  }

  private admit({ user, rights }: { user: boolean; rights: string[] }): void {
    this.user = user;
    this.abilities.clear();
    for (const right of rights) if (ABILITIES[right]) this.abilities.add(ABILITIES[right]);
    this.set(this.playing);
  }

  private binary(data: ArrayBuffer): void {
    const kind = new DataView(data).getUint8(0);
    if (kind === MODEL) void this.part(data).catch((error: Error) => this.events?.failed(error));
    if (kind !== PICTURE || !this.pictures) return;
    this.told = this.pictures.apply(data) ?? this.told;
    this.show();
  }

  /** The last picture, if the model is there. */
  private show(): void {
    if (!this.told || !this.description) return;
    const { running, ...rest } = this.told;
    if (running !== this.playing) this.set(running);
    const { time } = rest;
    const frame: ServedFrame = { ...this.description.frame, ...rest, shapePoses: this.shapePoses(rest.bodyPoses), historyStart: time, historyEnd: time };
    this.events?.frame(frame);
  }

  private async part(data: ArrayBuffer): Promise<void> {
    const view = new DataView(data), offset = view.getUint32(8, true);
    this.model.set(new Uint8Array(data, 12), offset);
    if (offset + data.byteLength - 12 < this.model.length || !this.welcome) return;
    const { name, model_hash: hash, step } = this.welcome;
    const remote = await RemoteWorld.start(); // reads the model, and ends
    const loaded = await remote.load({ 'served.heft': this.model }, { main: 'served.heft' }, { timeStep: step });
    void remote.close();
    this.model = new Uint8Array();
    if (this.closed) return;
    this.hash = hash;
    this.description = { ...loaded, title: name, images: [], options: {} };
    this.local = localPoses(this.description);
    this.events?.described(this.description);
    this.set(this.playing);
    this.show();
  }

  /** Body poses times poses of shapes in their bodies. */
  private shapePoses(bodyPoses: Float64Array): Float64Array {
    const { sizes, arrays } = this.description!;
    const out = new Float64Array(12 * sizes.nshape), { local } = this;
    for (let shape = 0; shape < sizes.nshape; ++shape) {
      const b = 12 * arrays.shapeBody[shape]!, s = 12 * shape;
      for (let row = 0; row < 3; ++row) {
        const r0 = bodyPoses[b + 3 + 3 * row]!, r1 = bodyPoses[b + 4 + 3 * row]!, r2 = bodyPoses[b + 5 + 3 * row]!;
        out[s + row] = bodyPoses[b + row]! + r0 * local[s]! + r1 * local[s + 1]! + r2 * local[s + 2]!;
        for (let k = 0; k < 3; ++k) out[s + 3 + 3 * row + k] = r0 * local[s + 3 + k]! + r1 * local[s + 6 + k]! + r2 * local[s + 9 + k]!;
      }
    }
    return out;
  }

  private say(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private set(playing: boolean): void {
    this.playing = playing;
    this.events?.state({ playing, speed: 1 });
  }

  // ---- commands

  open(): Promise<void> {
    return Promise.reject(new Error('this page shows the world of a server; open it without "?serve" to simulate other models'));
  }

  async play(): Promise<void> {
    this.say({ type: 'run', running: true });
  }

  async pause(): Promise<void> {
    this.say({ type: 'run', running: false });
  }

  async step(count: number): Promise<void> {
    this.say({ type: 'step', count });
  }

  async reset(key?: number): Promise<void> {
    const name = key === undefined ? '' : this.description?.names.key[key] ?? '';
    this.say({ type: 'reset', ...(name ? { key: name } : {}) });
  }

  rewind(): Promise<void> {
    return Promise.reject(new Error('the world of a server does not go back'));
  }

  async pull(body: number, at: Vec3, target: Vec3): Promise<void> {
    this.pulling = { sent: '', at: 0, ...this.pulling, text: JSON.stringify({ type: 'pull', body, at, target }) };
    this.timer ??= setInterval(() => this.repeat(), BETWEEN);
    this.repeat();
  }

  private repeat(): void {
    const { pulling, socket } = this, now = performance.now();
    if (!pulling || socket?.readyState !== WebSocket.OPEN) return;
    if (now < pulling.at + (pulling.text === pulling.sent ? REPEAT : BETWEEN - 1)) return;
    socket.send(pulling.text);
    Object.assign(pulling, { sent: pulling.text, at: now });
  }

  async letGo(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.pulling) this.say({ type: 'release' });
    this.pulling = null;
  }

  async push(body: number, point: Vec3, impulse: Vec3): Promise<void> {
    this.say({ type: 'push', body, at: point, impulse });
  }

  async setControls(values: ArrayLike<number>): Promise<void> {
    for (let actuator = 0; actuator < values.length; ++actuator) {
      const value = values[actuator]!;
      if (this.pictures && Math.abs(this.pictures.controls[actuator]! - value) > 1e-7 * Math.abs(value)) this.say({ type: 'control', actuator, value });
    }
  }

  close(): void {
    this.closed = true;
    this.events = null;
    clearInterval(this.timer);
    this.socket?.close();
  }
}

/** Poses of all shapes in the frames of their bodies (nshape x 12). */
function localPoses({ sizes, arrays }: Description): Float64Array {
  const out = new Float64Array(12 * sizes.nshape);
  for (let shape = 0; shape < sizes.nshape; ++shape) {
    out.set(arrays.shapePos.subarray(3 * shape, 3 * shape + 3), 12 * shape);
    out.set(rotation(arrays.shapeQuat.subarray(4 * shape, 4 * shape + 4)), 12 * shape + 3);
  }
  return out;
}
