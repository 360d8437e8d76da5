// SPDX-License-Identifier: Apache-2.0
import type {
  ChangeKind, Vec3, Status, Named, StepReport, Contact, ConstraintForce, Pose, Spatial, Coupling, WorldOptions, LoadOptions, ModelSizes, ModelArrays,
} from './types.js';

export * from './types.js';

/** What went wrong in a file, a value or a name. */
export declare class HeftError extends Error {
  readonly status: Status;
  /** The file, '' where there is none. */
  readonly file: string;
  /** Counted from 1; 0 where there is none. */
  readonly line: number;
  readonly column: number;
  /** The message without the place. */
  readonly reason: string;
}

export interface Warning {
  status: Status;
  file: string;
  line: number;
  column: number;
  message: string;
  /** Occurrences of this kind; the place is that of the first. */
  count: number;
}

export type FileContents = string | Uint8Array;

/** Files in memory, for hosts of other modules. */
export declare class Files {
  constructor(files?: Record<string, FileContents>, below?: (path: string) => Uint8Array | 'folder' | null);
  write(path: string, data: FileContents): void;
  /** The contents of a file, not a copy, or null. */
  read(path: string): Uint8Array | null;
  list(): string[];
  clear(): void;
}

/** One instance of the module, with its own memory. */
export declare class Heft {
  private constructor();
  readonly version: string;
  /** 64 bits that depend on every byte, the same natively. Chain calls by the seed. */
  hash(bytes: Uint8Array, seed?: bigint): bigint;
  /**
   * Loads MJCF, URDF or a compiled model: a text, or files by path. With files, `main` is the path of the model; it may be left
   * out if one file alone can be a model. `packages` has the folders of URDF packages by name. Throws a HeftError with file, line
   * and column.
   */
  load(source: string | Record<string, FileContents>, options?: LoadOptions & { main?: string; packages?: Record<string, string>; warn?: (warning: Warning) => void }): Model;
}

/** The constant description of robots and their environment. */
export declare class Model {
  private constructor();
  readonly sizes: ModelSizes;
  readonly arrays: ModelArrays;
  /** What the files hold and the model cannot. */
  readonly warnings: Warning[];
  readonly hash: bigint;
  /** Names of all objects of a kind; '' for those without one. */
  names(kind: Named): string[];
  /** Index of an object by its name. Throws with the most similar name if there is none. */
  find(kind: Named, name: string | number): number;
  /** The model as files: MJCF, or by the ending .urdf URDF, .heft the compiled form; with its meshes. */
  write(name?: string): Record<string, Uint8Array>;
  /** Releases the memory, when its worlds are closed, too. */
  close(): void;
}

/** A change of a parameter: gravity, mass, gain (factors), friction, restitution (coefficients). */
export interface Change {
  kind: ChangeKind;
  /** Material, pair, body or actuator; 0 for gravity. */
  index?: number;
  value: number;
}

/** Steps one model through time. */
export declare class World {
  constructor(model: Model, options?: WorldOptions);
  readonly model: Model;
  /**
   * A robot acts from now on: 'walk', 'stand', 'greet', 'sofa', 'table' or 'mirror', with options as 'walk:steps=20,length=0.1', as `heft view walk`
   * natively, in the model of the act: models/hrp2_like.xml walks. Its pose becomes that with which the act begins. Snapshots contain the act.
   */
  act(spec: string): void;
  /** Takes steps. Returns the report of the last one; a step that was rolled back ends the loop. */
  step(count?: number): StepReport;
  /** How the last step ended: in words, with the error that decides and its place. */
  readonly stepText: string;
  /** Simulated time [s]. */
  readonly time: number;
  /** Length of a step [s]. */
  readonly timeStep: number;
  /** Coordinates, a view to read. Get it again after a call that may take memory. */
  readonly q: Float64Array;
  /** Velocities, a view to read. */
  readonly v: Float64Array;
  /** Controls of the actuators, a view to write. */
  readonly controls: Float64Array;
  /** External joint forces [N, N m], a view to write. */
  readonly jointForces: Float64Array;
  /** Values of all sensors, a copy. */
  readonly sensors: Float64Array;
  setQ(values: ArrayLike<number>, first?: number): void;
  setV(values: ArrayLike<number>, first?: number): void;
  /** Back to the start, or to a keyframe. */
  reset(key?: string | number): void;
  /** Contacts of the last step. */
  readonly contacts: Contact[];
  readonly constraintForces: ConstraintForce[];
  bodyPose(body: string | number): Pose;
  /** Velocity of a body at its origin, in the axes of the world. */
  bodyVelocity(body: string | number): Spatial;
  /** Poses of all bodies (nbody x 12): position, rotation matrix row by row. The next call writes it again. */
  readonly bodyPoses: Float64Array;
  /** The same for shapes (nshape x 12). */
  readonly shapePoses: Float64Array;
  /** Applies a force [N] at a point of the world frame, by default the origin of the body, during the next step. */
  applyForce(body: string | number, force: Vec3, point?: Vec3, torque?: Vec3): void;
  /** Couples a body to a target by a damped spring during the next step: the way to pull it. Returns its index. */
  couple(coupling: Omit<Coupling, 'body'> & { body: string | number }): number;
  /** The model with one more keyframe: the present state and the controls. So its write() saves a moment. */
  keyModel(key: string): Model;
  /** Changes a parameter: gravity (factor), friction or restitution of a material or pair, mass (factor), gain (factor). */
  change(change: Change): void;
  /** Goes on where another world is: states, parameters and impulses of what both models have. */
  transfer(from: World): void;
  /** A second world of the same model, options, parameters and state. */
  clone(): World;
  /** Everything that decides the future of the world, as bytes: the same natively. */
  snapshot(): Uint8Array;
  restore(bytes: Uint8Array): void;
  /** 64 bits that depend on every bit of the state. */
  readonly hash: bigint;
  close(): void;
}

/** An MCAP log of a world, in memory: for `heft view`, Foxglove and PlotJuggler. It has to be ended by finish(). */
export declare class McapLog {
  constructor(world: World);
  /** Bytes so far. */
  readonly size: number;
  /** Writes the present state, after a step; isStart: before any step, without its report. */
  write(isStart?: boolean): void;
  /** Ends the log. Returns the file. */
  finish(): Uint8Array;
}

/** A CSV log of a world: the columns of `heft run --log`, then the sum of the contact forces on each body. */
export declare class CsvLog {
  constructor(world: World);
  readonly size: number;
  write(report: StepReport): void;
  finish(): Uint8Array;
}

/** Many worlds of one model: rows of contiguous arrays. */
export declare class Batch {
  constructor(model: Model, count: number, options?: WorldOptions);
  readonly model: Model;
  readonly count: number;
  /** (count x nq) */
  readonly q: Float64Array;
  /** (count x nv) */
  readonly v: Float64Array;
  /** (count) [s] */
  readonly time: Float64Array;
  /** (count x nactuator), to be written */
  readonly controls: Float64Array;
  /** (count x nsensordata) */
  readonly sensors: Float64Array;
  /** (count) 1: the world has ended */
  readonly ended: Uint8Array;
  step(count?: number): void;
  reset(key?: string | number): void;
  setState(index: number, q: ArrayLike<number>, v: ArrayLike<number>): void;
  hash(index: number): bigint;
  close(): void;
}

/** Makes an instance of Heft. wasm: the module, its bytes or its address; by default heft.wasm beside this file. */
export declare function init(options?: {
  wasm?: BufferSource | WebAssembly.Module | URL | string;
  print?: (text: string, isError: boolean) => void;
}): Promise<Heft>;
