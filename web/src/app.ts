// SPDX-License-Identifier: Apache-2.0
// What all modules of the page share: the source of the world, its last description and frame, actions, panels, the
// picture, and messages to the user. Modules listen by on(); they keep working when another source is used.
import { Actions } from './actions';
import type { Overlays } from './overlays';
import { Panels } from './panels';
import { Follow, robotOf } from './scene/follow';
import { Stage } from './scene/stage';
import type { Description, Events, Frame, Opening, RunState, Source } from './source';

interface AppEvents extends Events {
  /** A body was selected, or null. */
  selected(body: number | null): void;
  /** Before each picture. */
  draw(): void;
  theme(dark: boolean): void;
}

export class App {
  readonly actions: Actions;
  readonly panels: Panels;
  readonly stage: Stage;
  readonly follow: Follow;
  source: Source | null = null;
  description: Description | null = null;
  frame: Frame | null = null;
  state: RunState = { playing: false, speed: 1 };
  /** What was opened last, to open it again with other settings. */
  opening: Opening | null = null;
  selected: number | null = null;
  /** Coefficients of friction are those of the model times this. */
  friction = 1;
  overlays: Overlays | null = null;
  private readonly listeners: { [E in keyof AppEvents]?: AppEvents[E][] } = {};

  constructor(canvas: HTMLCanvasElement, side: HTMLElement, private readonly status: HTMLElement) {
    this.actions = new Actions((error) => this.fail(error));
    this.panels = new Panels(side, this.actions, (error) => this.fail(error));
    this.stage = new Stage(canvas);
    this.stage.ondraw = () => this.tell('draw');
    this.follow = new Follow(this.stage);
  }

  on<E extends keyof AppEvents>(event: E, listener: AppEvents[E]): void {
    ((this.listeners[event] ??= []) as AppEvents[E][]).push(listener);
  }

  tell<E extends keyof AppEvents>(event: E, ...values: Parameters<AppEvents[E]>): void {
    for (const listener of this.listeners[event] ?? []) (listener as (...v: Parameters<AppEvents[E]>) => void)(...values);
  }

  /** Shows the world of this source from now on. */
  use(source: Source): void {
    if (this.source !== source) this.source?.close();
    this.source = source;
    source.listen({
      described: (description) => this.describe(description),
      frame: (frame) => this.show(frame),
      state: (state) => {
        this.state = state;
        this.stage.run(state.playing);
        this.tell('state', state);
        this.actions.changed();
      },
      failed: (error) => this.fail(error),
    });
  }

  /** Opens a model in the source. */
  async open(opening: Opening): Promise<void> {
    if (!this.source) throw new Error('there is no source of a world');
    await this.source.open(opening);
    this.opening = opening;
  }

  select(body: number | null): void {
    this.selected = body;
    this.tell('selected', body);
    this.stage.redraw();
  }

  /** A short message to the user. */
  say(text: string, kind: 'note' | 'error' = 'note'): void {
    this.status.textContent = text;
    this.status.className = kind;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.status.textContent = ''), kind === 'error' ? 12000 : 4000);
  }

  private saying: ReturnType<typeof setTimeout> | undefined;

  fail(error: Error): void {
    this.tell('failed', error);
    this.say(error.message, 'error');
    console.error(error);
  }

  private describe(description: Description): void {
    this.description = description;
    this.selected = null;
    this.friction = 1;
    document.title = `${description.title} – Heft`;
    this.stage.describe(description);
    this.follow.begin(robotOf(description), description.frame, true);
    this.tell('described', description);
    this.tell('selected', null);
    this.show(description.frame);
    this.actions.changed();
  }

  private show(frame: Frame): void {
    this.frame = frame;
    this.follow.see(frame);
    this.stage.pose(frame);
    this.tell('frame', frame);
  }
}
