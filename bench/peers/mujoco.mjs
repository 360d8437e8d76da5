// SPDX-License-Identifier: Apache-2.0
// MuJoCo from npm behind a pipe: the package @mujoco/mujoco, found through HEFT_NODE_MODULES. README.md tells the protocol.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(path.join(process.env.HEFT_NODE_MODULES || path.resolve('node_modules'), 'x.js'));
const load = (await import(pathToFileURL(require.resolve('@mujoco/mujoco')))).default;
const mj = await load({print: () => {}, printErr: () => {}});
const elliptic = process.argv[2] === 'elliptic';
let m = null, d = null;

function mirror(from, to) {
  try {
    mj.FS.mkdir(to);
  } catch (error) {}
  for (const entry of fs.readdirSync(from, {withFileTypes: true})) {
    const a = path.join(from, entry.name), b = to + '/' + entry.name;
    if (entry.isDirectory()) mirror(a, b);
    else mj.FS.writeFile(b, fs.readFileSync(a));
  }
}

function open(words, file) {
  const [step, gx, gy, gz, friction, restitution] = words.map(Number);
  if (restitution > 0) return 'no it has no restitution';
  mirror(path.dirname(file), '/scene');
  m = mj.MjModel.from_xml_path('/scene/' + path.basename(file));
  [gx, gy, gz].forEach((x, i) => { if (!Number.isNaN(x)) m.opt.gravity[i] = x; });
  if (!Number.isNaN(friction)) for (let i = 0; i < m.ngeom; ++i) m.geom_friction[3 * i] = friction;
  if (!Number.isNaN(step)) m.opt.timestep = step;
  if (elliptic) m.opt.cone = 1;
  d = new mj.MjData(m);
  mj.mj_forward(m, d);
  return 'ok ' + m.opt.timestep;
}

const rotate = (q, v) => {
  const [w, x, y, z] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0]
  ];
};

function freeJoint(body) {
  if (body <= 0 || body >= m.nbody || m.body_jntnum[body] !== 1) return -1;
  const joint = m.body_jntadr[body];
  return m.jnt_type[joint] === 0 ? joint : -1;
}

// A body in a tree: its frame at the present joint positions and velocities.
function readLink(body) {
  const velocity = new mj.DoubleBuffer(6);
  mj.mj_kinematics(m, d);
  mj.mj_comPos(m, d);
  mj.mj_comVel(m, d);
  mj.mj_objectVelocity(m, d, 2, body, velocity, 0);
  const v = Array.from(velocity.GetView());
  velocity.delete();
  return 'ok ' + [...d.xpos.slice(3 * body, 3 * body + 3), ...d.xquat.slice(4 * body, 4 * body + 4), ...v.slice(3), ...v.slice(0, 3)].join(' ');
}

function read(body) {
  const joint = freeJoint(body);
  if (joint < 0) return readLink(body);
  const q = Array.from(d.qpos.subarray(m.jnt_qposadr[joint], m.jnt_qposadr[joint] + 7));
  const v = Array.from(d.qvel.subarray(m.jnt_dofadr[joint], m.jnt_dofadr[joint] + 6));
  return 'ok ' + [...q, ...v.slice(0, 3), ...rotate(q.slice(3), v.slice(3))].join(' ');
}

function place(body, x) {
  const joint = freeJoint(body);
  if (joint < 0) return 'no free body';
  for (let i = 0; i < 7; ++i) d.qpos[m.jnt_qposadr[joint] + i] = x[i];
  const spin = rotate([x[3], -x[4], -x[5], -x[6]], x.slice(10));
  for (let i = 0; i < 3; ++i) {
    d.qvel[m.jnt_dofadr[joint] + i] = x[7 + i];
    d.qvel[m.jnt_dofadr[joint] + 3 + i] = spin[i];
  }
  mj.mj_forward(m, d);
  return 'ok';
}

// As peer.h has it: bodies, place, normal, force on the second.
function contact(i) {
  const local = new mj.DoubleBuffer(6), c = d.contact.get(i);
  mj.mj_contactForce(m, d, i, local);
  const f = local.GetView(), frame = c.frame;
  const x = [m.geom_bodyid[c.geom1], m.geom_bodyid[c.geom2], ...c.pos, ...frame.slice(0, 3)];
  for (let k = 0; k < 3; ++k) x.push(frame[k] * f[0] + frame[3 + k] * f[1] + frame[6 + k] * f[2]);
  c.delete();
  local.delete();
  return x;
}

function force(a, b) {
  const sum = [0, 0, 0];
  for (let i = 0; i < d.ncon; ++i) {
    const x = contact(i);
    if ((x[0] === a && x[1] === b) || (x[0] === b && x[1] === a))
      for (let k = 0; k < 3; ++k) sum[k] += x[1] === b ? x[8 + k] : -x[8 + k];
  }
  return 'ok ' + sum.join(' ');
}

function time(count) {
  const us = [];
  for (let i = 0; i < count; ++i) {
    const start = process.hrtime.bigint();
    mj.mj_step(m, d);
    us.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  us.sort((a, b) => a - b);
  return 'ok ' + [us[0], us[count >> 1], d.ncon].join(' ');
}

function answer(line) {
  const words = line.split(' ').filter(Boolean), x = words.slice(1).map(Number);
  switch (words[0]) {
    case 'open':
      return open(words.slice(1, 7), words.slice(7).join(' '));
    case 'close':
      if (d) d.delete();
      if (m) m.delete();
      m = d = null;
      return 'ok';
    case 'read':
      return read(x[0]);
    case 'place':
      return place(x[0], x.slice(1));
    case 'push':
      for (let i = 0; i < 3; ++i) d.xfrc_applied[6 * x[0] + i] = x[1 + i];
      return 'ok';
    case 'hold':
      for (let j = 0; j < m.njnt; ++j) {
        if (m.jnt_type[j] === 0) continue;
        m.jnt_stiffness[j] = x[0];
        const count = m.jnt_type[j] === 1 ? 3 : 1;
        for (let i = 0; i < count; ++i) m.dof_damping[m.jnt_dofadr[j] + i] = x[1];
      }
      return 'ok';
    case 'step':
      for (let i = 0; i < x[0]; ++i) mj.mj_step(m, d);
      return 'ok';
    case 'time':
      return time(x[0]);
    case 'contacts':
      return 'ok ' + d.ncon;
    case 'contact':
      return 'ok ' + contact(x[0]).join(' ');
    case 'force':
      return force(x[0], x[1]);
    default:
      return 'no such question';
  }
}

for await (const line of readline.createInterface({input: process.stdin})) {
  let text;
  try {
    text = answer(line);
  } catch (error) {
    text = 'no ' + String(error.message || error).replace(/\n/g, ' ');
  }
  process.stdout.write(text + '\n');
}
