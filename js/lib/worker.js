// SPDX-License-Identifier: Apache-2.0
// The script of a Worker, in browsers and in node: a Session behind messages. remote.js is the other side.
import { Session } from './session.js';

async function port() {
  if (typeof self !== 'undefined' && typeof self.postMessage === 'function') {
    return { post: (message) => self.postMessage(message), listen: (receive) => { self.onmessage = (event) => receive(event.data); } };
  }
  const { parentPort } = await import(/* @vite-ignore */ 'node:worker_threads');
  return { post: (message) => parentPort.postMessage(message), listen: (receive) => parentPort.on('message', receive) };
}

const { post, listen } = await port();
const session = new Session(post);
listen((message) => session.receive(message));
post({ type: 'ready' });
