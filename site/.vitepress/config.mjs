// SPDX-License-Identifier: Apache-2.0
// The site: pages in ../pages (written by stage.py), search in the browser, no request to other servers.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const pages = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'pages');

const titleOf = (page) => /^title: "(.*)"$/m.exec(fs.readFileSync(path.join(pages, page + '.md'), 'utf8'))?.[1] ?? page;
const item = (page) => ({ text: titleOf(page), link: '/' + page.replace(/index$/, '') });
const group = (text, names, collapsed = true) => ({ text, collapsed, items: names.filter((n) => fs.existsSync(path.join(pages, n + '.md'))).map(item) });
const folder = (name, text) =>
  group(
    text,
    fs.readdirSync(path.join(pages, name)).filter((f) => f.endsWith('.md') && f !== 'index.md').sort().map((f) => name + '/' + f.slice(0, -3)),
  );
// The pages of a folder in the order in which its own page names them; one that it does not name is a mistake.
function inOrder(name) {
  const named = [...fs.readFileSync(path.join(pages, name, 'index.md'), 'utf8').matchAll(/\]\((?:\.\/)?([\w-]+)\.md\)/g)].map((m) => m[1]);
  const missing = fs.readdirSync(path.join(pages, name)).filter((f) => f.endsWith('.md') && f !== 'index.md' && !named.includes(f.slice(0, -3)));
  if (missing.length) throw new Error(`docs/${name}/README.md does not name ${missing.join(', ')}`);
  return named.map((n) => `${name}/${n}`);
}
const manual = (...names) => names.map((n) => 'manual/' + n);

const learn = [
  group('Start', manual('installing', 'first-steps', 'fifty-names', 'viewer', 'coming-from', 'faq'), false),
  group('Tutorials', ['tutorials/index', ...inOrder('tutorials')], false),
  group('Models', manual('models-and-files', 'mjcf-attributes', 'urdf-attributes', 'shapes', 'contact-models', 'deformables')),
  group('Robots', manual('control', 'controllers', 'judge', 'why', 'logs')),
  group('Languages', manual('python', 'javascript', 'command-line')),
  group('Many runs', manual('sweep')),
  group('Browser and touch', manual('browser', 'haptics', 'writing-a-driver')),
  group('Promises', manual('true-steps', 'how-to-check', 'trust', 'compatibility')),
  group('Lab book', ['manual/validation', 'manual/reality', 'manual/experiments', 'manual/speed', 'papers', 'decisions/index']),
];
const reference = [
  folder('reference/c', 'C'),
  folder('reference/python', 'Python'),
  group('Files and commands', manual('command-line', 'mjcf-attributes', 'urdf-attributes')),
  group('Words', ['glossary', 'references']),
];
const understand = [folder('theory', 'Theory'), folder('manual/experiments', 'Experiments'), group('Papers', ['papers'], false)];
const project = [
  group('Project', ['project/changelog', 'project/contributing', 'project/security', 'project/architecture', 'project/governance', 'project/code_of_conduct'], false),
  folder('releases', 'Releases'),
  folder('decisions', 'Decisions'),
  folder('internals', 'Internals'),
];

const shown = new Set([...learn, ...reference].flatMap((g) => g.items.map((i) => i.link)));
const hidden = fs.readdirSync(path.join(pages, 'manual')).filter((f) => f.endsWith('.md') && f !== 'index.md' && !shown.has('/manual/' + f.slice(0, -3)));
if (hidden.length) throw new Error(`no group of the sidebar has the pages of the manual ${hidden.join(', ')}`);

export default defineConfig({
  lang: 'en',
  title: 'Heft',
  description: 'Simulation of robots with exact Coulomb friction',
  srcDir: 'pages',
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  base: process.env.HEFT_SITE_BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: (process.env.HEFT_SITE_BASE ?? '/') + 'icon.svg' }]],
  markdown: { html: false, config: liveFences, anchor: { slugify: slug }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  vite: { build: { chunkSizeWarningLimit: 4000 }, logLevel: 'warn' },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local', options: { detailedView: false, miniSearch: { options: { tokenize }, searchOptions: { boost: { title: 6, text: 1, titles: 3 }, fuzzy: 0.2, prefix: true, boostDocument } } } },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Try it', link: '/app/', target: '_self' }, // no page of VitePress
      { text: 'Learn', link: '/manual/', activeMatch: '^/(manual|tutorials)/' },
      { text: 'Reference', link: '/reference/c/', activeMatch: '^/reference/' },
      { text: 'Theory', link: '/theory/', activeMatch: '^/theory/' },
      { text: 'Validation', link: '/manual/validation' },
      { text: 'Project', link: '/project/changelog', activeMatch: '^/(project|releases|decisions|internals)/' },
    ],
    sidebar: {
      '/manual/experiments/': understand,
      '/manual/': learn,
      '/tutorials/': learn,
      '/reference/': reference,
      '/glossary': reference,
      '/references': reference,
      '/theory/': understand,
      '/papers': understand,
      '/project/': project,
      '/releases/': project,
      '/decisions/': project,
      '/internals/': project,
      '/source/': learn,
    },
    footer: { message: 'Heft is under the Apache License 2.0.' },
  },
});

// Anchors as the Markdown of the repository uses them (tools/check_docs.sh): lower case, no punctuation, "-" for blanks.
function slug(text) {
  return text.trim().toLowerCase().replace(/[^a-z0-9 _-]/g, '').replace(/ /g, '-');
}

// What readers look for first: the manual, then the reference, then what developers of Heft need.
function boostDocument(id) {
  if (/(manual|tutorials)\/(?!experiments|urdf-attributes)/.test(id)) return 3;
  return /reference|theory|glossary|manual\/urdf/.test(id) ? 1 : 0.4;
}

// Words, and names with underscores as a whole and in parts.
function tokenize(text) {
  const words = text.split(/[^\p{L}\p{N}_]+/u);
  return words.concat(words.filter((w) => w.includes('_')).flatMap((w) => w.split('_'))).filter(Boolean);
}

// ```live: a scene that runs in the page, as stage.py writes it (theme/Live.vue); the picture is its content.
function liveFences(md) {
  const { fence } = md.renderer.rules;
  const quoted = (value) => String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    if (tokens[i].info.trim() !== 'live') return fence(tokens, i, ...rest);
    const { picture, label, ...attributes } = JSON.parse(tokens[i].content);
    const names = Object.entries({ ...attributes, label }).map(([name, value]) => `${name}="${quoted(value)}"`).join(' ');
    return `<Live ${names}><img src="${quoted(picture)}" alt="${quoted(label)}"></Live>\n`;
  };
}
