// SPDX-License-Identifier: Apache-2.0
// Marks of the model: the centre of mass, axes of joints, and names of bodies.
import { Color, Vector3, type PerspectiveCamera } from 'three';
import { bodyMatrix } from '../hands';
import type { Description, Frame } from '../source';
import type { Scale } from './contact-marks';
import type { Pens } from './pens';

const MASS = new Color(0xb04ad8), JOINT = new Color(0x3a9bff), PULL = new Color(0xe0a800);

/** The common centre of mass of all that moves, and its place on the floor. */
export function drawMass(pens: Pens, { arrays }: Description, frame: Frame, { thick }: Scale): void {
  const center = new Vector3();
  let total = 0;
  for (let body = 1; body < arrays.bodyMass.length; ++body) {
    const mass = arrays.bodyMass[body] ?? 0;
    const at = new Vector3().fromArray(arrays.bodyCom, 3 * body).applyMatrix4(bodyMatrix(frame.bodyPoses, body));
    center.addScaledVector(at, mass);
    total += mass;
  }
  if (!total) return;
  center.divideScalar(total);
  pens.dot(center, 3 * thick, MASS);
  pens.rod(center, new Vector3(center.x, center.y, 0), 0.4 * thick, MASS);
}

export function drawJoints(pens: Pens, { arrays, sizes }: Description, frame: Frame, { thick }: Scale): void {
  for (let joint = 0; joint < sizes.njoint; ++joint) {
    const body = arrays.jointBody[joint] ?? 0;
    const axis = new Vector3().fromArray(arrays.jointAxis, 3 * joint);
    if (axis.lengthSq() < 0.5) continue; // free and ball joints
    const matrix = bodyMatrix(frame.bodyPoses, body);
    const at = new Vector3().fromArray(arrays.jointPos, 3 * joint).applyMatrix4(matrix);
    axis.transformDirection(matrix);
    pens.arrow(at.clone().addScaledVector(axis, -8 * thick), axis.multiplyScalar(16 * thick), 0.8 * thick, JOINT);
  }
}

/** The hand of the user: from the held point to the target. */
export function drawPull(pens: Pens, frame: Frame, { thick }: Scale): void {
  if (!frame.pulled) return;
  const from = new Vector3(...frame.pulled.at).applyMatrix4(bodyMatrix(frame.bodyPoses, frame.pulled.body));
  pens.dot(from, 1.6 * thick, PULL);
  pens.arrow(from, new Vector3(...frame.pulled.target).sub(from), 0.8 * thick, PULL);
}

/** Names of bodies as text over the picture. */
export class Names {
  private labels: HTMLElement[] = [];

  constructor(private readonly over: HTMLElement) {}

  draw(description: Description | null, frame: Frame | null, camera: PerspectiveCamera, width: number, height: number): void {
    const names = description && frame ? description.names.body : [];
    while (this.labels.length > names.length) this.labels.pop()!.remove();
    names.forEach((name, body) => {
      let label = this.labels[body];
      if (!label) {
        label = document.createElement('span');
        label.className = 'name';
        this.over.append(label);
        this.labels[body] = label;
      }
      const at = new Vector3().setFromMatrixPosition(bodyMatrix(frame!.bodyPoses, body)).project(camera);
      label.textContent = name;
      label.hidden = body === 0 || !name || Math.abs(at.z) > 1;
      label.style.transform = `translate(${((at.x + 1) / 2) * width}px, ${((1 - at.y) / 2) * height}px) translate(-50%, -50%)`;
    });
  }
}
