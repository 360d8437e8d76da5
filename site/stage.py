#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the pages of the site together in site/pages, from the Markdown of the repository and the headers.

Pages keep the names that they have under docs; those of the root of the repository go to project/. The
Markdown of the repository stays as it is: this script gives each page a title and a description (its first
sentences), links terms of the glossary at their first use, and turns links that leave the documents into links to
copies of the files (source/PATH.txt).
The reference of C is written by tools/c_reference.py, that of Python by python/python_reference.py."""
import json
import os
import re
import shutil
import subprocess
import sys

SITE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(SITE)
PAGES = os.path.join(SITE, 'pages')
PROJECT = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'README.md', 'GOVERNANCE.md', 'CODE_OF_CONDUCT.md']
LINK = re.compile(r'(\]\()([^)\s]+)((?:\s+"[^"]*")?\))')
FENCE = re.compile(r'^[ \t]*(```|~~~)')
LINKED = re.compile(r'^docs/(manual|tutorials|theory|decisions|internals)/')
sources = set()


def page_of(path):
    """Where a Markdown file of the repository is in the site, or None."""
    if path.startswith('docs/') and path.endswith('.md'):
        # A README is the first page of its folder.
        return re.sub(r'(^|/)README\.md$', r'\1index.md', path[5:])
    if path in PROJECT:
        return 'project/' + path.lower()
    return None


def link_target(target, path, page):
    """A link of the file `path`, shown as `page`, as the site needs it."""
    if re.match(r'[a-z]+:', target) or target.startswith('#'):
        return target
    name, hash_, anchor = target.partition('#')
    full = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if os.path.isdir(os.path.join(ROOT, full)):
        if full.startswith('docs/') or full == 'docs':
            inside = full[5:] + '/index.md'
        else:
            inside = 'source/' + full + '/index.md'
            sources.add(full)
    elif page_of(full):
        inside = page_of(full)
    elif full.startswith('docs/'):
        inside = full[5:]  # a picture
    else:
        sources.add(full)
        return '/source/' + full + '.txt'
    relative = os.path.relpath(inside, os.path.dirname(page) or '.')
    if not relative.startswith('.'):
        relative = './' + relative
    return relative + hash_ + anchor


def plain(text):
    text = re.sub(r'!\[[^\]]*\]\([^)]*\)', '', text)
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', text)
    return ' '.join(re.sub(r'[`*\\]', '', text).split())


def head_of(text):
    """Title and description: the first heading, and the first sentences of the first paragraph."""
    title = re.search(r'^# (.+)$', text, re.M)
    title = plain(title.group(1)) if title else ''
    for paragraph in re.split(r'\n\s*\n', text):
        lines = paragraph.strip()
        if not lines or lines.startswith(('#', '|', '```', '    ', '![', '<!--', '---', 'Status')):
            continue
        words = plain(re.sub(r'^([-*]|\d+\.) ', '', lines))
        if len(words) < 30:
            continue
        description = words if len(words) <= 160 else words[:157].rsplit(' ', 1)[0] + ' …'
        return title, description
    return title, title


def terms_of(text):
    """Terms of the glossary: word -> anchor of its row. Names of code and the words of plain_words.txt are left out."""
    plain = set()
    for line in read('site/plain_words.txt').splitlines():
        if not line.startswith('#'):
            plain |= {word.strip() for word in line.split(',')}
    found = {}
    for names in re.findall(r'^\| (?!term \|)([^|]+) \|', text, re.M):
        for name in names.split(', '):
            name = re.sub(r' of an? .*$', '', name.strip())
            if '`' not in name and name not in plain:
                found.setdefault(name, term_anchor(names))
    return found


def term_anchor(names):
    return 'term-' + re.sub(r'[^a-z0-9]+', '-', names.split(', ')[0].lower()).strip('-')


def with_anchors(text):
    """The glossary with an anchor at each row."""
    return re.sub(r'^\| (?!term \|)([^|]+) \|', lambda m: '| %s {#%s} |' % (m.group(1), term_anchor(m.group(1))), text, flags=re.M)


class Terms:
    """Links the terms of the glossary at their first use in the running text of a page."""

    def __init__(self, page):
        self.left = dict(GLOSSARY)
        self.address = os.path.relpath('glossary.md', os.path.dirname(page) or '.')

    def link(self, lines):
        """The lines of a page, with links. A paragraph is looked at as a whole, because a term may go on in the next line."""
        out, block, code = [], [], False
        for line in lines + ['']:
            code ^= bool(FENCE.match(line))
            if not code and line.strip() and not re.match(r'\s*(#|\||\$\$|```|~~~|!\[)|    ', line):
                block.append(line)
                continue
            out += self.link_text('\n'.join(block)).split('\n') if block else []
            out.append(line)
            block = []
        return out[:-1]

    def link_text(self, text):
        # Not in code, links, pictures, formulas and references of the literature.
        parts = re.split(r'(`+[^`]*`+|!?\[[^\]]*\](?:\([^)]*\))?|\$[^$]*\$|https?:\S+)', text)
        for i in range(0, len(parts), 2):
            parts[i] = TERM.sub(self.replace, parts[i])
        return ''.join(parts)

    def replace(self, found):
        shown = found.group(0)
        word = ' '.join(shown.split())
        term = next((t for t in (word, word[0].lower() + word[1:], word[:-1], word[0].lower() + word[1:-1]) if t in GLOSSARY), None)
        anchor = self.left.get(term)
        if not anchor:
            return shown
        self.left = {t: a for t, a in self.left.items() if a != anchor}
        return '[%s](%s#%s){.term}' % (shown, self.address, anchor)


LIVE = re.compile(r'^<!-- (live|case): (\S+)((?: [a-z-]+=\S+)*) -->\n!\[([^\]]*)\]\(([^)\s]+)\)$', re.M)


def live_scene(found, text, path, page):
    """The comment "live: MODEL NAME=VALUE..." or "case: NAME" before a picture, as a fence that the theme turns into a live scene
    (Live.vue). A model is a file of the repository, or one that the page writes by cat > NAME <<'END'. The picture stays where
    there is no engine."""
    kind, name, attributes, label, picture = found.groups()
    data = dict(part.split('=', 1) for part in attributes.split())
    if 'key' in data:
        data['start'] = data.pop('key')  # Vue keeps "key" for itself
    data.update(label=label, picture=link_target(picture, path, page))
    if kind == 'case':
        data['name'] = name
    else:
        written = re.search(r"^cat > %s <<'END'\n(.*?)^END$" % re.escape(name), text, re.S | re.M)
        model = written.group(1) if written else read(name)
        data['src'] = 'live/' + (page[:-3] + '/' + name if written else name)
        write('public/' + data['src'], model)
    return '```live\n%s\n```' % json.dumps(data)


def stage(text, path, page):
    """A page of the site from the text of a file."""
    out, code = [], False
    terms = Terms(page) if LINKED.match(path) else None
    if path == 'docs/glossary.md':
        text = with_anchors(text)
    text = LIVE.sub(lambda found: live_scene(found, text, path, page), text)
    title, description = head_of(text)
    for line in text.splitlines():
        if FENCE.match(line):
            code = not code
        if not code and re.fullmatch(r'\s*<!--.*-->\s*', line):
            continue
        if not code:
            parts = re.split(r'(`+[^`]*`+)', line)
            for i in range(0, len(parts), 2):
                parts[i] = parts[i].replace('{{', '{&#8203;{')
            line = LINK.sub(lambda m: m.group(1) + link_target(m.group(2), path, page) + m.group(3), ''.join(parts))
        out.append(line)
    out = terms.link(out) if terms else out
    quote = lambda s: '"' + s.replace('\\', '').replace('"', "'") + '"'
    return '---\ntitle: %s\ndescription: %s\n---\n\n%s\n' % (quote(title), quote(description), '\n'.join(out))


def write(page, text):
    path = os.path.join(PAGES, page)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8', errors='replace') as file:
        return file.read()


GLOSSARY = terms_of(read('docs/glossary.md'))
TERM = re.compile(r'(?<![\w/-])(?:%s)s?(?![\w-])' % '|'.join(
    '[%s%s]%s' % (t[0].upper(), t[0].lower(), re.escape(t[1:]).replace('\\ ', r'\s+')) for t in sorted(GLOSSARY, key=len, reverse=True)))


def documents():
    for folder, _, names in os.walk(os.path.join(ROOT, 'docs')):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith('.md'):
                write(page_of(path), stage(read(path), path, page_of(path)))
            elif re.search(r'\.(png|svg|jpg|webp|mp4|gif)$', name):
                # Films are links, which the builder does not follow: they keep their names.
                target = os.path.join(PAGES, 'public' if name.endswith('.mp4') else '', path[5:])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(ROOT, path), target)
    for path in PROJECT:
        if os.path.exists(os.path.join(ROOT, path)):
            write(page_of(path), stage(read(path), path, page_of(path)))


def lists_of_pages():
    """First pages of folders that have none: decisions, theory, internals, experiments."""
    heads = {'releases': ('Releases', 'What each version brought, what programs must change, and what is missing.'),
             'decisions': ('Decisions', 'Why Heft is as it is: one page for each decision, with what was measured.'),
             'theory': ('Theory', 'The mathematics of Heft: the laws, their discretisation, and how they are solved.'),
             'internals': ('Internals', 'The rooms of the source, for people who change it.'),
             'manual/experiments': ('All experiments', 'Each experiment of the source papers, with figures and verdicts.')}
    for folder, (title, text) in heads.items():
        at = os.path.join(PAGES, folder)
        if not os.path.isdir(at) or os.path.exists(os.path.join(at, 'index.md')):
            continue
        rows = []
        for name in sorted(os.listdir(at)):
            if name.endswith('.md'):
                found = re.search(r'^title: "(.*)"$', open(os.path.join(at, name), encoding='utf-8').read(), re.M)
                rows.append('- [%s](./%s)' % (found.group(1) if found else name, name))
        write(folder + '/index.md', '---\ntitle: "%s"\ndescription: "%s"\n---\n\n# %s\n\n%s\n\n%s\n'
              % (title, text, title, text, '\n'.join(rows)))


def copies():
    """Files that pages link to, as text; folders as lists."""
    tracked = subprocess.run(['git', 'ls-files'], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split('\n')
    for path in sorted(sources):
        full = os.path.join(ROOT, path)
        if os.path.isdir(full):
            files = [f for f in tracked if f.startswith(path + '/') and re.search(r'\.(c|h|py|xml|toml|csv|txt|md|js|urdf|sh)$', f)]
            rows = ['- [%s](/source/%s.txt)' % (f[len(path) + 1:], f) for f in files]
            write('source/' + path + '/index.md', '---\ntitle: "%s"\ndescription: "Files of the folder %s of the source of Heft"\nsearch: false\n---\n\n'
                  '# %s\n\nFiles of this folder of the source.\n\n%s\n' % (path, path, path, '\n'.join(rows)))
        else:
            files = [path]
        for f in files:
            target = os.path.join(PAGES, 'public', 'source', f + '.txt')
            if os.path.isfile(os.path.join(ROOT, f)):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(ROOT, f), target)


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    documents()
    lists_of_pages()
    subprocess.run([sys.executable, os.path.join(ROOT, 'tools', 'c_reference.py'), os.path.join(PAGES, 'reference', 'c')], check=True)
    subprocess.run([sys.executable, os.path.join(ROOT, 'python', 'python_reference.py'), os.path.join(PAGES, 'reference', 'python')],
                   check=True)
    for name in os.listdir(os.path.join(SITE, 'own')):  # pages with a head of their own
        text = read('site/own/' + name)
        write(name, LINK.sub(lambda m: m.group(1) + link_target(m.group(2), 'site/own/' + name, name) + m.group(3), text))
    os.makedirs(os.path.join(PAGES, 'public'), exist_ok=True)
    copies()
    print('site: %d pages' % sum(n.endswith('.md') for _, _, names in os.walk(PAGES) for n in names))


if __name__ == '__main__':
    main()
