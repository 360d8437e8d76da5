// SPDX-License-Identifier: Apache-2.0
// Contacts of the last step: points, force arrows, friction cones, and the pressure under each body that stands. An arrow
// is as long as the force is large against the weight of the model; the cone ends at the height of the normal force, so
// that the tip of the arrow is inside its rim while the contact sticks, and on it while it slips.
import { Color, Vector3 } from 'three';
import type { Contact } from 'heft';
import type { Description, Frame } from '../source';
import type { Pens } from './pens';

const STICKS = new Color(0x1faa4b), SLIPS = new Color(0xff8a1f), OPEN = new Color(0x8a94a3), POINT = new Color(0xd8322a), PRESSURE = new Color(0x2a7fff);

/** The coefficient of two shapes: that of their pair, of the one with the higher priority, or the larger one. */
export function friction({ arrays }: Description, a: number, b: number): number {
  const of = (material: number | undefined): number => arrays.materialFriction[material ?? 0] ?? 0;
  for (let p = 0; p < arrays.pairMaterial.length; ++p) {
    const x = arrays.pairShape[2 * p], y = arrays.pairShape[2 * p + 1];
    if ((x === a && y === b) || (x === b && y === a)) return of(arrays.pairMaterial[p]);
  }
  const first = arrays.shapePriority[a] ?? 0, second = arrays.shapePriority[b] ?? 0;
  const values = [of(arrays.shapeMaterial[a]), of(arrays.shapeMaterial[b])] as const;
  return first === second ? Math.max(...values) : values[first > second ? 0 : 1];
}

/** Direction and size of marks: metres of arrow for a newton, and the thickness of lines. */
export interface Scale {
  newton: number;
  thick: number;
  /** Coefficients are those of the model times this, after a change. */
  friction: number;
}

const stateColor = (contact: Contact): Color => (contact.state === 'sticking' ? STICKS : contact.state === 'slipping' ? SLIPS : OPEN);

/** The force on the body that moves; on the second where both do. */
function onBody(contact: Contact): { force: Vector3; normal: Vector3; body: number } {
  const sign = contact.bodyB === 0 ? -1 : 1;
  return {
    force: new Vector3(...contact.force).multiplyScalar(sign), normal: new Vector3(...contact.normal).multiplyScalar(sign),
    body: contact.bodyB === 0 ? contact.bodyA : contact.bodyB,
  };
}

export function drawPoints(pens: Pens, frame: Frame, { thick }: Scale): void {
  for (const contact of frame.contacts) pens.dot(new Vector3(...contact.pos), 1.5 * thick, contact.state === 'open' ? OPEN : POINT);
}

export function drawForces(pens: Pens, frame: Frame, { newton, thick }: Scale): void {
  for (const contact of frame.contacts) pens.arrow(new Vector3(...contact.pos), onBody(contact).force.multiplyScalar(newton), thick, stateColor(contact));
}

export function drawCones(pens: Pens, description: Description, frame: Frame, { newton, friction: factor }: Scale): void {
  for (const contact of frame.contacts) {
    const { force, normal } = onBody(contact);
    const height = force.dot(normal) * newton;
    if (height < 1e-6) continue;
    const mu = factor * friction(description, contact.shapeA, contact.shapeB);
    pens.cone(new Vector3(...contact.pos), normal, height, mu * height, stateColor(contact));
  }
}

/** The centre of pressure and the support polygon of each body that stands on something fixed. */
export function drawPressure(pens: Pens, frame: Frame, { thick }: Scale): void {
  const standing = new Map<number, { point: Vector3; load: number }[]>();
  for (const contact of frame.contacts) {
    if (contact.bodyA !== 0 && contact.bodyB !== 0) continue;
    const { force, normal, body } = onBody(contact);
    const load = force.dot(normal);
    if (load <= 0 || normal.z < 0.5) continue;
    const list = standing.get(body) ?? [];
    list.push({ point: new Vector3(...contact.pos), load });
    standing.set(body, list);
  }
  for (const list of standing.values()) {
    const total = list.reduce((sum, { load }) => sum + load, 0);
    const center = list.reduce((sum, { point, load }) => sum.addScaledVector(point, load / total), new Vector3());
    const rim = hull(list.map(({ point }) => point));
    rim.forEach((point, i) => pens.rod(point, rim[(i + 1) % rim.length]!, 0.5 * thick, PRESSURE));
    pens.dot(center, 2.4 * thick, PRESSURE);
  }
}

/** The convex hull, seen from above (Andrew's monotone chain). */
function hull(points: Vector3[]): Vector3[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: Vector3[]): Vector3[] => {
    const out: Vector3[] = [];
    for (const p of list) {
      while (out.length > 1 && (out.at(-1)!.x - out.at(-2)!.x) * (p.y - out.at(-2)!.y) <= (out.at(-1)!.y - out.at(-2)!.y) * (p.x - out.at(-2)!.x)) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}
