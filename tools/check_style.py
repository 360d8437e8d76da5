#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the sentences of the documents: how long they are, page by page.

    tools/check_style.py            a line for each page: sentences, mean words, longest
    tools/check_style.py --check    exit code 1 if the mean of a page is above 18 words or a sentence has more than 40
    ... [PAGE...]                   default: every page (*.md) of the tree, for users and for developers

Code, tables, headings, links' addresses and formulas are no sentences. An item of a list is one or more."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEAN, LONGEST = 18, 40
# Folders without pages of ours: results of builds, packages of others.
FOREIGN = re.compile(r'\./(build|install|site/pages)|.*/(\.git|\.cache|node_modules)$')
# A full stop inside these ends no sentence.
SHORT = re.compile(r'\b(e\.g|i\.e|etc|vs|cf|Fig|Eq|Sec|No|approx|et al)\.', re.I)


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


def main():
    arguments = [a for a in sys.argv[1:] if a != '--check']
    check = '--check' in sys.argv
    wrong = total = words = 0
    for page in arguments or pages():
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
    print('style: %d sentences of %.1f words in the mean, %d mistakes' % (total, words / max(total, 1), wrong))
    sys.exit(1 if check and wrong else 0)


if __name__ == '__main__':
    main()
