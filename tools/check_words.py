#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists words of tools/words.txt that the code still uses, with the field's word for each.

    tools/check_words.py            what public headers, programs and src hold
    tools/check_words.py --check    exit code 1 if public headers, texts of programs or pages hold any
    ... [root of the tree]          default: the tree that this script stands in

Public headers: identifiers, and words of comments where the scope is text or source. Pages (README, docs/manual,
docs/tutorials, docs/theory, site/own): words of running text, where the scope is text. Programs (apps, experiments, validation):
the strings, which hold help and messages; a word in them counts where its scope is text or where it
is part of an option (--some-word) or of a name with underscores. src: identifiers, listed and counted."""
import collections
import glob
import os
import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|[A-Za-z_]\w*', re.S)
SEGMENT = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+')
NAME = re.compile(r'--[a-z][a-z-]+|\b[a-z]+(?:_[a-z]+)+\b')
WORD = re.compile(r'[A-Za-z]+')
FENCE = re.compile(r'\s*(```|~~~)')
NOT_PROSE = re.compile(r'`[^`]*`|\]\([^)]*\)|<!--.*-->')
PAGES = ['README.md', 'docs/manual/*.md', 'docs/tutorials/*.md', 'docs/theory/*.md', 'site/own/*.md']


def read_table(path):
    """Forbidden words: word -> (scope, field's word); exceptions: (pattern, words)."""
    words, allowed = {}, []
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.split('#')[0].strip()
            if not line:
                continue
            kind, _, rest = line.partition(' ')
            # A pattern may hold "|": the last two columns are split off from the right.
            cells = [cell.strip() for cell in rest.rsplit('|', 2)]
            if len(cells) != 3 or kind not in ('word', 'allow'):
                sys.exit('%s:%d: not "word ... | scope | field\'s word" nor "allow ... | word | reason"' % (path, number))
            if kind == 'word':
                for word in cells[0].split():
                    words[word] = (cells[1], cells[2])
            else:
                allowed.append((re.compile(cells[0]), cells[1].split()))
    return words, allowed


class Checker:
    def __init__(self, root):
        self.words, self.allowed = read_table(os.path.join(root, 'tools', 'words.txt'))

    def in_identifier(self, name):
        """The forbidden words that are parts of an identifier."""
        for part in SEGMENT.findall(name):
            word = part.lower()
            if word in self.words and not any(word in ws and p.fullmatch(name) for p, ws in self.allowed):
                yield word

    def in_text(self, text):
        """The forbidden words of a prose text, and those of the names in it."""
        for name in NAME.findall(text):
            for word in self.in_identifier(name.lstrip('-').replace('-', '_')):
                yield word, name
        for word in WORD.findall(NAME.sub(' ', text)):
            if self.words.get(word.lower(), ('', ''))[0] in ('text', 'source'):
                yield word.lower(), word

    def in_page(self, path):
        """(line, word, where it stands) of the forbidden words in the running text of a Markdown page."""
        code = False
        with open(path, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                code ^= bool(FENCE.match(line))
                if code or line.startswith('    '):
                    continue
                for word in WORD.findall(NOT_PROSE.sub(' ', line)):
                    if self.words.get(word.lower(), ('', ''))[0] == 'text':
                        yield number, word.lower(), word

    def findings(self, text, comments, strings, code):
        """(offset, word, where it stands) of everything forbidden in a source text."""
        for match in TOKEN.finditer(text):
            token = match.group(0)
            if token[0] == '"':
                found = self.in_text(token) if strings else ()
            elif token.startswith(('//', '/*')):
                found = self.in_text(token) if comments else ()
            elif code and token[0] != "'":
                found = ((word, token) for word in self.in_identifier(token))
            else:
                found = ()
            for word, where in found:
                yield match.start(), word, where

    def look(self, path, **parts):
        with open(path, encoding='utf-8') as file:
            text = file.read()
        for offset, word, where in self.findings(text, **parts):
            yield text.count('\n', 0, offset) + 1, word, where


def sources(folder):
    for at, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(('.c', '.h', '.cpp')):
                yield os.path.join(at, name)


def main():
    arguments = sys.argv[1:]
    check = '--check' in arguments
    arguments = [a for a in arguments if a != '--check']
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.chdir(root)
    checker = Checker('.')
    errors, files = 0, 0
    texts = dict(code=False, comments=False, strings=True)
    for folder, parts in (('include/heft', dict(code=True, comments=True, strings=True)), ('apps', texts),
                          ('experiments', texts), ('validation', texts)):
        for path in sources(folder):
            files += 1
            for line, word, where in checker.look(path, **parts):
                print('%s:%d: "%s" in %s: the field says %s' % (path, line, word, where, checker.words[word][1]))
                errors += 1
    pages = [path for pattern in PAGES for path in sorted(glob.glob(pattern))]
    for path in pages:
        for line, word, where in checker.in_page(path):
            print('%s:%d: "%s" in %s: the field says %s' % (path, line, word, where, checker.words[word][1]))
            errors += 1
    if files == 0:
        sys.exit('check_words: there is nothing to check in ' + root)
    if not check:
        names = collections.Counter()
        for path in sources('src'):
            names.update(checker.words[word][1] + ': ' + where
                         for _, word, where in checker.look(path, code=True, comments=False, strings=False))
        for name, count in sorted(names.items()):
            print('src: %4d  %s' % (count, name))
        print('src: %d identifiers in %d places' % (len(names), sum(names.values())))
    if errors:
        print('words: %d in public headers, texts of programs and pages; docs/glossary.md has the field\'s words' % errors)
        return 1 if check else 0
    print('words: %d public headers and sources of programs, and %d pages, use the words of the field' % (files, len(pages)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
