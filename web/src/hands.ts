// SPDX-License-Identifier: Apache-2.0
// What pointers do in the picture, as in the native window: drag a body to pull it, drag the background to turn the
// camera, two fingers move and zoom. Mouse, touch and pen are the same events.
import { Matrix4, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { Vec3 } from 'heft';
import type { App } from './app';
import { treeMass } from './hand';

interface Grab {
  pointer: number;
  body: number;
  at: Vec3;
  target: Vector3;
  plane: Plane;
}

export class Hands {
  grab: Grab | null = null;
  private readonly pointers = new Map<number, Vector2>();
  private readonly caster = new Raycaster();
  private moved = 0;

  constructor(private readonly app: App) {
    const { canvas } = app.stage;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (event) => this.up(event));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      app.stage.orbit.zoom(Math.exp(0.0012 * event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
      app.stage.redraw();
    }, { passive: false });
    canvas.addEventListener('blur', () => delete canvas.dataset.pointer);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /** The body under a place of the picture, and the point. */
  pick(event: { clientX: number; clientY: number }): { body: number; point: Vector3 } | null {
    this.aim(event);
    const [hit] = this.caster.intersectObjects(this.app.stage.meshes().filter((mesh) => mesh.visible), false);
    return hit && hit.object.userData.body > 0 ? { body: hit.object.userData.body as number, point: hit.point } : null;
  }

  private aim(event: { clientX: number; clientY: number }): void {
    const { left, top, width, height } = this.app.stage.canvas.getBoundingClientRect();
    const place = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    this.caster.setFromCamera(place, this.app.stage.orbit.camera);
  }

  private down(event: PointerEvent): void {
    const { app } = this;
    app.stage.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, new Vector2(event.clientX, event.clientY));
    this.moved = 0;
    if (this.pointers.size > 1) return this.letGo(); // two fingers: the camera
    app.stage.canvas.dataset.pointer = ''; // focus by a pointer needs no ring
    app.stage.canvas.focus({ preventScroll: true });
    if (event.button !== 0 || event.shiftKey) return;
    const hit = this.pick(event);
    if (!hit) return;
    const { body, point } = hit;
    if (event.ctrlKey || event.metaKey) return this.tap(body, point);
    app.select(body);
    if (!app.source?.can.has('pull')) return;
    const normal = app.stage.orbit.camera.getWorldDirection(new Vector3());
    this.grab = { pointer: event.pointerId, body, at: this.local(body, point), target: point.clone(), plane: new Plane().setFromNormalAndCoplanarPoint(normal, point) };
    this.pull();
  }

  private move(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const { stage } = this.app;
    const dx = (event.clientX - last.x) / stage.canvas.clientHeight, dy = (event.clientY - last.y) / stage.canvas.clientHeight;
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 2) this.pinch(event, dx, dy);
    else if (this.grab?.pointer === event.pointerId) this.drag(event);
    else if (event.shiftKey || event.buttons & 4) stage.orbit.move(dx, -dy);
    else stage.orbit.turn(3.2 * dx, 3.2 * dy);
    last.set(event.clientX, event.clientY);
    stage.redraw();
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.grab?.pointer === event.pointerId) this.letGo();
    else if (event.button === 0 && this.moved < 0.005) this.app.select(this.pick(event)?.body ?? null);
  }

  private pinch(event: PointerEvent, dx: number, dy: number): void {
    const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const last = this.pointers.get(event.pointerId)!;
    const before = Math.hypot(last.x - other!.x, last.y - other!.y), now = Math.hypot(event.clientX - other!.x, event.clientY - other!.y);
    this.app.stage.orbit.zoom(Math.max(1, before) / Math.max(1, now));
    this.app.stage.orbit.move(dx / 2, -dy / 2);
  }

  private drag(event: PointerEvent): void {
    this.aim(event);
    const { grab } = this;
    if (!grab || !this.caster.ray.intersectPlane(grab.plane, grab.target)) return;
    this.pull();
  }

  private pull(): void {
    const { grab, app } = this;
    if (!grab) return;
    app.source?.pull(grab.body, grab.at, grab.target.toArray() as Vec3).catch((error: Error) => app.fail(error));
  }

  private letGo(): void {
    if (!this.grab) return;
    this.grab = null;
    this.app.source?.letGo().catch((error: Error) => this.app.fail(error));
    this.app.stage.redraw();
  }

  /** A short impulse along the view, scaled by the mass of the body. */
  private tap(body: number, point: Vector3): void {
    const { app } = this;
    if (!app.source?.can.has('push') || !app.description) return;
    const impulse = this.caster.ray.direction.clone().multiplyScalar(1.5 * treeMass(app.description.arrays, body));
    app.source.push(body, point.toArray() as Vec3, impulse.toArray() as Vec3).catch((error: Error) => app.fail(error));
  }

  private local(body: number, point: Vector3): Vec3 {
    return point.clone().applyMatrix4(bodyMatrix(this.app.frame!.bodyPoses, body).invert()).toArray() as Vec3;
  }
}

export function bodyMatrix(poses: Float64Array, body: number): Matrix4 {
  const p = poses.subarray(12 * body, 12 * body + 12);
  return new Matrix4().set(p[3]!, p[4]!, p[5]!, p[0]!, p[6]!, p[7]!, p[8]!, p[1]!, p[9]!, p[10]!, p[11]!, p[2]!, 0, 0, 0, 1);
}
