// SPDX-License-Identifier: Apache-2.0
// A model from an address: the file, and the files that it names, from the same place; or a zip file with all of them.
import { addFiles, candidates, folderOf, joinPath, kindOf, references, resolve, type FileSet } from '../files/file-set';
import { isZip, ZIP_LIMITS } from '../files/zip';
import type { Opening } from '../source';

const FILES = 512; // that a model may name

async function get(address: URL): Promise<Uint8Array> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: the server answered ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length > ZIP_LIMITS.file) throw new Error(`${address}: more than ${ZIP_LIMITS.file} bytes`);
  return bytes;
}

function attribute(text: string, name: string): string {
  return new RegExp(`<compiler\\s[^>]*?\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(text)?.[1] ?? '';
}

/** Fetches what an MJCF or URDF file names, relative to it; what is not there is left to the engine's message. */
async function addNamed(set: FileSet, main: string, base: URL): Promise<void> {
  const waiting = [main];
  const first = new TextDecoder().decode(set.get(main));
  const assets = attribute(first, 'assetdir');
  const folders: Record<string, string> = {
    mesh: attribute(first, 'meshdir') || assets, hfield: attribute(first, 'meshdir') || assets, texture: attribute(first, 'texturedir') || assets,
  };
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const data = set.get(path);
    if (!data || !kindOf(path, data)) continue;
    for (const { name, element } of references(new TextDecoder().decode(data))) {
      const folder = folders[element];
      const file = joinPath(folderOf(main), (folder ? `${folder}/` : '') + name.replace(/^package:\/\//, ''));
      if (file === null || set.has(file)) continue;
      if (set.size >= FILES) throw new Error(`${main}: more than ${FILES} files are named`);
      const found = await get(new URL(file, base)).catch(() => null);
      if (found) set.set(file, found);
      if (found && (element === 'include' || element === 'model')) waiting.push(file);
    }
  }
}

/** The model at an address; `main` names the model of a zip file that holds several. */
export async function fetchModel(src: string, main?: string): Promise<Opening> {
  const address = new URL(src, document.baseURI);
  const name = decodeURIComponent(address.pathname.split('/').pop() || 'model.xml');
  const bytes = await get(address);
  const set: FileSet = new Map();
  let model = main ?? name;
  if (isZip(bytes)) {
    await addFiles(set, [[name, bytes]]);
    model = main ?? candidates(set)[0]?.path ?? '';
    if (!set.has(model)) throw new Error(`${name}: ${main ? `there is no '${main}' in it` : 'there is no model in it'}`);
  } else {
    set.set(name, bytes);
    model = name;
    await addNamed(set, name, address);
  }
  const { files, packages } = resolve(set, model);
  return { title: name, files, main: model, options: { packages } };
}
