// SPDX-License-Identifier: Apache-2.0
// A world in a Worker, which steps at its own pace: messages with a number each go there, answers come back as
// promises, pictures by onframe. docs/manual/javascript.md lists the messages.
import { HeftError } from './heft.js';

async function makeWorker(address) {
  if (typeof Worker !== 'undefined') {
    // Bundlers find the Worker by this very form.
    const worker = address ? new Worker(address, { type: 'module' }) : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    return {
      post: (message) => worker.postMessage(message), end: () => worker.terminate(),
      listen: (receive, fail) => {
        worker.onmessage = (event) => receive(event.data);
        worker.onerror = (event) => fail(new Error(event.message || 'the Worker could not be started'));
      },
    };
  }
  const threads = await import(/* @vite-ignore */ 'node:worker_threads');
  const worker = new threads.Worker(address ?? new URL('./worker.js', import.meta.url));
  return {
    post: (message) => worker.postMessage(message), end: () => worker.terminate(),
    listen: (receive, fail) => worker.on('message', receive).on('error', fail),
  };
}

export class RemoteWorld {
  /** Starts a Worker with an instance of Heft. */
  static async start({ worker: address, wasm } = {}) {
    const remote = new RemoteWorld();
    remote.worker = await makeWorker(address);
    await new Promise((resolve, reject) => {
      remote.worker.listen((message) => (message.type === 'ready' ? resolve() : remote.receive(message)), (error) => {
        remote.fail(error);
        reject(error);
      });
    });
    remote.version = (await remote.ask('init', { wasm: await wasm })).version;
    return remote;
  }

  constructor() {
    Object.assign(this, { waiting: new Map(), next: 1, onframe: null, ondescribed: null, broken: null });
  }

  receive(message) {
    if (message.type === 'frame') {
      const shown = () => this.worker.post({ type: 'shown' });
      const drawn = this.onframe?.(message.frame); // a promise where the picture is drawn later
      return drawn?.then ? void drawn.then(shown) : shown();
    }
    if (message.type === 'described') return this.ondescribed?.(message.description);
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.ok) return resolve(message.result);
    const { error } = message;
    reject(error.name === 'HeftError' ? new HeftError({ ...error, message: error.reason }) : Object.assign(new Error(error.message), { name: error.name }));
  }

  fail(error) {
    this.broken = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  ask(type, message = {}) {
    if (this.broken) return Promise.reject(this.broken);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.post({ id, type, ...message });
    });
  }

  load(source, options = {}, world = {}, act) { return this.ask('load', { source, options, world, act }); }
  play({ speed, rate } = {}) { return this.ask('play', { speed, rate, waits: true }); }
  pause() { return this.ask('pause'); }
  step(count = 1) { return this.ask('step', { count }); }
  reset(key) { return this.ask('reset', { key }); }
  rewind(time) { return this.ask('rewind', { time }); }
  setControls(values) { return this.ask('controls', { values: Array.from(values) }); }
  pull(body, at, target, { stiffness = 200, damping = 20, forceMax } = {}) { return this.ask('pull', { body, at, target, stiffness, damping, forceMax }); }
  letGo() { return this.ask('pull'); }
  track(points) { return this.ask('track', { points }); }
  session() { return this.ask('session'); }
  openSession(bytes) { return this.ask('openSession', { bytes }); }
  branch() { return this.ask('branch'); }
  push(body, point, impulse) { return this.ask('push', { body, point, impulse }); }
  record({ formats, every, limit } = {}) { return this.ask('record', { formats, every, limit }); }
  recorded() { return this.ask('recorded'); }
  write(name, key) { return this.ask('write', { name, key }); }
  setJoints(first, values) { return this.ask('joints', { first, values: Array.from(values) }); }
  configure(options, changes) { return this.ask('configure', { options, changes }); }
  ghost(on) { return this.ask('ghost', { on }); }
  snapshot() { return this.ask('snapshot'); }
  restore(bytes) { return this.ask('restore', { bytes }); }
  hash() { return this.ask('hash'); }
  frame() { return this.ask('frame'); }

  /** Ends the Worker. */
  close() {
    this.fail(new Error('the Worker was closed'));
    return this.worker.end();
  }
}
