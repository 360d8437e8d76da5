// SPDX-License-Identifier: Apache-2.0
// The picture: renderer, light, sky, and one mesh for each shape of the model. It is drawn when something changed, not
// all the time. Where drawing is slow, moving pictures have fewer pixels, and a still one has all.
import { Color, DirectionalLight, Fog, Group, HemisphereLight, Mesh, PCFShadowMap, Scene, Sphere, Vector2, Vector3, WebGLRenderer, type Object3D } from 'three';
import type { Description, Frame } from '../source';
import { OrbitCamera } from './camera';
import { ENDLESS, shapeGeometry, shapeType } from './shapes';
import { floorTexture } from './floor';
import { shapeMaterial } from './materials';
import { setCoordinates, shapeTexture } from './textures';

const SLOW = 45; // mean time between pictures above which they become coarser [ms]
const COARSEST = 0.5;
const SOFT_PIXELS = 120_000; // of a moving picture that the processor draws

export class Stage {
  readonly scene = new Scene();
  readonly orbit = new OrbitCamera();
  /** The shapes of the model; index of userData.shape. */
  readonly shapes = new Group();
  /** Arrows, cones and other marks. */
  readonly marks = new Group();
  readonly renderer: WebGLRenderer;
  /** Called before each picture. */
  ondraw: () => void = () => {};
  /** Pictures so far. */
  pictures = 0;
  /** Half width and height of what moves, at the start. */
  readonly half = new Vector2(1, 1);
  /** Its centre and size: for the camera and the sizes of marks. */
  readonly ball = new Sphere(new Vector3(0, 0, 0.8), 1);
  private readonly sun = new DirectionalLight(0xffffff, 2.3);
  private readonly sky = new HemisphereLight(0xffffff, 0x8d97a8, 1.5);
  /** Drawn by the processor: moving pictures have fewer pixels, and still ones more, instead of smoothed edges. */
  private readonly software = isSoftware();
  /** Pictures follow each other: a sharp one between them would only delay the next. */
  private moving = false;
  private asked = false;
  private quality = 1;
  private lastTime = 0;
  private interval = 16;
  private settle: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, powerPreference: 'high-performance' });
    this.renderer.debug.checkShaderErrors = false; // asking for them waits for the compiler
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    const side = this.software ? 512 : 2048;
    this.sun.shadow.mapSize.set(side, side);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.01;
    this.scene.fog = new Fog(0xffffff, 10, 60);
    this.scene.add(this.sun, this.sun.target, this.sky, this.shapes, this.marks);
    new ResizeObserver(() => this.redraw()).observe(canvas);
    this.dark(false);
  }

  dark(dark: boolean): void {
    const haze = dark ? 0x1c2632 : 0xdfe8f2;
    this.scene.background = new Color(haze);
    (this.scene.fog as Fog).color.set(haze);
    this.sky.intensity = dark ? 1.2 : 1.9;
    this.sun.intensity = dark ? 2 : 2.4;
    this.floorShade = dark ? 0.34 : 1;
    for (const mesh of this.meshes()) this.shadeFloor(mesh);
    this.redraw();
  }

  private floorShade = 1;

  private shadeFloor(mesh: Mesh): void {
    if (!mesh.userData.floor) return;
    const material = mesh.material as ReturnType<typeof shapeMaterial>;
    material.color.copy(mesh.userData.color as Color).multiplyScalar(this.floorShade);
  }

  meshes(): Mesh[] {
    return this.shapes.children as Mesh[];
  }

  /** Makes the meshes of a model. */
  describe(description: Description): void {
    for (const mesh of this.meshes()) release(mesh);
    this.shapes.clear();
    for (let shape = 0; shape < description.sizes.nshape; ++shape) {
      const mesh = new Mesh(shapeGeometry(description, shape), shapeMaterial(description, shape));
      const plane = shapeType(description, shape) === 'plane';
      mesh.material.map = shapeTexture(description, shape, () => this.redraw());
      if (mesh.material.map) setCoordinates(description, shape, mesh.geometry);
      else if (plane) {
        const [a = 0, b = 0] = description.arrays.shapeSize.subarray(3 * shape, 3 * shape + 2);
        mesh.material.map = floorTexture(a || ENDLESS, b || ENDLESS);
        Object.assign(mesh.userData, { floor: true, color: mesh.material.color.clone() });
        this.shadeFloor(mesh);
      }
      Object.assign(mesh.userData, { shape, body: description.arrays.shapeBody[shape] ?? 0, plane });
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = !plane;
      mesh.receiveShadow = true;
      this.shapes.add(mesh);
    }
    this.showGroups(description, false);
    this.pose(description.frame);
    this.measure();
    this.home();
  }

  /** Groups 0 to 2 are drawn, as in other viewers of MJCF: 3 and above are for collision alone. */
  showGroups({ arrays }: Description, collision: boolean): void {
    for (const mesh of this.meshes()) {
      const shape = mesh.userData.shape as number;
      const collides = (arrays.shapeCategory[shape] ?? 0) !== 0 || (arrays.shapeCollides[shape] ?? 0) !== 0;
      const look = (arrays.shapeGroup[shape] ?? 0) < 3 && (arrays.shapeColor[4 * shape + 3] ?? 1) > 0;
      mesh.visible = collision ? collides : look;
    }
    this.redraw();
  }

  /** Moves the meshes to a frame. */
  pose(frame: Pick<Frame, 'shapePoses'>): void {
    setPoses(this.meshes(), frame.shapePoses);
    this.redraw();
  }

  /** The camera back to where it sees everything that moves. */
  home(): void {
    this.orbit.azimuth = -0.9;
    this.orbit.elevation = 0.24;
    this.orbit.fit(this.ball.center, this.half, this.aspect());
    this.redraw();
  }

  /** What is shown has moved: camera, light and home go with it. */
  shift(way: Vector3): void {
    this.ball.center.add(way);
    this.orbit.target.add(way);
  }

  aspect(): number {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  redraw(): void {
    if (this.asked || this.renderer.xr.isPresenting) return; // a headset draws by itself
    this.asked = true;
    requestAnimationFrame((time) => this.draw(time));
  }

  /** Whether the world runs. When it ends, a sharp picture follows. */
  run(moving: boolean): void {
    this.moving = moving;
    if (moving) clearTimeout(this.settle);
    else this.redraw();
  }

  private measure(): void {
    const moved = this.meshes().filter((mesh) => mesh.visible && !mesh.userData.plane);
    const free = moved.filter((mesh) => mesh.userData.body > 0);
    const balls = (free.length ? free : moved).map((mesh) => {
      mesh.geometry.computeBoundingSphere();
      return mesh.geometry.boundingSphere!.clone().applyMatrix4(mesh.matrix);
    });
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const { center, radius } of balls) {
      low.min(center.clone().subScalar(radius));
      high.max(center.clone().addScalar(radius));
    }
    if (!balls.length) this.ball.set(new Vector3(0, 0, 0.5), 1);
    else this.ball.set(low.clone().add(high).multiplyScalar(0.5), Math.min(60, Math.max(0.05, high.distanceTo(low) / 2)));
    if (balls.length) this.half.set(Math.hypot(high.x - low.x, high.y - low.y) / 2, (high.z - low.z) / 2);
    const size = 2.2 * this.ball.radius;
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 7 * size });
    camera.updateProjectionMatrix();
    const fog = this.scene.fog as Fog;
    fog.near = 6 * this.ball.radius;
    fog.far = 40 * this.ball.radius;
  }

  private draw(time: number): void {
    this.asked = false;
    const passed = time - this.lastTime;
    this.lastTime = time;
    if (passed < 2000) this.interval += 0.1 * (passed - this.interval);
    this.quality = this.interval > SLOW ? Math.max(COARSEST, this.quality * 0.97) : this.interval < SLOW / 2 ? Math.min(1, this.quality * 1.01) : this.quality;
    this.quality = Math.min(this.quality, this.finest());
    this.paint(passed > 2000 && !this.software ? 1 : this.quality);
    clearTimeout(this.settle);
    if (this.moving || !this.meshes().length) return;
    this.settle = setTimeout(() => (this.quality < 1 || this.software) && this.paint(this.software ? 1.5 : 1), Math.max(250, 4 * this.interval));
  }

  /** The processor draws small pictures with all pixels. */
  private finest(): number {
    const { clientWidth, clientHeight } = this.canvas;
    return this.software ? Math.max(COARSEST, Math.min(1, Math.sqrt(SOFT_PIXELS / (1 + clientWidth * clientHeight)))) : 1;
  }

  private paint(quality: number): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (this.renderer.xr.isPresenting) return;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.software && quality <= 1 ? 1 : 2) * Math.round(quality * 8) / 8);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.orbit.place(this.aspect());
    const { center, radius } = this.ball;
    const place = this.orbit.target.clone().sub(center).length() > 4 * radius ? this.orbit.target : this.orbit.target.clone().lerp(center, 0.5);
    this.sun.target.position.copy(place);
    this.sun.position.copy(place).add(new Vector3(0.5, -0.55, 1).multiplyScalar(3 * radius));
    this.ondraw();
    this.renderer.render(this.scene, this.orbit.camera);
    ++this.pictures;
  }
}

/** Whether the processor draws. Browsers name their renderer; a caveat of performance is not reported by all of them. */
function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return true;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Matrices from rows of 12: position, rotation matrix row by row. */
export function setPoses(objects: Object3D[], poses: Float64Array): void {
  objects.forEach((object, i) => {
    const p = poses.subarray(12 * i, 12 * i + 12);
    object.matrix.set(p[3]!, p[4]!, p[5]!, p[0]!, p[6]!, p[7]!, p[8]!, p[1]!, p[9]!, p[10]!, p[11]!, p[2]!, 0, 0, 0, 1);
    object.matrixWorldNeedsUpdate = true;
  });
}

export function release(mesh: Mesh): void {
  mesh.geometry.dispose();
  const material = mesh.material as ReturnType<typeof shapeMaterial>;
  material.map?.dispose();
  material.dispose();
}
