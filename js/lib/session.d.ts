// SPDX-License-Identifier: Apache-2.0
import type { Model, StepReport, World } from './index.js';
import type { Frame } from './remote.js';

/** The inside of a Worker, for Workers of your own: it answers the messages of RemoteWorld. Methods may be overridden. */
export declare class Session {
  constructor(post: (message: unknown) => void, later?: (run: () => void, ms: number) => void);
  world: World | null;
  model: Model | null;
  report: StepReport | null;
  /** Answers one message. */
  receive(message: { id: number; type: string } & Record<string, unknown>): Promise<void>;
  /** Takes one step, with its inputs. */
  stepOnce(): void;
  /** What a picture needs. */
  frame(): Frame;
  on_load(message: Record<string, unknown>): unknown;
  on_reset(message: { key?: string | number }): Frame;
  on_pull(message: Record<string, unknown>): void;
}
