// SPDX-License-Identifier: Apache-2.0
// The surface of a shape: its colour, and the light of its appearance. textures.ts adds patterns and images.
import { Color, DoubleSide, FrontSide, MeshPhongMaterial, SRGBColorSpace } from 'three';
import type { Description } from '../source';
import { shapeType } from './shapes';

export function shapeMaterial(description: Description, shape: number): MeshPhongMaterial {
  const { arrays } = description;
  const [r = 0.5, g = 0.5, b = 0.5, opacity = 1] = arrays.shapeColor.subarray(4 * shape, 4 * shape + 4);
  const look = arrays.shapeAppearance[shape] ?? -1;
  const [emission = 0, specular = 0.4, shininess = 0.4] = look < 0 ? [0, 0.4, 0.4] : arrays.appearanceLight.subarray(4 * look, 4 * look + 4);
  const color = new Color().setRGB(r, g, b, SRGBColorSpace);
  const type = shapeType(description, shape);
  return new MeshPhongMaterial({
    color, opacity, transparent: opacity < 1, depthWrite: opacity > 0.5,
    emissive: color.clone().multiplyScalar(emission),
    specular: new Color().setScalar(type === 'plane' ? 0 : 0.35 * specular), shininess: 1 + 90 * shininess,
    side: type === 'mesh' ? DoubleSide : FrontSide,
  });
}
