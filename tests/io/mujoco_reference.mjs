// SPDX-License-Identifier: Apache-2.0
// What MuJoCo says about models at given states. For each triple of arguments: a model file, a file with states
// (doubles: count, number of activations, then q, v, activations, controls, x of each), a file to write. Needs the npm package
// @mujoco/mujoco, found through HEFT_NODE_MODULES.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const modules = process.env.HEFT_NODE_MODULES || path.resolve('node_modules');
const require = createRequire(path.join(modules, 'x.js'));
let load;
try {
  load = (await import(pathToFileURL(require.resolve('@mujoco/mujoco')))).default;
} catch (error) {
  console.log('absent: ' + error.message.split('\n')[0]);
  process.exit(77);
}
const mj = await load({print: () => {}, printErr: () => {}});

// Copies a folder into the memory of the module.
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

function reference(model, statesFile, outFile) {
  mirror(path.dirname(model), '/model');
  const m = mj.MjModel.from_xml_path('/model/' + path.basename(model));
  const d = new mj.MjData(m);
  const out = [];
  const put = (list, count) => {
    for (let i = 0; i < count; ++i) out.push(list[i]);
  };
  put([m.nq, m.nv, m.nbody, m.nu, m.na, m.ntendon], 6);
  put(m.body_mass, m.nbody);
  put(m.body_ipos, 3 * m.nbody);
  put(m.body_iquat, 4 * m.nbody);
  put(m.body_inertia, 3 * m.nbody);
  const raw = fs.readFileSync(statesFile);
  const states = new Float64Array(raw.buffer, raw.byteOffset, raw.length / 8);
  let at = 2;
  const na = states[1];  // may differ where a kind of actuator is not modelled
  const take = (list, count) => {
    for (let i = 0; i < count; ++i) list[i] = states[at++];
  };
  const sizes = m.nq + 2 * m.nv + na + m.nu;
  for (let s = 0; s < states[0]; ++s) {
    if (at + sizes > states.length) break;  // the models differ: the sizes say so
    take(d.qpos, m.nq);
    take(d.qvel, m.nv);
    if (na === m.na) take(d.act, m.na);
    else at += na;
    take(d.ctrl, m.nu);
    const x = Array.from(states.subarray(at, at + m.nv));
    at += m.nv;
    mj.mj_forward(m, d);
    put(d.xpos, 3 * m.nbody);
    put(d.xmat, 9 * m.nbody);
    put(d.qfrc_bias, m.nv);
    if (m.nv > 0) {
      const product = new mj.DoubleBuffer(m.nv);
      mj.mj_mulM(m, d, product, x);
      put(product.GetView(), m.nv);
      product.delete();
    }
    put(d.ten_length, m.ntendon);
    put(d.ten_velocity, m.ntendon);
    put(d.actuator_length, m.nu);
    put(d.actuator_velocity, m.nu);
    put(d.qacc_smooth, m.nv);
  }
  fs.writeFileSync(outFile, Buffer.from(new Float64Array(out).buffer));
  d.delete();
  m.delete();
}

const args = process.argv.slice(2);
for (let i = 0; i + 2 < args.length; i += 3) {
  try {
    reference(args[i], args[i + 1], args[i + 2]);
    console.log('done ' + args[i]);
  } catch (error) {
    console.log('failed ' + args[i] + ': ' + String(error.message || error).replace(/\n/g, ' '));
  }
}
