// SPDX-License-Identifier: Apache-2.0
// Checks of the built site (build/site), as a reader meets it.
//   every page: terms of the glossary are links at their first use
//   every page: a title and a description of its own, headings in order, pictures with a text, links and anchors that lead somewhere
//   in Chromium: live scenes run, live cases find their answers; nothing is asked of another server, contrast AA in light and dark, no sideways scrolling at 360 px,
//   and the search finds the pages of questions.txt among its first three hits
// usage: node check.mjs [--all] [--live] [--pictures FOLDER]     --all: every page in Chromium, not one of each folder;
// --live: in Chromium the live scenes alone
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../web/tools/serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(process.env.HEFT_SITE ?? path.join(here, '../build/site'));
const all = process.argv.includes('--all');
const at = process.argv.indexOf('--pictures');
const pictures = at > 0 ? path.resolve(process.argv[at + 1]) : null;
const mistakes = [];
const wrong = (page, text) => mistakes.push(`${page}: ${text}`);

// ---- the files

const files = fs.readdirSync(root, { recursive: true }).map(String);
const pages = files.filter((f) => f.endsWith('.html') && f !== '404.html' && !/^(heft|app)\//.test(f));
const html = new Map(pages.map((p) => [p, fs.readFileSync(path.join(root, p), 'utf8')]));
const unescape = (s) => s.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
const anchors = new Map([...html].map(([p, text]) => [p, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map((m) => unescape(m[1])))]));
const titles = new Map();
let links = 0;
for (const [page, text] of html) {
  const title = /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '';
  const description = /<meta name="description" content="([^"]*)"/.exec(text)?.[1] ?? '';
  if (!title || title === 'Heft | Heft') wrong(page, 'no title');
  if (titles.has(title)) wrong(page, `has the title of ${titles.get(title)}: "${title}"`);
  titles.set(title, page);
  if (description.length < 25) wrong(page, `the description is "${description}"`);
  if ((text.match(/<h1[ >]/g) ?? []).length !== 1) wrong(page, 'not one heading of the first level');
  for (const m of text.matchAll(/<img\b[^>]*>/g)) if (!/\salt="[^"]+"/.test(m[0]) && !/VPImage/.test(m[0])) wrong(page, `a picture without a text: ${m[0]}`);
  for (const m of text.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
    const target = unescape(m[1]);
    if (/^(https?:|mailto:)/.test(target)) continue;
    links++;
    const [name, hash] = target.split('#');
    let file = name === '' ? page : name.startsWith('/') ? name.slice(1) : path.join(path.dirname(page), name);
    if (file === '' || file.endsWith('/')) file += 'index.html';
    if (!fs.existsSync(path.join(root, file))) wrong(page, `the link ${target} leads nowhere`);
    else if (hash && file.endsWith('.html') && !anchors.get(file)?.has(decodeURIComponent(hash))) wrong(page, `there is no ${target}`);
  }
}

if (/&lt;\/?(div|p|span|img)\b/.test(html.get('index.html').replace(/<(code|pre)\b[^>]*>.*?<\/\1>/gs, ''))) wrong('index.html', 'markup is shown as text');

// ---- terms of the glossary: each page links them where it uses them (stage.py)

const plainWords = new Set(fs.readFileSync(path.join(here, 'plain_words.txt'), 'utf8').split('\n').filter((l) => !l.startsWith('#')).flatMap((l) => l.split(',')).map((w) => w.trim()));
const terms = [...(html.get('glossary.html') ?? '').matchAll(/<td id="(term-[^"]+)"[^>]*>(.*?)<\/td>/g)].flatMap(([, id, names]) =>
  names.split(', ').filter((n) => !n.includes('<code>')).map((n) => ({ id, name: n.replace(/ of an? .*$/, '').trim() }))).filter(({ name }, i, list) => !plainWords.has(name) && list.findIndex((other) => other.name === name) === i);
if (terms.length < 50) wrong('glossary.html', `${terms.length} terms have an anchor`);
let uses = 0;
for (const [page, text] of html) {
  if (!/^(manual|tutorials|theory|decisions|internals)\//.test(page)) continue;
  const prose = (/<main[^>]*>(.*?)<\/main>/s.exec(text)?.[1] ?? '').replace(/<a\b[^>]*glossary\.html#(term-[^"]+)"[^>]*>.*?<\/a>/gs, '⟦$1⟧').replace(/<(a|code|pre|table|h\d|script|nav|button|footer|figcaption|mjx-container)\b[^>]*>.*?<\/\1>/gs, '¦')
    .replace(/<(p|li|div|\/p|\/li)[^>]*>/g, '¦').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  for (const { id, name } of terms) {
    const pattern = new RegExp(`(?<![\\w/-])[${name[0].toUpperCase()}${name[0].toLowerCase()}]${name.slice(1)}s?(?![\\w-])`);
    const link = prose.indexOf(`⟦${id}⟧`), first = prose.search(pattern), linked = text.includes(`glossary.html#${id}"`);
    if (linked) uses++;
    if (first >= 0 && (!linked || first < link)) wrong(page, `"${name}" is not linked to the glossary at its first use: ...${prose.slice(Math.max(0, first - 40), first + 40)}`);
  }
}

// ---- in Chromium

const server = await serve(root);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run', '--enable-unsafe-swiftshader'],
});

/** Texts whose contrast is below AA: 4.5, or 3 for large ones (WCAG 2.1, 1.4.3). Runs in the page. */
function poorContrast() {
  const numbers = (c) => (c.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const l = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length && (c[3] ?? 1) > 0) layers.push(c);
      if (c.length && (c[3] ?? 1) === 1) break;
    }
    let color = [255, 255, 255];
    for (const c of layers.reverse()) color = color.map((v, i) => v * (1 - (c[3] ?? 1)) + c[i] * (c[3] ?? 1));
    return color;
  };
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest('script, style, .visually-hidden, .heft-live')) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const c = numbers(style.color);
    const front = c.slice(0, 3).map((v, i) => v * (c[3] ?? 1) + back[i] * (1 - (c[3] ?? 1)));
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.set(`${style.color} on ${back.map(Math.round)}: ${ratio.toFixed(2)}`, node.textContent.trim().slice(0, 40));
  }
  return [...found].map(([k, v]) => `${k} "${v}"`);
}

const folders = new Map(pages.map((p) => [path.dirname(p), p]));
const looked = process.argv.includes('--live') ? [] : all ? pages : [...new Set(['index.html', 'manual/index.html', 'manual/validation.html', 'manual/mjcf-attributes.html', 'reference/c/model.html', ...folders.values()])];
for (const scheme of ['light', 'dark']) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: scheme, reducedMotion: 'reduce' });
  await context.route('**', (route) => {
    if (!route.request().url().startsWith(server.address) && !/^(data|blob):/.test(route.request().url())) wrong(route.request().url(), 'is a request to another server');
    return route.continue();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => wrong(page.url(), error.message));
  for (const name of looked) {
    await page.goto(server.address + name, { waitUntil: 'load' });
    await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) wrong(name, `is ${wide} px wider than a screen of 360 px`);
    for (const text of await page.evaluate(poorContrast)) wrong(name, `contrast (${scheme}): ${text}`);
    if (pictures && scheme === 'dark') {
      fs.mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: path.join(pictures, name.replaceAll('/', '-').replace('.html', '-360.png')) });
    }
  }
  await context.close();
}

// ---- live scenes and cases run, pause and begin again, on a phone and on a desk

let scenes = 0;
if (fs.existsSync(path.join(root, 'heft', 'heft-scene.js'))) {
  const narrow = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  const phone = await narrow.newPage();
  phone.setDefaultTimeout(120_000);
  phone.on('pageerror', (error) => wrong(phone.url(), error.message));

  // The first seconds: the robot of the landing page walks and can be pulled, and one click leads to the page, where it walks, too.
  const robot = () => {
    const frame = document.querySelector('heft-scene')?.frame ?? window.heftApp?.frame;
    return frame?.time > 0.2 && Math.hypot(...frame.v.slice(0, 3)) > 1e-3 ? frame : null;
  };
  await phone.goto(server.address, { waitUntil: 'load' });
  const began = Date.now();
  await phone.waitForFunction(robot);
  console.log(`the robot of the landing page walks ${Date.now() - began} ms after the page was loaded`);
  const hero = await phone.locator('.heft-live canvas').first().boundingBox();
  await phone.mouse.move(hero.x + hero.width / 2, hero.y + hero.height / 2);
  await phone.mouse.down();
  await phone.mouse.move(hero.x + hero.width / 2 + 9, hero.y + hero.height / 2, { steps: 2 });
  await phone.waitForFunction(() => document.querySelector('heft-scene').frame.pulled);
  await phone.mouse.up();
  if (!/simulator/i.test(await phone.locator('.VPHero').innerText())) wrong('index.html', 'the hero does not say what this is: a simulator');
  if (pictures) await phone.screenshot({ path: path.join(pictures, 'hero.png') });
  // "Will it hold?": Heft runs, and MuJoCo waits to be asked for (web/test/compare.mjs starts it).
  await phone.locator('heft-compare').scrollIntoViewIfNeeded();
  await phone.waitForFunction(() => document.querySelector('heft-compare').shadowRoot.querySelector('output[data-engine=heft]').value === 'holds: 0 mm/s');
  if (!(await phone.locator('heft-compare button.start').isVisible())) wrong('index.html', 'the comparison with MuJoCo cannot be started');
  if (fs.existsSync(path.join(root, 'app', 'sw.js'))) {
    await phone.locator('.VPHero .action a').first().click();
    await phone.waitForFunction(robot);
    if (!phone.url().includes('/app/')) wrong('index.html', `the first button leads to ${phone.url()}`);
  }
  for (const [name, text] of html) {
    // Each page that asks for scenes has them; one of them, of each kind, runs.
    const wanted = (text.match(/class="heft-live page"/g) ?? []).length;
    if (!wanted) continue;
    const runs = all || ['tutorials/grasping.html', 'tutorials/walking.html', 'manual/validation.html'].includes(name);
    if (!runs) continue;
    await phone.goto(server.address + name, { waitUntil: 'load' });
    await phone.waitForFunction((n) => document.querySelectorAll('.heft-live.page > :is(heft-scene, heft-case)').length === n, wanted);
    const scene = phone.locator('.heft-live.page heft-scene').first();
    await scene.scrollIntoViewIfNeeded();
    await phone.waitForFunction(() => document.querySelector('.heft-live.page heft-scene').frame?.time > 0.2);
    const alert = await phone.evaluate(() => document.querySelector('.heft-live.page heft-scene').shadowRoot.querySelector('p:not([hidden])')?.textContent);
    if (alert) wrong(name, `the live scene says: ${alert}`);
    const over = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) wrong(name, `with live scenes it is ${over} px wider than a screen of 360 px`);
    if (name === 'manual/validation.html') {
      // The second case slides for a second; its answers must be within their limits.
      await phone.locator('heft-case').nth(1).scrollIntoViewIfNeeded();
      await phone.waitForFunction(() => ['ok', 'fails', 'error'].includes(document.querySelectorAll('heft-case article')[1]?.dataset.state));
      const state = await phone.evaluate(() => document.querySelectorAll('heft-case article')[1].dataset.state);
      if (state !== 'ok') wrong(name, `the live case slope-slides ends with "${state}"`);
    } else {
      const buttons = scene.locator('button');
      await buttons.nth(0).click(); // pause
      await phone.waitForFunction(() => !document.querySelector('.heft-live.page heft-scene').playing);
      await buttons.nth(1).click(); // from the start
      await phone.waitForFunction(() => document.querySelector('.heft-live.page heft-scene').frame.time < 0.2);
    }
    if (pictures) await phone.screenshot({ path: path.join(pictures, name.replaceAll('/', '-').replace('.html', '-live.png')) });
    scenes += wanted;
  }
  await narrow.close();
}

const questions = fs.readFileSync(path.join(here, 'questions.txt'), 'utf8').split('\n').filter((l) => l && !l.startsWith('#') && !process.argv.includes('--live'))
  .map((l) => l.split('|').map((s) => s.trim()));
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
page.setDefaultTimeout(120_000);
await page.goto(server.address);
if (pictures) await page.screenshot({ path: path.join(pictures, 'home.png') });
await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__);
await page.locator('#local-search button').first().click();
const box = page.locator('.VPLocalSearchBox input');
let found = 0;
for (const [question, targets] of questions) {
  await box.fill('');
  await page.waitForFunction(() => !document.querySelector('.VPLocalSearchBox .results .result'));
  await box.fill(question);
  await page.waitForFunction(() => document.querySelector('.VPLocalSearchBox .results .result, .VPLocalSearchBox .no-results'));
  const hits = await page.$$eval('.VPLocalSearchBox .results a.result', (as) => as.slice(0, 3).map((a) => a.getAttribute('href')));
  const names = hits.map((h) => h.replace(/^\//, '').replace(/(\.html)?(#.*)?$/, '').replace(/index$/, ''));
  if (targets.split(' ').some((t) => names.includes(t))) found++;
  else wrong('search', `"${question}" finds ${names.join(', ') || 'nothing'}, not ${targets}`);
}
if (pictures) await page.screenshot({ path: path.join(pictures, 'search.png') });
await browser.close();
await server.close();

for (const text of mistakes) console.log(text);
console.log(`site: ${pages.length} pages, ${links} links, ${uses} of them to the glossary, ${looked.length} looked at twice, ${scenes} live scenes, ${found} of ${questions.length} questions found, ${mistakes.length} mistakes`);
process.exitCode = mistakes.length ? 1 : 0;
