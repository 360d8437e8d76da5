// SPDX-License-Identifier: Apache-2.0
// What is behind an element while it is in sight: the picture, the Worker, and the hands that pull. It is fetched when the
// first element of a page comes into sight.
import type { LoadOptions, WorldOptions } from 'heft';
import type { App } from '../app';
import { Hands } from '../hands';
import { Follow, robotOf } from '../scene/follow';
import { Stage } from '../scene/stage';
import type { Description, Frame, Opening } from '../source';
import { WorkerSource } from '../worker-source';
import { fetchModel } from './fetch-model';

/** How the camera looks at a world. */
export interface Look {
  /** How much more than the bodies at the start is seen. */
  zoom: number;
  /** Where the camera stands: 0 along x, 90 along y [degrees]. */
  azimuth?: number;
  /** What is up in the picture; z if it is left out. */
  up?: number[];
}

export interface LiveSettings extends Look {
  /** An address, or the text of a model. */
  src?: string;
  text?: string;
  main?: string;
  key?: string;
  load?: LoadOptions;
  world?: WorldOptions;
  /** The script of another Worker. */
  worker?: URL | string;
  /** Called with the loaded world before it starts. */
  prepare?(source: WorkerSource): Promise<void>;
  dark: boolean;
  /** A body that the camera goes with, by name or number; a robot by default. */
  follow?: string;
  /** What the robot does: 'walk'. */
  act?: string;
}

export interface LiveEvents {
  described(description: Description): void;
  frame(frame: Frame): void;
  state(playing: boolean): void;
  failed(error: Error): void;
}

function bodyIndex({ names }: Description, name: string): number {
  const index = names.body.includes(name) ? names.body.indexOf(name) : Number(name);
  if (!Number.isInteger(index) || index < 0 || index >= names.body.length) throw new Error(`there is no body '${name}' to follow; these exist: ${names.body.join(', ')}`);
  return index;
}

function upVector(numbers: number[]): [number, number, number] {
  if (numbers.length !== 3 || !numbers.every(Number.isFinite) || numbers.every((x) => x === 0)) throw new Error('up: expected three numbers, as "0 0 1"');
  return numbers as [number, number, number];
}

/** Shows a model as this look asks for. */
export function show(stage: Stage, description: Description, { zoom, azimuth, up }: Look): void {
  stage.describe(description);
  frameFloor(stage);
  stage.orbit.zoom(zoom);
  if (azimuth !== undefined) stage.orbit.azimuth = (azimuth * Math.PI) / 180;
  if (up) stage.orbit.camera.up.set(...upVector(up)).normalize();
}

/** What falls shall be seen down to the floor. */
function frameFloor(stage: Stage): void {
  const { center, radius } = stage.ball;
  const top = center.z + radius;
  if (center.z - radius <= 0 || !stage.meshes().some((mesh) => mesh.userData.plane)) return;
  center.z = top / 2;
  stage.ball.radius = Math.max(radius, (1.1 * top) / 2);
  stage.home();
}

export class LiveWorld {
  private constructor(readonly source: WorkerSource, readonly stage: Stage, private readonly key: number | undefined) {}

  static async create(canvas: HTMLCanvasElement, settings: LiveSettings, events: LiveEvents): Promise<LiveWorld> {
    const opening: Opening = settings.src !== undefined ? await fetchModel(settings.src, settings.main)
      : { title: 'model.xml', files: { 'model.xml': settings.text ?? '' }, main: 'model.xml' };
    const source = await WorkerSource.start({ worker: settings.worker });
    let stage: Stage | null = null;
    try {
      stage = new Stage(canvas);
      stage.dark(settings.dark);
      const shown = stage;
      const follow = new Follow(stage);
      // What Hands needs of an App.
      const host = { stage, source, description: null as Description | null, frame: null as Frame | null, select: () => {}, fail: events.failed };
      source.listen({
        described: (description) => {
          host.description = description;
          host.frame = description.frame;
          show(shown, description, settings);
          const named = settings.follow !== undefined;
          follow.begin(named ? bodyIndex(description, settings.follow!) : robotOf(description), description.frame, !named);
          events.described(description);
        },
        frame: (frame) => {
          host.frame = frame;
          follow.see(frame);
          shown.pose(frame);
          events.frame(frame);
        },
        state: ({ playing }) => {
          shown.run(playing);
          events.state(playing);
        },
        failed: events.failed,
      });
      await source.open({ ...opening, options: { ...opening.options, ...settings.load }, world: settings.world, act: settings.act });
      new Hands(host as unknown as App);
      const names = host.description!.names.key;
      const key = settings.key === undefined ? undefined : names.indexOf(settings.key);
      if (key === -1) throw new Error(`there is no keyframe '${settings.key}'; these exist: ${names.join(', ')}`);
      await settings.prepare?.(source);
      if (key !== undefined) await source.reset(key);
      return new LiveWorld(source, stage, key);
    } catch (error) {
      source.close();
      stage?.renderer.dispose();
      throw error;
    }
  }

  async reset(): Promise<void> {
    await this.source.reset(this.key);
  }

  /** The present picture as an address of an image. */
  picture(): string {
    const { renderer, scene, orbit, canvas } = this.stage;
    renderer.render(scene, orbit.camera);
    return canvas.toDataURL('image/jpeg', 0.8);
  }

  close(): void {
    this.source.close();
    this.stage.renderer.dispose();
    this.stage.renderer.forceContextLoss();
  }
}
