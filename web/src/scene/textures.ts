// SPDX-License-Identifier: Apache-2.0
// Textures of appearances: generated ones (checker, gradient, flat, with a mark) are painted, images are decoded from PNG.
// MJCF maps a 2D texture onto the x-y plane of a shape, and onto meshes by their texture coordinates; a cube texture onto
// the six sides, here by the largest component of the normal. `repeat` counts per metre where the appearance is uniform.
import { BufferAttribute, CanvasTexture, MirroredRepeatWrapping, RepeatWrapping, SRGBColorSpace, type BufferGeometry, type Texture } from 'three';
import type { Description } from '../source';
import { ENDLESS, shapeType } from './shapes';

const SIDE = 256; // of generated textures [pixels]
const enum Source { File, Gradient, Checker, Flat }
const enum Mark { None, Edge, Cross, Random }

/** The texture of a shape, or null. Images arrive later: changed() is called then. */
export function shapeTexture(description: Description, shape: number, changed: () => void): Texture | null {
  const { arrays } = description;
  const look = arrays.shapeAppearance[shape] ?? -1;
  const index = look < 0 ? -1 : arrays.appearanceTexture[look] ?? -1;
  if (index < 0) return null;
  const canvas = paint(description, index);
  if (!canvas) return null;
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = arrays.textureSource[index] === Source.Gradient ? MirroredRepeatWrapping : RepeatWrapping;
  texture.anisotropy = 8;
  const image = description.images[index];
  if (image && arrays.textureSource[index] === Source.File) void decode(image, canvas).then(() => {
    texture.dispose(); // its size changed
    texture.needsUpdate = true;
    changed();
  }).catch(() => changed());
  return texture;
}

/** How often the texture repeats over one metre of a plane, or over a whole shape. */
export function setCoordinates(description: Description, shape: number, geometry: BufferGeometry): void {
  const { arrays } = description;
  const look = arrays.shapeAppearance[shape] ?? -1;
  const type = shapeType(description, shape);
  const placed = type === 'mesh' && geometry.getAttribute('uv') !== undefined;
  if (look < 0 || placed) return;
  const [a = 0, b = 0] = arrays.shapeSize.subarray(3 * shape, 3 * shape + 2);
  const half = type === 'plane' ? [a || ENDLESS, b || ENDLESS] : [a || 1, (type === 'box' || type === 'ellipsoid' ? b : a) || 1];
  const uniform = (arrays.appearanceUniform[look] ?? 0) !== 0 || (type === 'plane' && !(a && b));
  const repeat = [0, 1].map((k) => (arrays.appearanceRepeat[2 * look + k] ?? 1) / (uniform ? 1 : 2 * half[k]!));
  const cube = (arrays.textureType[arrays.appearanceTexture[look] ?? 0] ?? 0) !== 0;
  const position = geometry.getAttribute('position'), normal = geometry.getAttribute('normal');
  const uv = new Float32Array(2 * position.count);
  for (let i = 0; i < position.count; ++i) {
    const p = [position.getX(i), position.getY(i), position.getZ(i)] as const;
    const n = [Math.abs(normal.getX(i)), Math.abs(normal.getY(i)), Math.abs(normal.getZ(i))] as const;
    const [u, v] = cube && n[0] > n[1] && n[0] > n[2] ? [1, 2] as const : cube && n[1] > n[2] ? [0, 2] as const : [0, 1] as const;
    uv[2 * i] = 0.5 + p[u] * repeat[0]!;
    uv[2 * i + 1] = 0.5 + p[v] * repeat[1]!;
  }
  geometry.setAttribute('uv', new BufferAttribute(uv, 2));
}

const css = (color: ArrayLike<number>): string => `rgb(${Array.from(color, (c) => Math.round(255 * c)).join(' ')})`;

/** A generated texture, or a canvas that waits for an image; null if there is none. */
function paint({ arrays, images }: Description, index: number): HTMLCanvasElement | null {
  const source = arrays.textureSource[index] ?? Source.File;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = source === Source.File ? 1 : SIDE;
  const pen = canvas.getContext('2d')!;
  if (source === Source.File) {
    if (!images[index]) return null;
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, 1, 1);
    return canvas;
  }
  const of = (list: Float64Array): string => css(list.subarray(3 * index, 3 * index + 3));
  const first = of(arrays.textureColor), second = of(arrays.textureColor2);
  pen.fillStyle = first;
  if (source === Source.Gradient) {
    const fade = pen.createLinearGradient(0, SIDE, 0, 0);
    fade.addColorStop(0, second);
    fade.addColorStop(1, first);
    pen.fillStyle = fade;
  }
  pen.fillRect(0, 0, SIDE, SIDE);
  if (source === Source.Checker) {
    pen.fillStyle = second;
    pen.fillRect(0, 0, SIDE / 2, SIDE / 2);
    pen.fillRect(SIDE / 2, SIDE / 2, SIDE / 2, SIDE / 2);
  }
  const mark = arrays.textureMark[index] ?? Mark.None;
  pen.strokeStyle = pen.fillStyle = of(arrays.textureMarkColor);
  pen.lineWidth = SIDE / 64;
  if (mark === Mark.Edge) pen.strokeRect(0, 0, SIDE, SIDE);
  if (mark === Mark.Cross) {
    pen.fillRect(SIDE / 2 - 2, 0, 4, SIDE);
    pen.fillRect(0, SIDE / 2 - 2, SIDE, 4);
  }
  if (mark === Mark.Random) for (let i = 0; i < 160; ++i) pen.fillRect((i * 7919) % SIDE, (i * 104729) % SIDE, 2, 2);
  return canvas;
}

async function decode(bytes: Uint8Array, canvas: HTMLCanvasElement): Promise<void> {
  const picture = await createImageBitmap(new Blob([bytes as BlobPart], { type: 'image/png' }));
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')!.drawImage(picture, 0, 0);
  picture.close();
}
