// SPDX-License-Identifier: Apache-2.0
// <heft-compare src="ramp.xml" body="crate" limit="0.577"></heft-compare>: one file in two engines side by side, with the measured
// creep of a body under each (docs/manual/javascript.md). Heft runs as soon as it is in sight; MuJoCo is fetched when somebody
// starts the comparison, begins with Heft from the start, and follows its time, its friction and its pulls.
import '../element/heft-scene';
import type { HeftScene } from '../element/heft-scene';
import type { Description, Frame } from '../source';
import type { WorkerSource } from '../worker-source';
import { Creep } from './creep';
import type { MujocoTwin } from './mujoco-twin';
import type { TwinPane } from './twin-pane';
import STYLE from './compare.css?inline';

const NONE = 1e-9; // a speed below it is shown as 0 [m/s]
const GONE = 5e-3; // a body that rests after such a way did not hold [m]

const MARKUP = `
<div class="panes">
  <figure><figcaption><b>Heft</b></figcaption><output data-engine="heft">…</output></figure>
  <figure><figcaption><b>MuJoCo</b> <span class="version"></span></figcaption>
    <div class="screen"><canvas tabindex="0" aria-label="The same scene in MuJoCo; drag a body to pull it"></canvas><button class="start"><b>Compare</b> with MuJoCo <small>fetches 2.6 MB</small></button></div>
    <output data-engine="mujoco">not started</output></figure>
</div>
<div class="bar">
  <label>Friction <input type="range" min="0.3" max="1" step="0.01"><output class="friction"></output></label>
  <label class="settings" hidden>MuJoCo with <select></select></label>
</div>
<p class="law" role="status"></p>`;

/** A speed with its unit and two or three digits. */
function words(speed: number): string {
  if (speed < NONE) return '0 mm/s';
  const [value, unit] = speed >= 0.1 ? [speed, 'm/s'] : speed >= 1e-5 ? [1e3 * speed, 'mm/s'] : [1e6 * speed, 'µm/s'];
  return `${value.toPrecision(value < 1 ? 2 : 3)} ${unit}`;
}

export class HeftCompare extends HTMLElement {
  static observedAttributes = ['dark'];
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly scene = document.createElement('heft-scene') as HeftScene;
  private source: WorkerSource | null = null;
  private description: Description | null = null;
  private readonly loaded = new Promise((resolve) => this.scene.addEventListener('heft-load', resolve, { once: true }));
  private pane: TwinPane | null = null;
  private twin: MujocoTwin | null = null;
  private last = { time: 0, pulled: false };
  private readonly creep = { heft: new Creep(), mujoco: new Creep() };

  constructor() {
    super();
    const style = document.createElement('style');
    style.textContent = STYLE;
    this.root.innerHTML = MARKUP;
    this.root.prepend(style);
    const { scene, slider } = this;
    this.get('figcaption').after(scene);
    scene.setAttribute('controls', '');
    scene.prepare = async (source) => {
      this.source = source;
      await this.setFriction();
    };
    scene.addEventListener('heft-load', (event) => void this.described((event as CustomEvent<Description>).detail));
    scene.addEventListener('heft-frame', (event) => this.see((event as CustomEvent<Frame>).detail));
    scene.addEventListener('heft-error', (event) => this.say((event as CustomEvent<Error>).detail.message));
    slider.addEventListener('input', () => void this.setFriction());
    this.get('button').addEventListener('click', () => void this.start().catch((error: Error) => this.fail(error)));
  }

  connectedCallback(): void {
    const { scene, slider } = this;
    slider.value = this.getAttribute('friction') ?? '0.6';
    for (const name of ['label', 'zoom', 'azimuth', 'dark']) if (this.hasAttribute(name)) scene.setAttribute(name, this.getAttribute(name)!);
    scene.setAttribute('src', this.getAttribute('src') ?? '');
    void this.setFriction();
  }

  disconnectedCallback(): void {
    this.pane?.close();
    this.twin?.close();
    this.pane = this.twin = null;
  }

  attributeChangedCallback(): void {
    const dark = this.hasAttribute('dark');
    this.scene.toggleAttribute('dark', dark);
    this.pane?.dark(dark);
  }

  private get<T extends HTMLElement>(selector: string): T {
    return this.root.querySelector<T>(selector)!;
  }

  private get slider(): HTMLInputElement {
    return this.get<HTMLInputElement>('input');
  }

  private get threshold(): number {
    return Number(this.getAttribute('limit') ?? 0);
  }

  // ---- what happens

  private async described(description: Description): Promise<void> {
    this.description = description;
    this.restart(0);
    if (this.pane) return;
    const { TwinPane } = await import('./twin-pane');
    const look = { zoom: Number(this.getAttribute('zoom') ?? 1), azimuth: this.hasAttribute('azimuth') ? Number(this.getAttribute('azimuth')) : undefined };
    if (this.isConnected) this.pane ??= new TwinPane(this.get<HTMLCanvasElement>('.screen canvas'), description, look, this.hasAttribute('dark'), (error) => this.fail(error));
  }

  /** Fetches the other engine and begins anew with both. */
  private async start(): Promise<void> {
    const button = this.get<HTMLButtonElement>('button');
    if (this.twin) return;
    button.disabled = true;
    button.textContent = 'MuJoCo is fetched …';
    const [{ MujocoTwin, SETTINGS }, text] = await Promise.all([import('./mujoco-twin'), fetch(this.getAttribute('src')!).then((answer) => answer.text()), this.loaded]);
    this.twin = await MujocoTwin.load(text, this.description!);
    button.hidden = true;
    this.get('.version').textContent = this.twin.version;
    const select = this.get<HTMLSelectElement>('select');
    select.replaceChildren(...Object.keys(SETTINGS).map((name) => new Option(name)));
    select.onchange = () => {
      this.twin?.configure(select.value);
      this.creep.mujoco.disturb(this.twin?.time ?? 0);
    };
    this.get('.settings').hidden = false;
    await this.setFriction();
    await this.scene.reset();
    await this.scene.play();
  }

  private async setFriction(): Promise<void> {
    const { slider, source, description, threshold: limit } = this;
    const value = Number(slider.value);
    this.get('.friction').textContent = value.toFixed(2);
    this.say(value >= limit ? `Coulomb's law: it holds, since friction is at least ${limit}.` : `Coulomb's law: it slides, since friction is below ${limit}.`);
    this.restart(this.last.time);
    this.twin?.setFriction(value);
    if (!source || !description) return;
    const changes = Array.from({ length: description.sizes.nmaterial }, (_, index) => ({ kind: 'friction' as const, index, value }));
    await source.configure(undefined, changes).catch((error: Error) => this.fail(error));
  }

  private see(frame: Frame): void {
    const { twin, pane, source, creep, last } = this;
    const pulled = frame.pulled !== null;
    if (frame.time < last.time || pulled || last.pulled) this.restart(frame.time);
    this.last = { time: frame.time, pulled };
    const body = this.description?.names.body.indexOf(this.getAttribute('body') ?? '') ?? -1;
    if (body < 0) return;
    const place = (poses: Float64Array): [number, number, number] => [poses[12 * body]!, poses[12 * body + 1]!, poses[12 * body + 2]!];
    creep.heft.see(frame.time, place(frame.bodyPoses));
    this.show('heft', pulled);
    if (!twin || !pane || !source) return;
    twin.follow(frame.time, frame.pulled);
    creep.mujoco.see(twin.time, place(pane.pose(twin, source)));
    this.show('mujoco', pulled);
  }

  private restart(time: number): void {
    this.creep.heft.disturb(time);
    this.creep.mujoco.disturb(Math.min(time, this.twin?.time ?? 0));
  }

  // ---- what is said

  private show(engine: 'heft' | 'mujoco', pulled: boolean): void {
    const output = this.get<HTMLOutputElement>(`output[data-engine=${engine}]`);
    const { speed, way } = this.creep[engine];
    const moves = speed !== null && (speed >= NONE || way >= GONE);
    output.value = pulled ? 'pulled' : speed === null ? 'settles …' : speed < NONE && moves ? 'slid away' : `${speed >= 0.1 ? 'slides' : moves ? 'creeps' : 'holds:'} ${words(speed)}`;
    output.dataset.speed = speed === null ? '' : String(speed);
    output.dataset.state = speed === null ? '' : moves ? 'moves' : 'holds';
  }

  private say(text: string): void {
    this.get('.law').textContent = text;
  }

  private fail(error: Error): void {
    const button = this.get<HTMLButtonElement>('button');
    button.disabled = false;
    if (!this.twin) button.textContent = error.message;
    else this.say(error.message);
  }
}

customElements.define('heft-compare', HeftCompare);
