// SPDX-License-Identifier: Apache-2.0
// Sessions as links: the file compressed (raw deflate) in the fragment of an address, which no server sees. Node 20.12 or
// later and all browsers since 2023 have the streams for it.

const PREFIX = 'session=';
/** The longest fragment that toLink() makes. Browsers allow more; programs that send links often do not. */
export const LINK_MAX = 32768;
const SESSION_MAX = 64 * 2 ** 20; // bytes of a session in a link

async function through(bytes, stream, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError(`the session in the link has more than ${limit} bytes`);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  size = 0;
  for (const part of parts) {
    all.set(part, size);
    size += part.length;
  }
  return all;
}

/** The fragment of a link with a session, without '#'; null if it would be longer than `limit` letters. */
export async function toLink(bytes, limit = LINK_MAX) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a session is a Uint8Array');
  const packed = await through(bytes, new CompressionStream('deflate-raw'), Infinity);
  if (PREFIX.length + Math.ceil((packed.length * 4) / 3) > limit) return null;
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The session in an address or a fragment; null if there is none. Throws if it is damaged. */
export async function fromLink(link) {
  const at = String(link).indexOf(PREFIX);
  if (at < 0) return null;
  const letters = /^[\w-]*/.exec(String(link).slice(at + PREFIX.length))[0];
  const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  try {
    return await through(packed, new DecompressionStream('deflate-raw'), SESSION_MAX);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new TypeError('the session in the link is damaged; was it copied completely?');
  }
}
