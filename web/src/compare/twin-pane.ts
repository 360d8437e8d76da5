// SPDX-License-Identifier: Apache-2.0
// The picture of the other engine: the model as Heft describes it, at the poses that the other engine computes. A hand in it pulls both
// worlds.
import type { App } from '../app';
import { show, type Look } from '../element/live-world';
import { Hands } from '../hands';
import { Stage } from '../scene/stage';
import type { Description, Source } from '../source';
import type { MujocoTwin } from './mujoco-twin';

export class TwinPane {
  private readonly stage: Stage;
  // What Hands needs of an App.
  private readonly host: { stage: Stage; source: Source | null; description: Description; frame: { bodyPoses: Float64Array }; select(): void; fail(error: Error): void };

  constructor(canvas: HTMLCanvasElement, description: Description, look: Look, dark: boolean, fail: (error: Error) => void) {
    this.stage = new Stage(canvas);
    this.stage.dark(dark);
    show(this.stage, description, look);
    this.host = { stage: this.stage, source: null, description, frame: description.frame, select: () => {}, fail };
    new Hands(this.host as unknown as App);
  }

  /** Shows where the other world is; hands pull by this source. Returns the poses of the bodies. */
  pose(twin: MujocoTwin, source: Source): Float64Array {
    const { bodyPoses, shapePoses } = twin.poses();
    Object.assign(this.host, { source, frame: { bodyPoses } });
    this.stage.pose({ shapePoses });
    return bodyPoses;
  }

  dark(dark: boolean): void {
    this.stage.dark(dark);
  }

  close(): void {
    this.stage.renderer.dispose();
    this.stage.renderer.forceContextLoss();
  }
}
