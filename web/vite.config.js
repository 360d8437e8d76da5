// SPDX-License-Identifier: Apache-2.0
// The page is built into build/web with relative addresses, so that any folder of any server can hold it.
import { defineConfig } from 'vite';
import { leanThree } from './tools/lean-three.js';

export default defineConfig({
  base: './',
  plugins: [leanThree()],
  worker: { format: 'es' },
  build: { outDir: '../build/web', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  optimizeDeps: { exclude: ['heft'] }, // its Worker and heft.wasm are found beside the module
});
