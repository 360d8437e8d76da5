// SPDX-License-Identifier: Apache-2.0
// Files of a drop or of a file dialog, with their paths. Folders come as entries that are read in portions; a browser gives
// them only during the event, so that index.ts takes the entries, and they are read here afterwards.
import { ZIP_LIMITS, ZipError } from './zip';

type Found = [string, Uint8Array];

const DEPTH = 32;

async function bytesOf(file: File, path: string): Promise<Found> {
  if (file.size > ZIP_LIMITS.file) throw new ZipError(`'${path}' has ${file.size} bytes; at most ${ZIP_LIMITS.file} are allowed`);
  return [path, new Uint8Array(await file.arrayBuffer())];
}

function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  return new Promise((done, fail) => {
    const more = (): void => reader.readEntries((some) => {
      all.push(...some);
      if (some.length === 0 || all.length > ZIP_LIMITS.entries) done(all);
      else more();
    }, fail);
    more();
  });
}

async function walk(entry: FileSystemEntry, path: string, depth: number, out: Found[]): Promise<void> {
  if (entry.name.startsWith('.') || entry.name === '__MACOSX' || entry.name === 'node_modules') return; // .git and the like
  if (out.length >= ZIP_LIMITS.entries) throw new ZipError(`more than ${ZIP_LIMITS.entries} files; drop the folder of one robot`);
  if (depth > DEPTH) throw new ZipError(`folders are nested more than ${DEPTH} deep at '${path}'`);
  if (entry.isDirectory) {
    const inside = await entriesOf(entry as FileSystemDirectoryEntry);
    for (const one of inside.sort((a, b) => a.name.localeCompare(b.name))) await walk(one, `${path}/${one.name}`, depth + 1, out);
  } else {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    out.push(await bytesOf(file, path));
  }
}

/** Files and folders of a drop: entries where the browser has them, plain files otherwise. */
export async function droppedFiles(entries: (FileSystemEntry | null)[], plain: File[]): Promise<Found[]> {
  const out: Found[] = [];
  if (entries.length > 0 && entries.every((entry) => entry !== null)) {
    for (const entry of entries) await walk(entry!, entry!.name, 0, out);
  } else {
    for (const file of plain) out.push(await bytesOf(file, file.name));
  }
  return out;
}

/** Files of <input type="file">, with their folders if a folder was chosen. */
export async function chosenFiles(list: FileList): Promise<Found[]> {
  if (list.length > ZIP_LIMITS.entries) throw new ZipError(`${list.length} files; at most ${ZIP_LIMITS.entries} are allowed`);
  return Promise.all([...list].map((file) => bytesOf(file, file.webkitRelativePath || file.name)));
}
