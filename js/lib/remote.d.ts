// SPDX-License-Identifier: Apache-2.0
import type { Change, Contact, FileContents, LoadOptions, ModelArrays, ModelSizes, Named, StepReport, Vec3, Warning, WorldOptions } from './index.js';

/** What a picture needs. Arrays are copies. */
export interface Frame {
  /** Simulated time [s]. */
  time: number;
  /** Time that was left out since play() because the machine is too slow [s]. */
  lag: number;
  q: Float64Array;
  v: Float64Array;
  /** (nbody x 12): position, rotation matrix row by row */
  bodyPoses: Float64Array;
  /** (nshape x 12) */
  shapePoses: Float64Array;
  contacts: Contact[];
  /** Of the last step, null before the first. */
  report: StepReport | null;
  /** What is wrong with it, in words; empty: nothing, or it is a step of a recording. */
  words: string;
  /** The times that rewind() reaches [s]: the end is later than the present after rewind(). */
  historyStart: number;
  historyEnd: number;
  /** Steps since the start. */
  step: number;
  /** Snapshots of the past that were reached again with the same bytes. */
  same: number;
  /** Steps since the start that were not exact; contact points that were dropped. */
  inexact: number;
  dropped: number;
  /** The largest residual since the last frame [m/s]. */
  residual: number;
  controls: Float64Array;
  /** Mean wall time of a step since the last frame [ms]. */
  stepTime: number;
  /** The pull that acts: a point in the frame of a body, and its target in the world. */
  pulled: { body: number; at: Vec3; target: Vec3 } | null;
  /** (nshape x 12) of the ghost. */
  ghostPoses: Float64Array | null;
  /** The log that record() began; full: it has reached its limit and ended. */
  recorded: { rows: number; size: number; full: boolean } | null;
  /** The recorded session that is repeated, null otherwise. */
  session: SessionState | null;
}

/** How far a recorded session was repeated. */
export interface SessionState {
  step: number;
  steps: number;
  /** Hashes that were compared so far, and those that differed: 0 if the bits are the same. */
  compared: number;
  different: number;
  done: boolean;
}

/** What was done with a world, as a file that any browser and `heft replay` repeat with the same bits. */
export interface RecordedSession {
  /** An MCAP file with the compiled model, the start, the actions and hashes. */
  bytes: Uint8Array;
  /** The file of the model. */
  name: string;
  /** Simulated time at its begin and end [s]. */
  from: number;
  to: number;
  steps: number;
  actions: number;
}

/** A log of a run; docs/manual/logs.md has the columns and channels. */
export interface Recorded {
  rows: number;
  /** Simulated time at its begin and end [s]. */
  from: number;
  to: number;
  /** It ended before, at its limit. */
  full: boolean;
  csv?: Uint8Array;
  mcap?: Uint8Array;
}

export interface Loaded {
  sizes: ModelSizes;
  names: Record<Named, string[]>;
  arrays: ModelArrays;
  warnings: Warning[];
  timeStep: number;
  frame: Frame;
}

/** A world in a Worker. */
export declare class RemoteWorld {
  private constructor();
  static start(options?: { worker?: URL | string; wasm?: BufferSource | WebAssembly.Module | string | Promise<WebAssembly.Module> }): Promise<RemoteWorld>;
  readonly version: string;
  /** Called with each picture while the world plays. The next one comes when it returns, or when its promise is kept. */
  onframe: ((frame: Frame) => void | Promise<unknown>) | null;
  /** act: what a robot does, as World.act(). */
  load(source: string | Record<string, FileContents>, options?: LoadOptions & { main?: string; packages?: Record<string, string> }, world?: WorldOptions, act?: string): Promise<Loaded>;
  /** Steps in real time times speed, with at most `rate` pictures a second. */
  play(options?: { speed?: number; rate?: number }): Promise<void>;
  pause(): Promise<Frame>;
  /** Pauses, and takes steps. */
  step(count?: number): Promise<Frame>;
  reset(key?: string | number): Promise<Frame>;
  /**
   * Pauses, and goes to the step at a time of the past, five minutes or 192 MB of snapshots. Steps between snapshots are taken
   * again with the same inputs: the same bits. A run that goes on repeats the past until there is another input.
   */
  rewind(time: number): Promise<Frame>;
  setControls(values: ArrayLike<number>): Promise<void>;
  /** Pulls the point `at` of a body, in its frame, towards a target in the world until letGo(). */
  pull(body: string | number, at: Vec3, target: Vec3, spring?: { stiffness?: number; damping?: number; forceMax?: number }): Promise<void>;
  letGo(): Promise<void>;
  /** Head and hands of a tracked person, nine points in turn; see the act mirror. Without an argument: nobody is tracked. */
  track(points?: ArrayLike<number>): Promise<void>;
  /** All that was done since load(), reset(), restore(), setJoints() or configure(), without what rewind() took back. */
  session(): Promise<RecordedSession>;
  /** Opens a recorded session at its start: play(), step() and rewind() repeat it and compare its bits (Frame.session). */
  openSession(bytes: Uint8Array): Promise<Loaded & { session: SessionState }>;
  /** Goes on from this moment of a session that is repeated: another session begins here. */
  branch(): Promise<Frame>;
  /** Called if a session that is repeated added or removed an object: the world has another model. */
  ondescribed: ((description: Loaded) => void) | null;
  /** An impulse [N s] on a point of a body, given in the world, during the next step. */
  push(body: string | number, point: Vec3, impulse: Vec3): Promise<void>;
  /** Sets coordinates from the one with the index `first` on; the velocities become zero. */
  setJoints(first: number, values: ArrayLike<number>): Promise<Frame>;
  /** Other options of the world (all of them), and changes of parameters. The world goes on; its past is dropped. */
  configure(options?: WorldOptions, changes?: Change[]): Promise<{ timeStep: number; frame: Frame }>;
  /** A second world that keeps the present settings and gets the same inputs: its poses are in the frames. */
  ghost(on: boolean): Promise<Frame>;
  /** Begins a log of the run: a row for the present, and for every Nth step. It ends by itself at `limit` bytes (256 MiB). */
  record(options?: { formats?: ('mcap' | 'csv')[]; every?: number; limit?: number }): Promise<void>;
  /** Ends the log. */
  recorded(): Promise<Recorded>;
  /** The model as files; with `key`, the present state is a keyframe of this name. */
  write(name?: string, key?: string): Promise<Record<string, Uint8Array>>;
  snapshot(): Promise<Uint8Array>;
  restore(bytes: Uint8Array): Promise<Frame>;
  hash(): Promise<bigint>;
  frame(): Promise<Frame>;
  /** Sends a message; for a Worker of your own, which has a Session with more messages. */
  ask(type: string, message?: Record<string, unknown>): Promise<unknown>;
  close(): void;
}
