// SPDX-License-Identifier: Apache-2.0
// Leaves out of three.js what the viewer does not use, so that the page stays within its size (tools/size.mjs). A bundler
// drops functions that nobody calls, but the renderer names every shader and every feature. Here the page is built from
// the single source files of three: shaders of materials that no module uses become empty, comments and indentation of
// the others are removed, and parts of the renderer for such features are replaced by ones that do nothing.
// Every file that is named here must exist, so that a new version of three is noticed. A shader that misses something
// does not compile, which the test of the page notices.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(path.dirname(createRequire(path.join(process.cwd(), 'index.js')).resolve('three/src/Three.js'))); // npm starts in web/

// Materials: points, sprites, dashed lines, toon, matcap, normal and physical; backgrounds that are pictures.
const PROGRAMS = [
  'background', 'backgroundCube', 'cube', 'distance', 'equirect', 'linedashed', 'meshmatcap', 'meshnormal', 'meshphysical', 'meshtoon', 'points', 'shadow',
  'sprite', 'vsm',
];
// Parts of shaders, each of which is empty anyway unless a material has such a map or feature.
const CHUNKS = [
  'alphahash_fragment', 'alphahash_pars_fragment', 'alphamap_fragment', 'alphamap_pars_fragment', 'aomap_fragment', 'aomap_pars_fragment',
  'batching_pars_vertex', 'batching_vertex', 'bumpmap_pars_fragment', 'clearcoat_normal_fragment_begin', 'clearcoat_normal_fragment_maps',
  'clearcoat_pars_fragment', 'clipping_planes_fragment', 'clipping_planes_pars_fragment', 'clipping_planes_pars_vertex', 'clipping_planes_vertex',
  'displacementmap_pars_vertex', 'displacementmap_vertex', 'dithering_fragment', 'dithering_pars_fragment', 'emissivemap_fragment',
  'emissivemap_pars_fragment', 'envmap_common_pars_fragment', 'envmap_fragment', 'envmap_pars_fragment', 'envmap_pars_vertex',
  'envmap_physical_pars_fragment', 'envmap_vertex', 'gradientmap_pars_fragment', 'iridescence_fragment', 'iridescence_pars_fragment',
  'lightmap_pars_fragment', 'lightprobes_pars_fragment', 'lights_physical_fragment', 'lights_physical_pars_fragment', 'lights_toon_fragment',
  'lights_toon_pars_fragment', 'logdepthbuf_fragment', 'logdepthbuf_pars_fragment', 'logdepthbuf_pars_vertex', 'logdepthbuf_vertex',
  'map_particle_fragment', 'map_particle_pars_fragment', 'metalnessmap_fragment', 'metalnessmap_pars_fragment', 'morphcolor_vertex',
  'morphinstance_vertex', 'morphnormal_vertex', 'morphtarget_pars_vertex', 'morphtarget_vertex', 'normal_fragment_maps', 'normalmap_pars_fragment',
  'roughnessmap_fragment', 'roughnessmap_pars_fragment', 'skinbase_vertex', 'skinning_pars_vertex', 'skinning_vertex', 'skinnormal_vertex',
  'specularmap_pars_fragment', 'tonemapping_fragment', 'tonemapping_pars_fragment', 'transmission_fragment', 'transmission_pars_fragment',
];
// Parts of the renderer: pictures of the surroundings, shapes that morph, blocks of uniforms, output by a second pass.
const PARTS = {
  'renderers/webgl/WebGLEnvironments.js': 'export function WebGLEnvironments() { return { get: (texture) => texture ?? null, dispose() {} }; }',
  'renderers/webgl/WebGLMorphtargets.js': 'export function WebGLMorphtargets() { return { update() {} }; }',
  'renderers/webgl/WebGLUniformsGroups.js': 'export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }',
  'renderers/webgl/WebGLOutput.js': 'export function WebGLOutput() { throw new Error("left out by tools/lean-three.js"); }',
  'renderers/shaders/DFGLUTData.js': 'export function getDFGLUT() { return null; }',
};

/** Shader code without comments, indentation and empty lines. */
function shorten(code) {
  return code.replace(/\/\*(?! glsl)[\s\S]*?\*\//g, '').replace(/\/\/[^\n`]*/g, '').replace(/[ \t]+/g, ' ')
    .replace(/ ?([-+*/=<>(){},;?:&|!]) ?/g, (all, sign, at, text) => (isDirective(text, at) ? all : sign)).replace(/\n\s+/g, '\n');
}

function isDirective(text, at) {
  return /^\s*#/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));
}

export function leanThree() {
  const source = path.join(root, 'src') + path.sep;
  const empty = new Set([
    ...PROGRAMS.map((name) => `renderers/shaders/ShaderLib/${name}.glsl.js`), ...CHUNKS.map((name) => `renderers/shaders/ShaderChunk/${name}.glsl.js`),
  ]);
  for (const file of [...empty, ...Object.keys(PARTS)]) {
    if (!fs.existsSync(source + file)) throw new Error(`tools/lean-three.js: three has no file src/${file}; look at what replaced it`);
  }
  return {
    name: 'lean-three',
    enforce: 'pre',
    config: () => ({ resolve: { alias: [{ find: /^three$/, replacement: path.join(source, 'Three.js') }] } }),
    transform(code, id) {
      if (!id.startsWith(source)) return null;
      const file = id.slice(source.length).split('?')[0];
      if (PARTS[file]) return { code: PARTS[file], map: null };
      if (!file.endsWith('.glsl.js')) return null;
      if (empty.has(file)) return { code: file.includes('ShaderLib') ? "export const vertex = '', fragment = '';" : "export default '';", map: null };
      return { code: shorten(code), map: null };
    },
  };
}
