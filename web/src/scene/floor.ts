// SPDX-License-Identifier: Apache-2.0
// The pattern of planes that have no texture of their own: slabs of one metre in two greys, with light joints.
import { CanvasTexture, RepeatWrapping, SRGBColorSpace, type Texture } from 'three';

const SIDE = 512; // [pixels] of two slabs

export function floorTexture(halfWidth: number, halfDepth: number): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = '#e3e7ee';
  pen.fillRect(0, 0, SIDE / 2, SIDE / 2);
  pen.fillRect(SIDE / 2, SIDE / 2, SIDE / 2, SIDE / 2);
  pen.strokeStyle = '#c3cad6';
  pen.lineWidth = 3;
  pen.strokeRect(0, 0, SIDE / 2, SIDE / 2);
  pen.strokeRect(SIDE / 2, SIDE / 2, SIDE / 2, SIDE / 2);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(halfWidth, halfDepth); // one texture for two metres
  texture.offset.set(-(halfWidth % 1) / 2, -(halfDepth % 1) / 2);
  texture.anisotropy = 8;
  return texture;
}
