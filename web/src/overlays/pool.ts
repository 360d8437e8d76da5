// SPDX-License-Identifier: Apache-2.0
// Many equal marks in one mesh: begin(), add() for each, end().
import { Color, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, type BufferGeometry } from 'three';

const FIRST = 32;

export class Pool {
  private mesh: InstancedMesh;
  private count = 0;

  constructor(private readonly parent: { add(object: InstancedMesh): void; remove(object: InstancedMesh): void }, private readonly geometry: BufferGeometry, private readonly material: MeshBasicMaterial | MeshLambertMaterial) {
    this.mesh = this.make(FIRST);
  }

  begin(): void {
    this.count = 0;
  }

  add(matrix: Matrix4, color: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count++, color);
  }

  end(): void {
    const { mesh } = this;
    mesh.count = this.count;
    mesh.visible = this.count > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  private make(size: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, size);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.raycast = () => {};
    this.parent.add(mesh);
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * old.instanceMatrix.count);
    const matrix = new Matrix4(), color = new Color();
    for (let i = 0; i < this.count; ++i) {
      old.getMatrixAt(i, matrix);
      old.getColorAt(i, color);
      this.mesh.setMatrixAt(i, matrix);
      this.mesh.setColorAt(i, color);
    }
    this.parent.remove(old);
    old.dispose();
  }
}
