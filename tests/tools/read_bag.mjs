// SPDX-License-Identifier: Apache-2.0
// A bag of ROS 2, decoded by Foxglove's reader of CDR from the definitions in the bag, has the numbers of the log of the
// same run: joints to the last bit, poses to the six digits of the log's messages for pictures.
// usage, in a folder with node_modules: node read_bag.mjs BAG.ros2.mcap LOG.mcap
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
const require = createRequire(pathToFileURL(process.cwd() + '/'));
const {McapIndexedReader} = require('@mcap/core');
const {loadDecompressHandlers} = require('@mcap/support');
const {parse} = require('@foxglove/rosmsg');
const {MessageReader} = require('@foxglove/rosmsg2-serialization');
const check = (holds, what) => { if (!holds) throw new Error(what); };

// Messages of a file by topic, decoded.
async function messages(path, decode) {
  const bytes = await readFile(path);
  const readable = {size: async () => BigInt(bytes.length), read: async (at, n) => bytes.subarray(Number(at), Number(at) + Number(n))};
  const file = await McapIndexedReader.Initialize({readable, decompressHandlers: await loadDecompressHandlers()});
  const topics = {}, readers = {};
  for await (const m of file.readMessages()) {
    const channel = file.channelsById.get(m.channelId), schema = file.schemasById.get(channel.schemaId);
    const text = new TextDecoder().decode(schema.data);
    (topics[channel.topic] ??= []).push([m.logTime, decode(channel, schema, text, m.data, readers)]);
  }
  return [file.header.profile, topics];
}
const [profile, bag] = await messages(process.argv[2], (channel, schema, text, data, readers) => {
  check(channel.messageEncoding === 'cdr' && schema.encoding === 'ros2msg', channel.topic);
  return (readers[channel.topic] ??= new MessageReader(parse(text, {ros2: true}))).readMessage(data);
});
const [, log] = await messages(process.argv[3], (channel, schema, text, data) => JSON.parse(new TextDecoder().decode(data)));
check(profile === 'ros2', 'profile');
const model = log['/model'][0][1], rows = log['/state'].length;
const joints = model.joints.filter(j => j.type === 'hinge' || j.type === 'slide');
check(rows > 20 && joints.length > 2, 'rows');
for (const topic of ['/clock', '/joint_states', '/tf']) check(bag[topic].length === rows, topic);
let numbers = 0;
for (let i = 0; i < rows; ++i) {
  const [time, state] = log['/state'][i], [at, seen] = bag['/joint_states'][i], clock = bag['/clock'][i][1].clock;
  const stamp = t => BigInt(t.sec) * 1000000000n + BigInt(t.nanosec ?? t.nsec);
  check(at === time && stamp(clock) === time && stamp(seen.header.stamp) === time, 'time of row ' + i);
  check(seen.name.length === joints.length && seen.effort.length === 0, 'names');
  joints.forEach((j, k) => {
    check(seen.name[k] === j.name, j.name);
    check(Object.is(seen.position[k], state.q[j.q]) && Object.is(seen.velocity[k], state.v[j.v]), `row ${i}, ${j.name}`);
    numbers += 2;
  });
  const frames = bag['/tf'][i][1].transforms, poses = log['/tf'][i][1].transforms;
  check(frames.length === poses.length, 'frames');
  frames.forEach((f, k) => {
    const p = poses[k], near = (a, b, names) => names.every(n => Math.abs(a[n] - b[n]) < 2e-6);
    check(f.child_frame_id === p.child_frame_id && f.header.frame_id === 'world', f.child_frame_id);
    check(near(f.transform.translation, p.translation, 'xyz'.split('')) && near(f.transform.rotation, p.rotation, 'xyzw'.split('')), 'pose');
  });
}
console.log(`bag: ${rows} rows, ${numbers} numbers of joints have the bits of the log`);
