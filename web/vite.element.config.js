// SPDX-License-Identifier: Apache-2.0
// The elements <heft-scene>, <heft-case> and <heft-compare> and the gallery, built into build/element: a script for each element, which
// any page includes, and what they fetch when they are in sight; gallery/index.html.
import path from 'node:path';
import { defineConfig } from 'vite';
import { leanThree } from './tools/lean-three.js';

const here = (name) => path.join(process.cwd(), name); // npm starts in web/

export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [leanThree()],
  worker: { format: 'es' },
  build: {
    outDir: '../build/element', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: false, cssCodeSplit: true,
    rollupOptions: {
      input: { 'heft-scene': here('src/element/heft-scene.ts'), 'heft-case': here('src/gallery/heft-case.ts'), 'heft-compare': here('src/compare/heft-compare.ts'), gallery: here('gallery/index.html') },
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: (chunk) => (/^heft-/.test(chunk.name) ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  },
});
