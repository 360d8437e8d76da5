#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the documents as plain HTML files, for the Debian package heft-doc: no script, no network, no npm.

Pages are those of the site (site/stage.py): docs, the documents of the root, and the reference of C. A link to a
file of examples leads to the folder beside the pages; a link to another file of the source becomes its text.
Needs cmark-gfm. Ends with an error if a link or an anchor of a page leads nowhere.

usage: manual_html.py FOLDER
"""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'site'))
import stage  # noqa: E402

PICTURE = re.compile(r'\.(png|svg|jpg|webp)$')
STYLE = """body { font: 1rem/1.5 sans-serif; max-width: 56rem; margin: 0 auto; padding: 0 1rem 4rem; color: #1b1f24; background: #fff }
nav { padding: .8rem 0; border-bottom: 1px solid #ccc } nav a { margin-right: 1.2rem }
a { color: #1a56a8 } img { max-width: 100% } h1, h2, h3 { line-height: 1.2 }
pre, code { font-family: monospace; background: #f2f4f7 } pre { padding: .7rem; overflow-x: auto } code { padding: 0 .15rem }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { border: 1px solid #ccc; padding: .25rem .5rem; text-align: left; vertical-align: top }
@media (prefers-color-scheme: dark) { body { color: #e4e7eb; background: #16181c } a { color: #8ab8ff } pre, code { background: #23272e } th, td, nav { border-color: #444 } }
"""
PARTS = (('index.html', 'Start'), ('manual/index.html', 'Manual'), ('tutorials/index.html', 'Tutorials'),
         ('reference/c/index.html', 'C reference'), ('theory/index.html', 'Theory'), ('glossary.html', 'Glossary'))
TEXTS = {'theory': 'The mathematics of Heft', 'decisions': 'Reasons for the form of Heft', 'internals': 'The rooms of the source'}


def sources(scratch):
    """Markdown by the path of its page: (text, path that its links start from)."""
    found = {}
    for folder, _, names in os.walk(os.path.join(ROOT, 'docs')):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith('.md'):
                found[stage.page_of(path)] = (stage.read(path), path)
    for path in stage.PROJECT:
        if os.path.exists(os.path.join(ROOT, path)):
            found[stage.page_of(path)] = (stage.read(path), path)
    subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'tools', 'c_reference.py'), scratch], check=True, stdout=subprocess.DEVNULL)
    for name in sorted(os.listdir(scratch)):
        text = re.sub(r'\A---\n.*?\n---\n', '', open(os.path.join(scratch, name), encoding='utf-8').read(), flags=re.S)
        found['reference/c/' + name] = (text, None)
    return found


def slug(heading):
    """The anchor of a heading, as tools/check_docs.sh has it."""
    text = html.unescape(re.sub(r'<[^>]*>', '', heading)).lower()
    return re.sub(r'[^a-z0-9 _-]', '', text).replace(' ', '-')


def target_of(link, page, path, pages, wrong):
    """Where a link of a page leads in the folder; None if the file is not there."""
    if re.match(r'[a-z]+:', link):
        return link
    name, mark, anchor = link.partition('#')
    here = os.path.dirname(page) or '.'
    if not name:
        return link
    if path is None:  # written for the site
        inside = os.path.normpath(os.path.join(here, name))
    else:
        full = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if full.split('/')[0] == 'examples':
            return os.path.relpath('../' + full, here)
        inside = stage.page_of(full) or (full[5:] if full.startswith('docs/') else None)
        if inside is None:
            return None
    if inside + '/index.md' in pages:
        inside += '/index.md'
    if inside in pages:
        inside = inside[:-3] + '.html'
    elif not os.path.exists(os.path.join(ROOT, 'docs', inside)):
        wrong.append('%s: the link "%s" leads nowhere' % (page, link))
    elif not PICTURE.search(inside):
        return None  # films and folders stay in the source
    return os.path.relpath(inside, here) + mark + anchor


def page_html(text, page, path, pages, wrong):
    body = subprocess.run(['cmark-gfm', '--unsafe', '-e', 'table', '-e', 'strikethrough'], input=text, capture_output=True, text=True,
                          check=True).stdout
    body = re.sub(r'<!--.*?-->\n?', '', body, flags=re.S)
    anchors = set()

    def heading(m):
        level, inner = m.group(1), m.group(2)
        named = re.search(r'\s*\{#([^}]+)\}$', inner)
        anchor = named.group(1) if named else slug(inner)
        anchors.add(anchor)
        return '<h%s id="%s">%s</h%s>' % (level, anchor, inner[:named.start()] if named else inner, level)

    def link(m):
        target = target_of(html.unescape(m.group(1)), page, path, pages, wrong)
        return m.group(2) if target is None else '<a href="%s">%s</a>' % (html.escape(target), m.group(2))

    def picture(m):
        return '<img src="%s"' % html.escape(target_of(html.unescape(m.group(1)), page, path, pages, wrong) or '')

    body = re.sub(r'<h([1-6])>(.*?)</h\1>', heading, body, flags=re.S)
    body = re.sub(r'<a href="([^"]*)"[^>]*>(.*?)</a>', link, body, flags=re.S)
    body = re.sub(r'<img src="([^"]*)"', picture, body)
    return body, anchors


def framed(title, body, page):
    here = os.path.dirname(page) or '.'
    parts = ''.join('<a href="%s">%s</a>' % (os.path.relpath(p, here), name) for p, name in PARTS)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            '<title>%s</title><link rel="stylesheet" href="%s"></head>\n<body><nav>%s</nav>\n%s</body></html>\n'
            % (html.escape(title), os.path.relpath('style.css', here), parts, body))


def lists(pages):
    """First pages of folders that have none, and the first page of all."""
    for folder, text in TEXTS.items():
        rows = ['- [%s](%s)' % (stage.head_of(pages[p][0])[0], os.path.basename(p)) for p in sorted(pages) if os.path.dirname(p) == folder]
        pages[folder + '/index.md'] = ('# %s\n\n%s.\n\n%s\n' % (folder.capitalize(), text, '\n'.join(rows)), None)
    pages['index.md'] = (
        '# Heft\n\nHeft simulates robots, humans and tools with exact Coulomb friction, and certifies every step.\n\n'
        '- [Manual](manual/index.md), [tutorials](tutorials/index.md)\n- [Reference of the C interface](reference/c/index.md)\n'
        '- [Theory](theory/index.md), [glossary](glossary.md), [references](references.md)\n'
        '- [Decisions](decisions/index.md), [internals](internals/index.md), [architecture](project/architecture.md)\n'
        '- [Changes](project/changelog.md), [security](project/security.md)\n- [Examples](../examples)\n', 'docs/README.md')


def check_anchors(out, anchors, wrong):
    for page in anchors:
        text = open(os.path.join(out, page), encoding='utf-8').read()
        for target in re.findall(r'<a href="([^"]*#[^"]*)"', text):
            name, _, anchor = html.unescape(target).partition('#')
            other = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
            if not re.match(r'[a-z]+:', target) and anchor not in anchors.get(other, ()):
                wrong.append('%s: there is no anchor "%s"' % (page, target))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out, wrong, anchors = sys.argv[1], [], {}
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        pages = sources(scratch)
    lists(pages)
    for page, (text, path) in sorted(pages.items()):
        body, found = page_html(text, page, path, pages, wrong)
        file = page[:-3] + '.html'
        anchors[file] = found
        os.makedirs(os.path.join(out, os.path.dirname(file)), exist_ok=True)
        with open(os.path.join(out, file), 'w', encoding='utf-8') as target:
            target.write(framed(stage.head_of(text)[0] or 'Heft', body, file))
    for folder, _, names in os.walk(os.path.join(ROOT, 'docs')):
        for name in filter(PICTURE.search, names):
            path = os.path.join(folder, name)
            target = os.path.join(out, os.path.relpath(path, os.path.join(ROOT, 'docs')))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)
    with open(os.path.join(out, 'style.css'), 'w', encoding='utf-8') as file:
        file.write(STYLE)
    check_anchors(out, anchors, wrong)
    print('\n'.join(wrong + ['manual: %d pages, %d mistakes' % (len(pages), len(wrong))]))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
