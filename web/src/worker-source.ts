// SPDX-License-Identifier: Apache-2.0
// A world in a Worker of this page: the engine in WebAssembly, behind RemoteWorld of the npm package.
import type { Change, Vec3, WorldOptions } from 'heft';
import { RemoteWorld, type Frame, type Loaded, type Recorded, type RecordedSession } from 'heft/remote';
import { spring, treeMass } from './hand';
import type { Ability, Description, Events, Opening, RunState, Source } from './source';

const PICTURES = 60; // at most, a second

export class WorkerSource implements Source {
  readonly can: ReadonlySet<Ability> = new Set<Ability>(['open', 'run', 'rewind', 'pull', 'push', 'controls', 'settings', 'joints', 'ghost']);
  private events: Events | null = null;
  private state: RunState = { playing: false, speed: 1 };

  track?: (points: number[]) => Promise<void>;
  private mass: (body: number) => number = () => 1;

  private constructor(readonly remote: RemoteWorld) {
    remote.onframe = (frame) => {
      if (frame.session?.done && this.state.playing) this.set({ playing: false });
      this.events?.frame(frame);
      // The next one comes after this one was drawn: a slow machine has time for the hands of its user.
      return document.hidden ? undefined : new Promise((drawn) => requestAnimationFrame(drawn));
    };
    remote.ondescribed = (loaded) => this.describe(loaded, 'Recorded session');
  }

  /** worker: the script of another Worker than that of the package; wasm: another engine, compiled. */
  static async start({ worker, wasm }: { worker?: URL | string; wasm?: Promise<WebAssembly.Module> } = {}): Promise<WorkerSource> {
    return new WorkerSource(await RemoteWorld.start({ worker, wasm }));
  }

  listen(events: Events): void {
    this.events = events;
  }

  async open(opening: Opening): Promise<void> {
    const { files, main, options, world = {}, title, act, hint } = opening;
    const loaded = await this.remote.load(files, { ...options, main }, world, act);
    const images = await Promise.all(loaded.names.texture.map((_, i) => imageOf(opening, loaded.arrays, i)));
    this.set({ playing: false });
    this.track = act?.startsWith('mirror') ? (points) => this.remote.track(points) : undefined;
    const description: Description = { ...loaded, title, hint, images, options: world };
    this.mass = (body) => treeMass(loaded.arrays, body);
    this.events?.described(description);
  }

  async play(speed: number): Promise<void> {
    this.set({ playing: true, speed }); // at once: the answer of a busy Worker comes after its first pictures
    await this.remote.play({ speed, rate: PICTURES }).catch((error: Error) => {
      this.set({ playing: false });
      throw error;
    });
  }

  async pause(): Promise<void> {
    this.show(await this.remote.pause());
  }

  async step(count: number): Promise<void> {
    this.show(await this.remote.step(count));
  }

  async reset(key?: number): Promise<void> {
    this.events?.frame(await this.remote.reset(key));
  }

  async rewind(time: number): Promise<void> {
    this.show(await this.remote.rewind(time));
  }

  async pull(body: number, at: Vec3, target: Vec3): Promise<void> {
    const exact = (v: Vec3): Vec3 => v.map((x) => Math.round(x * 1e4) / 1e4) as Vec3; // 0.1 mm: shorter links
    await this.remote.pull(body, exact(at), exact(target), spring(this.mass(body)));
  }

  async letGo(): Promise<void> {
    await this.remote.letGo();
  }

  async push(body: number, point: Vec3, impulse: Vec3): Promise<void> {
    await this.remote.push(body, point, impulse);
  }

  /** What was done since the start, as a file. */
  session(): Promise<RecordedSession> {
    return this.remote.session();
  }

  /** Opens a recorded session and repeats it. */
  async openSession(bytes: Uint8Array): Promise<void> {
    this.describe(await this.remote.openSession(bytes), 'Recorded session');
    await this.play(1);
  }

  /** Goes on from this moment of a recorded session. */
  async branch(): Promise<void> {
    this.show(await this.remote.branch());
  }

  private describe(loaded: Loaded, title: string): void {
    this.mass = (body) => treeMass(loaded.arrays, body);
    this.set({ playing: false });
    this.events?.described({ ...loaded, title, images: loaded.names.texture.map(() => undefined), options: {} });
  }

  async setControls(values: ArrayLike<number>): Promise<void> {
    await this.remote.setControls(values);
  }

  write(name: string, key?: string): Promise<Record<string, Uint8Array>> {
    return this.remote.write(name, key);
  }

  record(options: { formats: ('mcap' | 'csv')[]; every: number }): Promise<void> {
    return this.remote.record(options);
  }

  recorded(): Promise<Recorded> {
    return this.remote.recorded();
  }

  async setJoints(first: number, values: ArrayLike<number>): Promise<void> {
    this.events?.frame(await this.remote.setJoints(first, values));
  }

  async configure(options: WorldOptions | undefined, changes: Change[]): Promise<void> {
    this.events?.frame((await this.remote.configure(options, changes)).frame);
  }

  async ghost(on: boolean): Promise<void> {
    this.events?.frame(await this.remote.ghost(on));
  }

  close(): void {
    this.events = null;
    void this.remote.close();
  }

  private show(frame: Frame): void {
    this.set({ playing: false });
    this.events?.frame(frame);
  }

  private set(change: Partial<RunState>): void {
    this.state = { ...this.state, ...change };
    this.events?.state(this.state);
  }
}

/** The PNG file of a texture, from the files that were opened. */
async function imageOf(opening: Opening, arrays: Description['arrays'], texture: number): Promise<Uint8Array | undefined> {
  const path = textAt(arrays.names, arrays.textureFile[texture] ?? -1);
  if (!path) return undefined;
  const found = Object.keys(opening.files).find((name) => name === path || name.endsWith('/' + path) || path.endsWith('/' + name));
  const file = found === undefined ? undefined : opening.files[found];
  return file instanceof Uint8Array ? file : undefined;
}

/** A text of the model by its offset in `names`. */
export function textAt(names: Uint8Array, offset: number): string {
  if (offset < 0) return '';
  const end = names.indexOf(0, offset);
  return new TextDecoder().decode(names.slice(offset, end < 0 ? undefined : end));
}
