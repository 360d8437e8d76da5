// SPDX-License-Identifier: Apache-2.0
// The files of a saved scene as one file: the model alone, or a zip file with its meshes and images. The engine writes meshes;
// images it only names, so that they are taken from the files that were opened.
import { resolve, type FileSet } from './file-set';
import { writeZip } from './zip';

/** A name of a keyframe that the model does not have yet. */
export function freeKey(names: string[]): string {
  for (let i = 1; ; ++i) {
    const name = i === 1 ? 'saved' : `saved_${i}`;
    if (!names.includes(name)) return name;
  }
}

export async function exportScene(
  main: string, written: Record<string, Uint8Array>, opened: Record<string, string | Uint8Array>,
): Promise<{ name: string; data: Uint8Array; type: string }> {
  const set: FileSet = new Map();
  for (const [path, data] of Object.entries(opened)) set.set(`opened/${path}`, typeof data === 'string' ? new TextEncoder().encode(data) : data);
  for (const [path, data] of Object.entries(written)) set.set(path, data);
  const { files } = resolve(set, main);
  const out = Object.entries(files).filter(([path]) => !path.startsWith('opened/'));
  if (out.length === 1) return { name: main, data: out[0]![1], type: main.endsWith('.xml') ? 'text/xml' : 'application/octet-stream' };
  return { name: main.replace(/\.\w+$/, '.zip'), data: await writeZip(out), type: 'application/zip' };
}
