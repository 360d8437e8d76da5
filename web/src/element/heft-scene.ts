// SPDX-License-Identifier: Apache-2.0
// <heft-scene src="robot.xml" controls></heft-scene>: a world that runs in any page (docs/manual/javascript.md). The engine is
// fetched when the element comes into sight; out of sight it stands still, and after a while it gives its memory back and
// keeps a picture. A browser has about 16 pictures by WebGL at once, so that at most AWAKE elements have one.
import type { Description, Frame } from '../source';
import type { WorkerSource } from '../worker-source';
import type { LiveWorld } from './live-world';

const AWAKE = 8;
const REST = 20_000; // out of sight, before the memory is given back [ms]
const awake: HeftScene[] = []; // the one that was seen last comes last

const STYLE = `
:host { display: block; position: relative; aspect-ratio: 16 / 10; overflow: hidden; border-radius: 10px; background: #dfe8f2; color: #1c2633; font: 13px/1.4 system-ui, sans-serif; }
:host([hidden]) { display: none; }
canvas, img { position: absolute; inset: 0; width: 100%; height: 100%; display: block; touch-action: pan-y; }
canvas:focus-visible { outline: 2px solid #1f5fc2; outline-offset: -2px; }
div { position: absolute; left: 8px; bottom: 8px; display: flex; gap: 4px; align-items: center; }
button { width: 34px; height: 34px; border: 0; border-radius: 8px; background: #ffffffd0; color: inherit; font: 15px system-ui; cursor: pointer; }
button:focus-visible { outline: 2px solid #1f5fc2; }
output { padding: 0 8px; border-radius: 6px; background: #ffffffa0; font-variant-numeric: tabular-nums; }
p { position: absolute; inset: auto 0 0 0; margin: 0; padding: 8px 12px; background: #a3161b; color: #fff; white-space: pre-wrap; }
[hidden] { display: none; }`;

export class HeftScene extends HTMLElement {
  static observedAttributes = ['src', 'main', 'key', 'speed', 'controls', 'load-options', 'world-options', 'label', 'follow', 'act', 'zoom', 'up', 'azimuth', 'dark'];
  /** The script of another Worker, and what to do with a loaded world before it starts: for pages that measure. */
  worker?: URL | string;
  prepare?: (source: WorkerSource) => Promise<void>;
  /** The last description and frame; null before. */
  description: Description | null = null;
  frame: Frame | null = null;
  playing = false;
  private live: LiveWorld | null = null;
  private waking: Promise<void> | null = null;
  private seen = false;
  private wanted = true; // the user wants it to run
  private past: Uint8Array | null = null; // the world while its memory is given back
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly root = this.attachShadow({ mode: 'open' });
  private canvas = document.createElement('canvas');
  private readonly image = document.createElement('img');
  private readonly bar = document.createElement('div');
  private readonly run = document.createElement('button');
  private readonly again = document.createElement('button');
  private readonly clock = document.createElement('output');
  private readonly message = document.createElement('p');
  private readonly watcher = new IntersectionObserver(([entry]) => this.see(entry?.isIntersecting ?? false), { rootMargin: '80px' });

  constructor() {
    super();
    const style = document.createElement('style');
    style.textContent = STYLE;
    const { run, again, clock, bar, image, message, canvas } = this;
    run.onclick = () => (this.playing ? this.pause() : this.play());
    again.onclick = () => this.reset();
    again.textContent = '↺';
    again.setAttribute('aria-label', 'From the start');
    clock.setAttribute('aria-label', 'Simulated time');
    bar.append(run, again, clock);
    image.hidden = bar.hidden = message.hidden = true;
    image.alt = '';
    message.setAttribute('role', 'alert');
    this.root.append(style, canvas, image, bar, message);
    // The wheel scrolls the page, unless the picture has the focus.
    this.root.addEventListener('wheel', (event) => {
      if (this.root.activeElement !== this.canvas) event.stopImmediatePropagation();
    }, { capture: true });
    this.dress();
  }

  connectedCallback(): void {
    this.wanted = this.startsItself();
    this.dress();
    this.watcher.observe(this);
    document.addEventListener('visibilitychange', this.tab);
  }

  disconnectedCallback(): void {
    this.watcher.disconnect();
    document.removeEventListener('visibilitychange', this.tab);
    this.seen = false;
    clearTimeout(this.rest);
    void this.release(false);
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    this.dress();
    if (!this.isConnected || name === 'controls' || name === 'label') return;
    if (name === 'dark') return this.live?.stage.dark(now !== null);
    if (name === 'speed') {
      if (this.playing) void this.play();
      return;
    }
    void this.release(false).then(() => (this.seen ? this.wake() : undefined));
  }

  /** Runs, as soon as it is in sight. */
  async play(): Promise<void> {
    this.wanted = true;
    if (this.seen) await this.ask((live) => live.source.play(this.speed));
  }

  async pause(): Promise<void> {
    this.wanted = false;
    await this.ask((live) => live.source.pause());
  }

  /** Back to the start, or to the keyframe. */
  async reset(): Promise<void> {
    this.past = null;
    await this.ask((live) => live.reset());
    if (this.wanted) await this.play();
  }

  /** Pauses, and takes steps. */
  async step(count = 1): Promise<void> {
    this.wanted = false;
    await this.ask((live) => live.source.step(count));
  }

  get speed(): number {
    const value = Number(this.getAttribute('speed') ?? 1);
    return value > 0 && value <= 1000 ? value : 1;
  }

  /** What a world that was closed meanwhile did not answer is no mistake. */
  private async ask(run: (live: LiveWorld) => Promise<void>): Promise<void> {
    const { live } = this;
    if (live) await run(live).catch((error: Error) => (this.live === live ? this.fail(error) : undefined));
  }

  private startsItself(): boolean {
    return !this.hasAttribute('paused') && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  // ---- in sight and out of it

  private readonly tab = (): void => {
    if (document.hidden) void this.ask((live) => live.source.pause());
    else if (this.seen && this.wanted) void this.play();
  };

  private see(seen: boolean): void {
    this.seen = seen;
    clearTimeout(this.rest);
    if (seen) return void this.wake();
    void this.ask((live) => live.source.pause());
    this.rest = setTimeout(() => void this.release(true), REST);
  }

  private async wake(): Promise<void> {
    const at = awake.indexOf(this);
    if (at >= 0) awake.splice(at, 1);
    awake.push(this);
    for (const other of awake.filter((one) => !one.seen).slice(0, Math.max(0, awake.length - AWAKE))) void other.release(true);
    this.waking ??= this.make().catch((error: Error) => this.fail(error)).finally(() => (this.waking = null));
    await this.waking;
    if (this.seen && this.wanted && !document.hidden) await this.play();
  }

  private async make(): Promise<void> {
    if (this.live) return;
    this.message.hidden = true;
    const { LiveWorld } = await import('./live-world');
    const text = this.querySelector('script[type="text/xml"], template')?.textContent ?? undefined;
    const src = this.getAttribute('src') ?? undefined;
    if (src === undefined && text === undefined) throw new Error('<heft-scene> needs the attribute src, or the text of a model in <script type="text/xml">');
    const live = await LiveWorld.create(this.canvas, {
      src, text, main: this.getAttribute('main') ?? undefined, key: this.getAttribute('key') ?? undefined,
      load: this.json('load-options'), world: this.json('world-options'), worker: this.worker, prepare: this.prepare,
      dark: this.hasAttribute('dark'), follow: this.getAttribute('follow') ?? undefined, act: this.getAttribute('act') ?? undefined, zoom: this.number('zoom') ?? 1,
      azimuth: this.number('azimuth'), up: this.getAttribute('up')?.trim().split(/\s+/).map(Number),
    }, {
      described: (description) => {
        this.description = description;
        this.frame = description.frame;
        this.dispatchEvent(new CustomEvent('heft-load', { detail: description }));
      },
      frame: (frame) => {
        this.frame = frame;
        this.clock.textContent = `${frame.time.toFixed(2)} s`;
        this.dispatchEvent(new CustomEvent('heft-frame', { detail: frame }));
      },
      state: (playing) => {
        this.playing = playing;
        this.dress();
      },
      failed: (error) => this.fail(error),
    });
    if (this.past) await live.source.remote.restore(this.past);
    this.past = null;
    this.live = live;
    this.image.hidden = true;
    if (!this.isConnected) await this.release(false);
  }

  /** Ends the Worker and the picture; with `keep`, a photograph and a snapshot stay. */
  private async release(keep: boolean): Promise<void> {
    await this.waking;
    const { live } = this;
    if (!live || (keep && this.seen)) return;
    this.live = null;
    this.past = null;
    if (keep) {
      this.image.src = live.picture();
      this.image.hidden = false;
      if (this.prepare) this.wanted = this.startsItself(); // a measured run begins anew
      else this.past = await live.source.remote.snapshot().catch(() => null);
    }
    live.close();
    const at = awake.indexOf(this);
    if (at >= 0) awake.splice(at, 1);
    const fresh = document.createElement('canvas'); // the old one has lost its context
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
    this.playing = false;
    this.dress();
  }

  // ---- looks

  private dress(): void {
    const { canvas, bar, run } = this;
    canvas.tabIndex = 0;
    canvas.setAttribute('aria-label', this.getAttribute('label') ?? 'A simulated world; drag a body to pull it');
    bar.hidden = !this.hasAttribute('controls');
    run.textContent = this.playing ? '❚❚' : '▶';
    run.setAttribute('aria-label', this.playing ? 'Pause' : 'Run');
  }

  private number(name: string): number | undefined {
    const text = this.getAttribute(name);
    if (text === null) return undefined;
    if (text.trim() === '' || !Number.isFinite(Number(text))) throw new Error(`<heft-scene ${name}>: expected a number, found '${text}'`);
    return Number(text);
  }

  private json(name: string): Record<string, never> | undefined {
    const text = this.getAttribute(name);
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as Record<string, never>;
    } catch (error) {
      throw new Error(`<heft-scene ${name}>: expected JSON, for example '{"tolerance": 1e-9}'; ${(error as Error).message}`);
    }
  }

  private fail(error: Error): void {
    this.message.textContent = error.message;
    this.message.hidden = false;
    this.dispatchEvent(new CustomEvent('heft-error', { detail: error }));
  }
}

if (!customElements.get('heft-scene')) customElements.define('heft-scene', HeftScene);
