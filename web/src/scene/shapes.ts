// SPDX-License-Identifier: Apache-2.0
// The geometry of a shape of the model, in its own frame: z is the axis of capsules, cylinders and planes.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, PlaneGeometry, SphereGeometry } from 'three';
import type { Description } from '../source';

/** HeftShapeType, in its order. */
export const SHAPE_TYPES = ['plane', 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'box', 'mesh', 'heightfield'] as const;

export const ENDLESS = 120; // half side of the square that stands for an endless plane [m]

export function shapeType(description: Description, shape: number): (typeof SHAPE_TYPES)[number] {
  return SHAPE_TYPES[description.arrays.shapeType[shape] ?? 0] ?? 'box';
}

export function shapeGeometry(description: Description, shape: number): BufferGeometry {
  const { arrays } = description;
  const [a = 0, b = 0, c = 0] = arrays.shapeSize.subarray(3 * shape, 3 * shape + 3);
  switch (shapeType(description, shape)) {
    case 'plane': return new PlaneGeometry(2 * (a || ENDLESS), 2 * (b || ENDLESS));
    case 'sphere': return new SphereGeometry(a, 28, 18).rotateX(Math.PI / 2);
    case 'capsule': return new CapsuleGeometry(a, 2 * b, 8, 20, 1).rotateX(Math.PI / 2);
    case 'cylinder': return new CylinderGeometry(a, a, 2 * b, 32).rotateX(Math.PI / 2);
    case 'ellipsoid': return new SphereGeometry(1, 28, 18).rotateX(Math.PI / 2).scale(a, b, c);
    case 'box': return new BoxGeometry(2 * a, 2 * b, 2 * c);
    case 'mesh': return meshGeometry(description, arrays.shapeMesh[shape] ?? -1);
    case 'heightfield': return heightField(description, arrays.shapeHeightField[shape] ?? -1);
  }
}

/** Triangles of a mesh: its faces, or its hull where it has no faces. Edges sharper than CREASE stay sharp. */
function meshGeometry({ arrays }: Description, mesh: number): BufferGeometry {
  const whole = (arrays.meshFaceCount[mesh] ?? 0) > 0;
  const count = (whole ? arrays.meshFaceCount[mesh] : arrays.meshHullCount[mesh]) ?? 0;
  const first = (whole ? arrays.meshFace[mesh] : arrays.meshHull[mesh]) ?? 0;
  const index = (whole ? arrays.faceVertex : arrays.hullVertex).subarray(3 * first, 3 * (first + count));
  const start = 3 * (arrays.meshVertex[mesh] ?? 0);
  const points = arrays.vertexPos.subarray(start, start + 3 * (arrays.meshVertexCount[mesh] ?? 0));
  const geometry = creased(points, index);
  const corner = arrays.meshCorner[mesh] ?? -1;
  if (whole && corner >= 0) {
    geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(arrays.cornerImage.subarray(2 * corner, 2 * (corner + 3 * count))), 2));
  }
  return geometry;
}

const CREASE = Math.cos((40 * Math.PI) / 180);

/** Three corners for each triangle, with the mean normal of the neighbours that are nearly parallel. */
function creased(points: Float64Array, index: Int32Array): BufferGeometry {
  const corners = index.length;
  const position = new Float32Array(3 * corners), normal = new Float32Array(3 * corners), face = new Float64Array(corners);
  const at = (corner: number, k: number): number => points[3 * (index[corner] ?? 0) + k] ?? 0;
  const around: number[][] = [];
  for (let t = 0; t < corners; t += 3) {
    const u = [0, 1, 2].map((k) => at(t + 1, k) - at(t, k)), w = [0, 1, 2].map((k) => at(t + 2, k) - at(t, k));
    face[t] = u[1]! * w[2]! - u[2]! * w[1]!;
    face[t + 1] = u[2]! * w[0]! - u[0]! * w[2]!;
    face[t + 2] = u[0]! * w[1]! - u[1]! * w[0]!; // twice the area times the normal
    for (let j = 0; j < 3; ++j) (around[index[t + j] ?? 0] ??= []).push(t);
  }
  const length = (t: number): number => Math.hypot(face[t]!, face[t + 1]!, face[t + 2]!) || 1;
  for (let i = 0; i < corners; ++i) {
    const t = i - (i % 3), own = length(t);
    let x = 0, y = 0, z = 0;
    for (const o of around[index[i] ?? 0] ?? []) {
      const cosine = (face[t]! * face[o]! + face[t + 1]! * face[o + 1]! + face[t + 2]! * face[o + 2]!) / (own * length(o));
      if (o !== t && cosine < CREASE) continue;
      x += face[o]!;
      y += face[o + 1]!;
      z += face[o + 2]!;
    }
    const size = Math.hypot(x, y, z) || 1;
    normal.set([x / size, y / size, z / size], 3 * i);
    position.set([at(i, 0), at(i, 1), at(i, 2)], 3 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  return geometry;
}

/** The surface of a height field, and its sides down to the thickness below z = 0. */
function heightField({ arrays }: Description, field: number): BufferGeometry {
  const rows = arrays.heightFieldRows[field] ?? 2, columns = arrays.heightFieldColumns[field] ?? 2;
  const [width = 1, depth = 1, , below = 0] = arrays.heightFieldSize.subarray(4 * field, 4 * field + 4);
  const first = arrays.heightFieldHeight[field] ?? 0;
  const points = new Float64Array(3 * (rows * columns + 4));
  const index: number[] = [];
  for (let r = 0; r < rows; ++r) {
    for (let c = 0; c < columns; ++c) {
      const i = r * columns + c;
      points.set([(2 * c * width) / (columns - 1) - width, (2 * r * depth) / (rows - 1) - depth, arrays.height[first + i] ?? 0], 3 * i);
      if (r + 1 < rows && c + 1 < columns) index.push(i, i + 1, i + columns + 1, i, i + columns + 1, i + columns);
    }
  }
  const base = rows * columns;
  [[-width, -depth], [width, -depth], [width, depth], [-width, depth]].forEach(([x, y], k) => points.set([x!, y!, -below], 3 * (base + k)));
  const side = (top: number[], a: number, b: number): void => {
    for (let i = 0; i + 1 < top.length; ++i) index.push(top[i]!, base + a, top[i + 1]!);
    index.push(base + a, base + b, top.at(-1)!);
  };
  const row = (r: number): number[] => Array.from({ length: columns }, (_, c) => r * columns + c);
  const column = (c: number): number[] => Array.from({ length: rows }, (_, r) => r * columns + c);
  side(row(0), 0, 1);
  side(column(columns - 1), 1, 2);
  side(row(rows - 1).reverse(), 2, 3);
  side(column(0).reverse(), 3, 0);
  return creased(points, Int32Array.from(index));
}
