#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the English of the documents and of the comments: how long sentences of pages are, and how often words
occur by which it reads as foreign.

    tools/check_style.py            a line for each page: sentences, mean words, longest
    tools/check_style.py --check    exit code 1 if the mean of a page is above 18 words, a sentence has more than 40, a word is
                                    too frequent in all pages or in all comments, or the documents have more than 110,000 words
    ... [FILE...]                   default: every page (*.md) of the tree, and the comments of src, include, apps

Code, tables, headings, links' addresses and formulas are no sentences. An item of a list is one or more. The bounds of
frequent words are twice the highest rate in the comments of MuJoCo, Drake, SQLite, libuv and Box3D."""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEAN, LONGEST = 18, 40
# Words of the documents for readers of the site; tokens without a letter or a digit, such as the bars of tables, are none.
DOCUMENTS, WORDS = re.compile(r'docs/|(README|ARCHITECTURE|CONTRIBUTING)\.md$'), 110_000
# Folders without pages of ours: results of builds, packages of others.
FOREIGN = re.compile(r'\./(build|install|site/pages)|.*/(\.git|\.cache|node_modules)$')
# A full stop inside these ends no sentence.
SHORT = re.compile(r'\b(e\.g|i\.e|etc|vs|cf|Fig|Eq|Sec|No|approx|et al)\.', re.I)

# Per 1000 words, and what to write instead.
HABITS = (
    ('stand', r'\bstands?\b', 0.14, 'is, is stored'),
    ('alone', r'\balone\b', 0.08, 'only, by itself'),
    ('that of, those of', r'\b(?:that|those) of\b', 0.1, 'repeat the noun'),
    ('say, tell', r'\b(?:says?|said|tells?|told)\b', 0.28, 'report, state, print'),
    ('take', r'\btakes?\b', 1.1, 'allocate, need, last, use'),
    ('What as the first word', r'(?:^|[.;:] )What\b', 0.02, 'name the subject'),
    ('The same as the first words', r'(?:^|[.] )The same\b', 0.02, 'name it'),
    ('let', r'\blets?\b', 0.1, 'make, allow, or the plain verb'))


def paragraphs(text):
    """Running text: paragraphs and items, without code, tables and headings; with the line at which each begins."""
    block, start, code = [], 0, False
    for number, line in enumerate(text.splitlines() + [''], 1):
        if re.match(r'\s*(```|~~~)', line):
            code = not code
            line = ''
        item = re.match(r'\s*([-*]|\d+\.)\s+', line)
        ends = code or not line.strip() or item or re.match(r'#|\||    (?![ ]*[-*\w].*\w[.,;:]?$)|<!--|!\[', line)
        if ends and block:
            yield start, ' '.join(block)
            block = []
        if code or not line.strip() or re.match(r'#|\||<!--|!\[|---', line) or (line.startswith('    ') and not block):
            continue
        if not block:
            start = number
        block.append(line[item.end():] if item else line.strip())


def sentences(paragraph):
    text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', paragraph)
    text = re.sub(r'`[^`]*`', 'code', text)
    text = re.sub(r'(?:code(?: \([^()]*\))?, ){5,}', '', text)  # a list of names is one word
    text = re.sub(r'\$[^$]*\$', 'formula', text)
    text = SHORT.sub(r'\1', text)
    for part in re.split(r'(?<=[.!?])\s+(?=[\w"(*[`|])', text):
        words = re.findall(r"[A-Za-zÀ-ÿµπω][\w'’-]*|\d[\d.,]*", part)
        if len(words) >= 3:
            yield part, len(words)


def pages():
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if not FOREIGN.match('./' + os.path.relpath(os.path.join(folder, f), ROOT)))
        found += sorted(os.path.relpath(os.path.join(folder, f), ROOT) for f in files if f.endswith('.md'))
    return found


def sources():
    for top in ('src', 'include', 'apps'):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(('.c', '.h', '.cpp')))


class Habits:
    """Frequent words of one kind of text."""

    def __init__(self, kind):
        self.kind, self.words, self.counts, self.places = kind, 0, collections.Counter(), {}

    def add(self, place, text):
        self.words += len(re.findall(r"[A-Za-z']+", text))
        for name, pattern, _, _ in HABITS:
            found = len(re.findall(pattern, text))
            if found:
                self.counts[name] += found
                self.places[name] = place

    def add_comments(self, path):
        with open(path, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                comment = re.search(r'(?:^|\s)//[/!]?<?\s?(.*)', line)
                if comment:
                    self.add('%s:%d' % (os.path.relpath(path, ROOT), number), comment.group(1))

    def judge(self):
        wrong = 0
        for name, _, bound, instead in HABITS:
            rate = 1000 * self.counts[name] / max(self.words, 1)
            if rate > bound:
                wrong += 1
                print('%s: "%s" %.2f times in 1000 words, more than %g; write: %s (last: %s)' % (
                    self.kind, name, rate, bound, instead, self.places[name]))
        return wrong


def judge_length():
    """Whether all documents together are too long."""
    count = 0
    for page in filter(DOCUMENTS.match, pages()):
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            count += sum(bool(re.search(r'\w', word)) for word in file.read().split())
    print('style: the documents have %d words, at most %d' % (count, WORDS))
    return count > WORDS


def main():
    arguments = [a for a in sys.argv[1:] if a != '--check']
    check = '--check' in sys.argv
    wrong = total = words = 0
    comments = Habits('comments')
    for path in [os.path.abspath(a) for a in arguments if not a.endswith('.md')] if arguments else sources():
        comments.add_comments(path)
    wrong += comments.judge()
    for page in [a for a in arguments if a.endswith('.md')] if arguments else pages():
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            text = file.read()
        found = [(line, s, n) for line, p in paragraphs(text) for s, n in sentences(p)]
        if not found:
            continue
        mean = sum(n for _, _, n in found) / len(found)
        longest = max(n for _, _, n in found)
        total += len(found)
        words += sum(n for _, _, n in found)
        if not check:
            print('%-46s %4d sentences, mean %5.1f words, longest %3d' % (page, len(found), mean, longest))
        if mean > MEAN:
            wrong += 1
            print('%s: sentences have %.1f words in the mean, more than %d' % (page, mean, MEAN))
        for line, s, n in found:
            if n > LONGEST:
                wrong += 1
                print('%s:%d: a sentence of %d words: "%s ..."' % (page, line, n, s[:60]))
    if not arguments:
        wrong += judge_length()
    print('style: %d sentences of %.1f words in the mean, %d mistakes' % (total, words / max(total, 1), wrong))
    sys.exit(1 if check and wrong else 0)


if __name__ == '__main__':
    main()
