// SPDX-License-Identifier: Apache-2.0
// What a world looks like to the viewer: a description, frames, and commands. A source may be a Worker of this page
// (worker-source.ts), or a server. The viewer asks `can` before it offers a command.
import type { Change, FileContents, LoadOptions, ModelArrays, ModelSizes, Vec3, Warning, WorldOptions } from 'heft';
import type { Frame, Recorded } from 'heft/remote';

export type { Frame };
export type NameKind = 'body' | 'joint' | 'shape' | 'actuator' | 'key' | 'texture' | 'material';

/** The constant part: sizes, arrays and names of the model, as those of the npm package. */
export interface Description {
  title: string;
  hint?: string;
  sizes: ModelSizes;
  arrays: ModelArrays;
  names: Record<NameKind, string[]>;
  /** What the files hold and the model cannot. */
  warnings: Warning[];
  /** Length of a step [s]. */
  timeStep: number;
  /** Images of the textures, by index of the texture: PNG files. Absent where there is none. */
  images: (Uint8Array | undefined)[];
  /** Options that the world was made with. */
  options: WorldOptions;
  /** The start. */
  frame: Frame;
}

export interface RunState {
  playing: boolean;
  /** Requested: 1 is real time. */
  speed: number;
}

/** A model to open: files by path, and the one to begin with. */
export interface Opening {
  title: string;
  files: Record<string, FileContents>;
  main: string;
  /** packages: folders of the packages of a URDF, by name. */
  options?: LoadOptions & { packages?: Record<string, string> };
  world?: WorldOptions;
  /** An act of the robot: 'walk', 'walk:steps=20'. */
  act?: string;
  /** What to try, instead of the general line. */
  hint?: string;
}

/** Commands that not every source has. */
export type Ability = 'open' | 'run' | 'rewind' | 'pull' | 'push' | 'controls' | 'settings' | 'joints' | 'ghost';

export interface Events {
  /** A model was opened, or made again with other settings. */
  described(description: Description): void;
  frame(frame: Frame): void;
  state(state: RunState): void;
  /** The source broke, or a command failed. */
  failed(error: Error): void;
}

export interface Source {
  readonly can: ReadonlySet<Ability>;
  /** Called once, by App.use(): where the source reports to. */
  listen(events: Events): void;
  /** Opens a model; rejects with a HeftError that has file, line and column. */
  open(opening: Opening): Promise<void>;
  play(speed: number): Promise<void>;
  pause(): Promise<void>;
  /** Pauses, and takes steps. */
  step(count: number): Promise<void>;
  /** Back to the start, or to a keyframe by its index. */
  reset(key?: number): Promise<void>;
  /** Pauses, and goes to a time of the stored past [s]. */
  rewind(time: number): Promise<void>;
  /** Pulls the point `at` of a body, in its frame, towards a target in the world until letGo(). */
  pull(body: number, at: Vec3, target: Vec3): Promise<void>;
  letGo(): Promise<void>;
  /** An impulse [N s] on a point of a body, given in the world. */
  push(body: number, point: Vec3, impulse: Vec3): Promise<void>;
  /** Head and hands of a tracked person, nine points in turn; absent where nothing follows them. */
  track?: (points: number[]) => Promise<void>;
  setControls(values: ArrayLike<number>): Promise<void>;
  /** Sets coordinates from the one with the index `first` on; the joints stand still. For the ability 'joints'. */
  setJoints?(first: number, values: ArrayLike<number>): Promise<void>;
  /** Other options of the world, and changes of parameters, from the present state on. For 'settings'. */
  configure?(options: WorldOptions | undefined, changes: Change[]): Promise<void>;
  /** A second world that keeps the present settings and gets the same inputs. For 'ghost'. */
  ghost?(on: boolean): Promise<void>;
  /** The model as files, with the present state as the keyframe `key`. Absent where the world is not here. */
  write?(name: string, key?: string): Promise<Record<string, Uint8Array>>;
  /** Begins and ends a log of the run. */
  record?(options: { formats: ('mcap' | 'csv')[]; every: number }): Promise<void>;
  recorded?(): Promise<Recorded>;
  close(): void;
}
