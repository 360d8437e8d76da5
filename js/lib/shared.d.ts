// SPDX-License-Identifier: Apache-2.0
import type { Heft, Vec3, World } from './index.js';

/** The hand of a user, in the world. */
export interface UserHand {
  pos: Vec3;
  rot?: [number, number, number, number];
  vel?: Vec3;
  spin?: Vec3;
  /** Bits of those that are pressed; the first one holds what the hand touches. */
  buttons?: number;
}

/** A copy of a world that `heft serve --shared` shares. */
export declare class SharedWorld {
  /** The world in its present, which is computed again when inputs of others come. */
  readonly world: World;
  readonly timeStep: number;
  /** Steps that were taken, and of these, steps whose inputs are final. */
  readonly present: number;
  readonly confirmed: number;
  /** Corrections, and their deepest one [steps]. */
  readonly corrections: number;
  readonly deepest: number;
  /** Poses of all bodies as World.bodyPoses has them, without the jumps of corrections. */
  readonly bodyPoses: Float64Array;
  /** Force on the hand of the user here [N]. */
  readonly force: Vec3;
}

export interface Joined {
  shared: SharedWorld;
  /** Hashes that were compared with the server, and those that differed. */
  stats: { compared: number; different: number; error?: Error };
  close(): void;
}

export interface JoinOptions {
  token: string;
  /** Called before each step; null: no hand. */
  hand: (time: number, world: World) => UserHand | null;
  /** Called after each correction. */
  onframe?: (shared: SharedWorld) => void;
  WebSocket?: unknown;
  /** Least time between corrections [ms]. */
  every?: number;
}

/** Joins the shared world of a server. */
export declare function join(heft: Heft, address: string, options: JoinOptions): Promise<Joined>;
