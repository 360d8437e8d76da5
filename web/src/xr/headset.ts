// SPDX-License-Identifier: Apache-2.0
// The world in a headset, at its true size: a metre is a metre. Trigger or grip pulls what the ray of a controller meets, or
// a body that is near the hand; the thumbstick moves the user.
//
// A headset has y up and looks along -z from where the session began; Heft has z up. So the camera and the controllers are
// children of a rig that is turned by 90 degrees about x, and about z towards the world.
import { BufferGeometry, DoubleSide, Group, Line, LineBasicMaterial, Matrix4, Mesh, MeshBasicMaterial, Raycaster, SphereGeometry, Vector3, type Material, type Object3D, type XRTargetRaySpace } from 'three';
import type { Vec3 } from 'heft';
import type { App } from '../app';
import { bodyMatrix } from '../hands';

const NEAR = 0.15; // a hand grabs what is this near, whatever the ray meets [m]
const FAR = 12; // length of a ray [m]
const WALK = 1.5; // speed of the thumbstick [m/s]
const JOINTS = ['wrist', 'middle-finger-phalanx-proximal', 'index-finger-phalanx-proximal'] as const;
const AROUND = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, -1]] as const;

interface Grab {
  hand: XRTargetRaySpace;
  body: number;
  /** In the frame of the body. */
  at: Vec3;
  /** Where the hand holds it, in the frame of the hand. */
  held: Vector3;
}

class Headset {
  private readonly rig = new Group();
  private readonly hands: XRTargetRaySpace[] = [];
  private readonly sources = new Map<XRTargetRaySpace, XRInputSource>();
  private readonly caster = new Raycaster();
  private readonly cord = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), new LineBasicMaterial({ color: 0xff7a1a }));
  private readonly before: (() => void)[] = []; // what the end of the session restores
  private grab: Grab | null = null;
  private last = 0;

  constructor(private readonly app: App, private readonly session: XRSession, private readonly mode: XRSessionMode) {}

  async begin(): Promise<void> {
    const { app, session, rig } = this;
    const { renderer, scene, orbit } = app.stage;
    this.stand();
    scene.add(rig, this.cord);
    rig.add(orbit.camera);
    this.cord.visible = false;
    this.cord.frustumCulled = false;
    if (this.mode === 'immersive-ar') this.clearRoom();
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType('local-floor');
    session.addEventListener('end', () => this.end());
    for (const index of [0, 1]) this.addHand(index);
    renderer.setAnimationLoop((time) => this.draw(time));
    await renderer.xr.setSession(session);
    app.actions.changed();
  }

  // In front of what moves, on the side of the camera, on the floor.
  private stand(): void {
    const { ball, orbit } = this.app.stage;
    const away = new Vector3(Math.cos(orbit.azimuth), Math.sin(orbit.azimuth), 0);
    this.rig.position.copy(ball.center).addScaledVector(away, ball.radius + 1).setZ(0);
    this.rig.rotation.set(Math.PI / 2, 0, Math.atan2(-away.y, -away.x) - Math.PI / 2, 'ZYX');
    this.rig.updateMatrixWorld(true);
  }

  // The room of the user is the background, and its floor the floor.
  private clearRoom(): void {
    const { scene } = this.app.stage;
    const { background, fog } = scene;
    scene.background = scene.fog = null;
    const floors = this.app.stage.meshes().filter((mesh) => mesh.userData.plane && mesh.visible);
    for (const floor of floors) floor.visible = false;
    this.before.push(() => {
      Object.assign(scene, { background, fog });
      for (const floor of floors) floor.visible = true;
    });
  }

  private addHand(index: number): void {
    const hand = this.app.stage.renderer.xr.getController(index);
    const ray = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]), new LineBasicMaterial({ color: 0x1f5fc2 }));
    const tip = new Mesh(new SphereGeometry(0.012, 12, 8), new MeshBasicMaterial({ color: 0x1f5fc2 }));
    hand.add(ray, tip);
    const listen = (type: 'selectstart' | 'squeezestart' | 'selectend' | 'squeezeend' | 'connected' | 'disconnected', act: (event: { data?: XRInputSource }) => void): void => {
      const listener = act as () => void;
      hand.addEventListener(type, listener);
      this.before.push(() => hand.removeEventListener(type, listener));
    };
    listen('connected', ({ data }) => data && this.sources.set(hand, data));
    listen('disconnected', () => {
      this.sources.delete(hand);
      this.letGo(hand);
    });
    for (const type of ['selectstart', 'squeezestart'] as const) listen(type, () => this.take(hand));
    for (const type of ['selectend', 'squeezeend'] as const) listen(type, () => this.letGo(hand));
    this.before.push(() => hand.remove(ray, tip));
    this.hands.push(hand);
    this.rig.add(hand);
  }

  /** The body that a hand reaches: one that is near, or else the first on its ray. */
  private reach(hand: Object3D): { body: number; point: Vector3 } | null {
    const meshes = this.app.stage.meshes().filter((mesh) => mesh.visible && mesh.userData.body > 0);
    const from = new Vector3().setFromMatrixPosition(hand.matrixWorld);
    const cast = (direction: Vector3, far: number) => {
      this.caster.set(from, direction);
      this.caster.far = far;
      return this.caster.intersectObjects(meshes, false)[0];
    };
    // A hand may be inside of a body: then it meets the surface from behind.
    const materials = meshes.map((mesh) => mesh.material as Material);
    const sides = materials.map(({ side }) => side);
    for (const material of materials) material.side = DoubleSide;
    const near = AROUND.map((direction) => cast(new Vector3(...direction).normalize(), NEAR)).filter((hit) => hit !== undefined);
    const hit = near.sort((a, b) => a.distance - b.distance)[0] ?? cast(new Vector3(0, 0, -1).transformDirection(hand.matrixWorld), FAR);
    materials.forEach((material, i) => (material.side = sides[i]!));
    return hit ? { body: hit.object.userData.body as number, point: hit.point } : null;
  }

  private take(hand: XRTargetRaySpace): void {
    const { app } = this;
    hand.updateMatrixWorld(true);
    const found = app.source?.can.has('pull') && !app.source.track ? this.reach(hand) : null;
    if (!found || !app.frame) return;
    const at = found.point.clone().applyMatrix4(bodyMatrix(app.frame.bodyPoses, found.body).invert()).toArray() as Vec3;
    this.grab = { hand, body: found.body, at, held: hand.worldToLocal(found.point.clone()) };
    app.select(found.body);
    this.pull();
  }

  private letGo(hand: XRTargetRaySpace): void {
    if (this.grab?.hand !== hand) return;
    this.grab = null;
    this.cord.visible = false;
    this.app.source?.letGo().catch((error: Error) => this.app.fail(error));
  }

  private pull(): void {
    const { grab, app, cord } = this;
    if (!grab || !app.frame) return;
    const target = grab.hand.localToWorld(grab.held.clone());
    const point = new Vector3(...grab.at).applyMatrix4(bodyMatrix(app.frame.bodyPoses, grab.body));
    cord.geometry.setFromPoints([point, target]);
    cord.visible = true;
    app.source?.pull(grab.body, grab.at, target.toArray() as Vec3).catch((error: Error) => app.fail(error));
  }

  // The thumbstick: forwards is where the user looks.
  private walk(seconds: number): void {
    for (const source of this.sources.values()) {
      const [, , x = 0, y = 0] = source.gamepad?.axes ?? [];
      if (Math.hypot(x, y) < 0.15) continue;
      const look = this.app.stage.orbit.camera.getWorldDirection(new Vector3()).setZ(0).normalize();
      const side = new Vector3(look.y, -look.x, 0);
      this.rig.position.addScaledVector(side, WALK * seconds * x).addScaledVector(look, -WALK * seconds * y);
    }
  }

  // Head and hands as experiments/mirror.h has them: an origin, a point along the bone, one ahead or on the side of the thumb.
  private track(): void {
    const { source, stage: { renderer: { xr } } } = this.app;
    const frame = xr.getFrame(), space = xr.getReferenceSpace(), points: number[] = [];
    if (!source?.track || !space) return;
    const add = (pose: XRPose | undefined, places: number[][]): void => {
      if (!pose) return;
      const matrix = this.rig.matrixWorld.clone().multiply(new Matrix4().fromArray(pose.transform.matrix));
      for (const place of places) points.push(...new Vector3(...place).applyMatrix4(matrix).toArray());
    };
    add(frame.getViewerPose(space), [[0, 0, 0], [0, 1, 0], [0, 0, -1]]);
    for (const side of ['left', 'right']) {
      const input = [...this.session.inputSources].find(({ handedness }) => handedness === side), hand = input?.hand;
      if (hand) for (const joint of JOINTS) add(frame.getJointPose!(hand.get(joint)!, space), [[0, 0, 0]]);
      else if (input?.gripSpace) add(frame.getPose(input.gripSpace, space), [[0, 0.1, 0], [0, 0, 0], [0, 0.1, -1]]);
    }
    if (points.length === 27) source.track(points).catch((error: Error) => this.app.fail(error));
  }

  private draw(time: number): void {
    const { stage } = this.app;
    this.walk(Math.min(0.1, (time - this.last) / 1000));
    this.last = time;
    this.rig.updateMatrixWorld(true);
    this.pull();
    this.track();
    stage.ondraw();
    stage.renderer.render(stage.scene, stage.orbit.camera);
    ++stage.pictures;
  }

  private end(): void {
    const { app, rig, cord } = this;
    const { renderer, scene, orbit } = app.stage;
    if (this.grab) this.letGo(this.grab.hand);
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    for (const restore of this.before) restore();
    rig.remove(orbit.camera, ...this.hands);
    scene.remove(rig, cord);
    app.actions.changed();
    app.stage.redraw();
  }
}

/** Begins a session; the picture of the page comes back when it ends. Again: ends it. */
export async function enter(app: App, mode: XRSessionMode): Promise<void> {
  const running = app.stage.renderer.xr.getSession();
  if (running) return running.end();
  const session = await navigator.xr!.requestSession(mode, { requiredFeatures: ['local-floor'], optionalFeatures: ['hand-tracking'] });
  await new Headset(app, session, mode).begin();
}
