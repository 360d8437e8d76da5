// SPDX-License-Identifier: Apache-2.0
// A camera that turns around a point, z up. Angles in radians; the picture asks place() before it is drawn.
import { PerspectiveCamera, Vector3, type Vector2 } from 'three';

export class OrbitCamera {
  readonly camera = new PerspectiveCamera(38, 1, 0.02, 400);
  readonly target = new Vector3(0, 0, 0.8);
  azimuth = -0.9;
  elevation = 0.24;
  distance = 4;

  constructor() {
    this.camera.up.set(0, 0, 1);
  }

  turn(right: number, up: number): void {
    this.azimuth -= right;
    this.elevation = Math.min(1.5, Math.max(-0.3, this.elevation + up));
  }

  /** Moves the target in the plane of the picture; 1 is the height of the picture. */
  move(right: number, up: number): void {
    const height = 2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const x = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(x, -right * height).addScaledVector(y, -up * height);
  }

  zoom(factor: number): void {
    this.distance = Math.min(150, Math.max(0.05, this.distance * factor));
  }

  /** Shows something upright of a half width and height. */
  fit(center: Vector3, half: Vector2, aspect: number): void {
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    this.target.copy(center);
    this.distance = Math.min(150, half.x + Math.max((1.12 * half.y) / slope, (1.1 * half.x) / (slope * aspect)));
  }

  place(aspect: number): void {
    const { camera, target, azimuth, elevation, distance } = this;
    camera.aspect = aspect;
    camera.near = Math.max(0.01, distance / 60);
    camera.far = distance + 200;
    camera.position.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation)).multiplyScalar(distance).add(target);
    if (camera.position.z < 0.02) camera.position.z = 0.02; // not below the floor
    camera.lookAt(target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}
