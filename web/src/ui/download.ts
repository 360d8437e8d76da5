// SPDX-License-Identifier: Apache-2.0
/** Gives bytes to the user as a file. */
export function download(name: string, data: Uint8Array, type = 'application/octet-stream'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([data as BlobPart], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
