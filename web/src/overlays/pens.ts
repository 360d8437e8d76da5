// SPDX-License-Identifier: Apache-2.0
// Arrows, points, cones and rods in the picture, each kind in one mesh.
import { Color, ConeGeometry, CylinderGeometry, DoubleSide, MeshBasicMaterial, MeshLambertMaterial, Matrix4, Quaternion, SphereGeometry, Vector3, type Group } from 'three';
import { Pool } from './pool';

const UP = new Vector3(0, 0, 1);

/** A matrix that takes the z axis to a direction, and scales across and along it. */
function placed(at: Vector3, direction: Vector3, across: number, along: number): Matrix4 {
  return new Matrix4().compose(at, new Quaternion().setFromUnitVectors(UP, direction), new Vector3(across, across, along));
}

export class Pens {
  private readonly shafts: Pool;
  private readonly heads: Pool;
  private readonly dots: Pool;
  private readonly cones: Pool;

  constructor(group: Group) {
    const solid = new MeshLambertMaterial({ emissive: 0x333333 });
    this.shafts = new Pool(group, new CylinderGeometry(1, 1, 1, 7, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), solid);
    this.heads = new Pool(group, new ConeGeometry(1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5), solid);
    this.dots = new Pool(group, new SphereGeometry(1, 8, 5), solid);
    const glass = new MeshBasicMaterial({ transparent: true, opacity: 0.24, side: DoubleSide, depthWrite: false });
    this.cones = new Pool(group, new ConeGeometry(1, 1, 24, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5), glass);
  }

  begin(): void {
    for (const pool of [this.shafts, this.heads, this.dots, this.cones]) pool.begin();
  }

  end(): void {
    for (const pool of [this.shafts, this.heads, this.dots, this.cones]) pool.end();
  }

  /** An arrow from a point; thick: radius of its shaft [m]. */
  arrow(from: Vector3, vector: Vector3, thick: number, color: Color): void {
    const length = vector.length();
    if (length < 1e-9) return;
    const direction = vector.clone().divideScalar(length);
    const head = Math.min(0.5 * length, 5 * thick);
    this.shafts.add(placed(from, direction, thick, length - head), color);
    this.heads.add(placed(from.clone().addScaledVector(direction, length - head), direction, Math.min(2.3 * thick, 0.5 * head), head), color);
  }

  rod(from: Vector3, to: Vector3, thick: number, color: Color): void {
    const vector = to.clone().sub(from), length = vector.length();
    if (length > 1e-9) this.shafts.add(placed(from, vector.divideScalar(length), thick, length), color);
  }

  dot(at: Vector3, radius: number, color: Color): void {
    this.dots.add(new Matrix4().makeScale(radius, radius, radius).setPosition(at), color);
  }

  /** A cone with its tip at a point, open at the height; radius is that of its rim. */
  cone(tip: Vector3, direction: Vector3, height: number, radius: number, color: Color): void {
    this.cones.add(placed(tip, direction, radius, height), color);
  }
}
