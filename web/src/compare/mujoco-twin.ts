// SPDX-License-Identifier: Apache-2.0
// The same file in MuJoCo (npm package @mujoco/mujoco, WebAssembly), which follows the time, the pulls and the friction of Heft's world. It
// is fetched when somebody starts the comparison. A page that was built without the package says so.
import type { Vec3 } from 'heft';
import { spring, treeMass } from '../hand';
import type { Description, Frame } from '../source';

const SHARE = 0.5; // of the time between two pictures, for steps
const LONGEST = 50; // [ms]

// What is used of the package.
interface MjModel {
  opt: { timestep: number; cone: number; impratio: number; noslip_iterations: number };
  geom_friction: Float64Array;
  body_rootid: Int32Array;
  delete(): void;
}
interface MjData {
  time: number;
  xpos: Float64Array;
  xmat: Float64Array;
  xipos: Float64Array;
  geom_xpos: Float64Array;
  geom_xmat: Float64Array;
  cvel: Float64Array;
  subtree_com: Float64Array;
  xfrc_applied: Float64Array;
  delete(): void;
}
interface Mujoco {
  MjModel: { from_xml_string(text: string): MjModel };
  MjData: new (model: MjModel) => MjData;
  mjtObj: Record<'mjOBJ_BODY' | 'mjOBJ_GEOM', { value: number }>;
  mj_versionString(): string;
  mj_name2id(model: MjModel, kind: number, name: string): number;
  mj_forward(model: MjModel, data: MjData): void;
  mj_step(model: MjModel, data: MjData): void;
  mj_resetData(model: MjModel, data: MjData): void;
}
type Package = { default(): Promise<Mujoco> };

// A glob finds nothing where the package is not installed, and the page is built all the same.
const packages = import.meta.glob<Package>('../../node_modules/@mujoco/mujoco/mujoco.js');

/** MuJoCo's own remedies against creep, by name. */
export const SETTINGS: Record<string, { cone: number; impratio: number; noslip_iterations: number }> = {
  'its defaults': { cone: 0, impratio: 1, noslip_iterations: 0 },
  'elliptic cones': { cone: 1, impratio: 1, noslip_iterations: 0 },
  'elliptic cones, impratio 10': { cone: 1, impratio: 10, noslip_iterations: 0 },
  'the same with 10 noslip iterations': { cone: 1, impratio: 10, noslip_iterations: 10 },
};

export class MujocoTwin {
  readonly version: string;
  private readonly model: MjModel;
  private readonly data: MjData;
  private readonly bodies: number[];
  private readonly geoms: number[];
  private followed = performance.now();

  private constructor(private readonly mujoco: Mujoco, text: string, private readonly description: Description) {
    this.version = mujoco.mj_versionString();
    this.model = mujoco.MjModel.from_xml_string(text);
    this.data = new mujoco.MjData(this.model);
    const ids = (names: string[], kind: number): number[] => names.map((name) => (name ? mujoco.mj_name2id(this.model, kind, name) : -1));
    this.bodies = ids(description.names.body, mujoco.mjtObj.mjOBJ_BODY.value).map((id, b) => (b === 0 ? 0 : id));
    this.geoms = ids(description.names.shape, mujoco.mjtObj.mjOBJ_GEOM.value);
    this.reset();
  }

  static async load(text: string, description: Description): Promise<MujocoTwin> {
    const [fetchPackage] = Object.values(packages);
    if (!fetchPackage) throw new Error('this page was built without MuJoCo (npm package @mujoco/mujoco)');
    return new MujocoTwin(await (await fetchPackage()).default(), text, description);
  }

  get time(): number {
    return this.data.time;
  }

  reset(): void {
    this.mujoco.mj_resetData(this.model, this.data);
    this.mujoco.mj_forward(this.model, this.data);
  }

  setFriction(value: number): void {
    const { geom_friction } = this.model;
    for (let i = 0; i < geom_friction.length; i += 3) geom_friction[i] = value;
  }

  configure(name: string): void {
    Object.assign(this.model.opt, SETTINGS[name]);
  }

  /** Steps to a time, with the spring of the hand; a slow machine stays behind. */
  follow(time: number, pulled: Frame['pulled']): void {
    const now = performance.now();
    const end = now + SHARE * Math.min(2 * LONGEST, now - this.followed);
    this.followed = now;
    if (time < this.time) this.reset();
    while (this.time + 0.5 * this.model.opt.timestep < time && performance.now() < end) {
      this.data.xfrc_applied.fill(0);
      if (pulled) this.pull(pulled.body, pulled.at, pulled.target);
      this.mujoco.mj_step(this.model, this.data);
    }
  }

  /** Positions and rotation matrices, rows of 12, in the order of Heft's bodies and shapes. */
  poses(): { bodyPoses: Float64Array; shapePoses: Float64Array } {
    const { data } = this;
    return { bodyPoses: rows(this.bodies, data.xpos, data.xmat), shapePoses: rows(this.geoms, data.geom_xpos, data.geom_xmat) };
  }

  close(): void {
    this.data.delete();
    this.model.delete();
  }

  // The force of a damped spring at a point, as Heft's hand, and its moment about the centre of mass.
  private pull(body: number, at: readonly number[], target: readonly number[]): void {
    const { data, model } = this;
    const id = this.bodies[body] ?? -1;
    if (id <= 0) return;
    const { stiffness, damping, forceMax } = spring(treeMass(this.description.arrays, body));
    const rot = data.xmat.subarray(9 * id, 9 * id + 9), root = model.body_rootid[id]!;
    const three = (from: Float64Array, i: number): Vec3 => [from[i]!, from[i + 1]!, from[i + 2]!];
    const point = three(data.xpos, 3 * id).map((x, k) => x + rot[3 * k]! * at[0]! + rot[3 * k + 1]! * at[1]! + rot[3 * k + 2]! * at[2]!) as Vec3;
    const turn = cross(three(data.cvel, 6 * id), minus(point, three(data.subtree_com, 3 * root)));
    const force = point.map((x, k) => stiffness * (target[k]! - x) - damping * (data.cvel[6 * id + 3 + k]! + turn[k]!)) as Vec3;
    const share = Math.min(1, forceMax / Math.max(1e-9, Math.hypot(...force)));
    const applied = force.map((f) => share * f) as Vec3;
    data.xfrc_applied.set([...applied, ...cross(minus(point, three(data.xipos, 3 * id)), applied)], 6 * id);
  }
}

function rows(ids: number[], positions: Float64Array, matrices: Float64Array): Float64Array {
  const out = new Float64Array(12 * ids.length);
  ids.forEach((id, i) => {
    if (id < 0) return;
    out.set(positions.subarray(3 * id, 3 * id + 3), 12 * i);
    out.set(matrices.subarray(9 * id, 9 * id + 9), 12 * i + 3);
  });
  return out;
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
