#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The code blocks of the pages for users: which of them tests run, and why not the others.

    tools/code_blocks.py            how many blocks are run, compiled or compared, and how many only shown
    tools/code_blocks.py --list     also where those are that are only shown, with their reasons
    tools/code_blocks.py --check    exit code 1 if a block is neither run nor has a marker, or if a line that begins with "heft" has a
                                    verb or an option that docs/manual/command-line.md lacks
    ... [PAGE...]                   default: README.md, docs/manual, docs/tutorials

A block is run (tools/run_snippets.py, js/test/pages.test.mjs) if it is
    ```c with a main(), ```sh, ```python, a whole model in ```xml, ```js with "await init()"; ```text is what the one before prints.
Otherwise a comment stands on the line before it:
    <!-- compiled: DECLARATIONS -->   the block is compiled after these declarations ("none": as a file of its own)
    <!-- inside: MODEL -->            the block is put in place of "@" and checked by heft
    <!-- lines of: FILE -->           each line of the block is in that file, which tests use; comments do not count
    <!-- compared: WITH WHAT -->      a check compares the block with what it shows
    <!-- not run: REASON -->"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKER = re.compile(r'<!-- (compiled|inside|lines of|compared|not run): (.*?) -->$')
COMMAND = re.compile(r'^\s*(?:\$ )?(?:time |nice )?heft ([a-z]+)((?: [^#|&;<>]*)?)')
OPTION = re.compile(r'(?<![\w-])--[a-z][a-z-]*')
ANY = {'--help', '--version', '--verbose'}


class Block:
    def __init__(self, line, kind, body, before):
        self.line, self.kind, self.body = line, kind, body
        self.follows_run = False  # the block before it is run
        found = MARKER.search(before)
        self.marker, self.remark = found.groups() if found else (None, '')

    def is_run(self):
        """The rules of run_snippets.py and pages.test.mjs; text is what a program prints."""
        if self.marker:
            return self.marker != 'not run'
        if self.kind == 'c':
            return bool(re.search(r'\bint main\(', self.body)) and '<heft/view.h>' not in self.body
        if self.kind == 'xml':
            return bool(re.search(r'^<(mujoco|robot)\b', self.body, re.M))
        if self.kind == 'js':
            return 'await init()' in self.body
        return self.kind in ('sh', 'python') or (self.kind == 'text' and self.follows_run)


def blocks(text):
    """Fenced blocks, and indented ones, which are not parts of a list."""
    lines, i, in_list = text.split('\n'), 0, False
    while i < len(lines):
        line = lines[i]
        fence = re.match(r'```(\w*)$', line)
        before = lines[i - 1] if i else ''
        if fence:
            end = next((k for k in range(i + 1, len(lines)) if lines[k] == '```'), len(lines))
            yield Block(i + 1, fence.group(1), '\n'.join(lines[i + 1:end] + ['']), before)
            i = end + 1
            continue
        if line.startswith('    ') and not in_list and (not before.strip() or MARKER.search(before)):
            end = i
            while end < len(lines) and (lines[end].startswith('    ') or not lines[end].strip()):
                end += 1
            body = [part[4:] for part in lines[i:end]]
            yield Block(i + 1, 'indented', '\n'.join(body).rstrip() + '\n', before)
            i = end
            continue
        if line.strip() and not line.startswith(' '):
            in_list = bool(re.match(r'([-*]|\d+\.) ', line))
        i += 1


def options_of_verbs():
    """verb -> its options, from the table that tools/options_page.py writes."""
    with open(os.path.join(ROOT, 'docs/manual/command-line.md'), encoding='utf-8') as file:
        page = file.read()
    shared = {letter: OPTION.findall(cell) for letter, cell in re.findall(r'^\| ([LC]): [^|]* \| (.*) \|$', page, re.M)}
    found = {}
    for verb, cell in re.findall(r'^\| heft ([a-z]+)[^|]* \| (.*) \|$', page, re.M):
        options = found.setdefault(verb, set())
        options.update(OPTION.findall(cell))
        for letter in re.findall(r' ([A-Z])\b', cell):
            options.update(shared[letter])
    return found


def lines_lacking(block):
    """Lines of a block that the file of its marker lacks."""
    with open(os.path.join(ROOT, block.remark), encoding='utf-8') as file:
        known = {line.split(' #')[0].strip() for line in file}
    return [line for line in block.body.splitlines() if line.strip() and line.split(' #')[0].strip() not in known]


def mistakes(page, block, verbs):
    where = '%s:%d' % (page, block.line)
    if not block.is_run() and not block.marker:
        yield '%s: no test runs this block; run it, or say why not: <!-- not run: REASON -->' % where
    if block.marker == 'lines of':
        for line in lines_lacking(block):
            yield '%s: %s has no line "%s"' % (where, block.remark, line.strip())
    if block.kind not in ('', 'indented', 'sh'):
        return
    for line in block.body.replace('\\\n', ' ').splitlines():
        found = COMMAND.match(line)
        if not found or line.startswith('heft 0'):
            continue
        verb, rest = found.groups()
        if verb not in verbs:
            yield '%s: heft has no verb "%s"' % (where, verb)
        # Words behind two blanks explain the line.
        for option in OPTION.findall(re.split(r'  +', rest.strip())[0]):
            if verb in verbs and option not in verbs[verb] | ANY:
                yield '%s: heft %s has no option %s' % (where, verb, option)


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith('--')]
    pages = arguments or ['README.md'] + sorted(glob.glob('docs/manual/*.md', root_dir=ROOT) + glob.glob('docs/tutorials/*.md', root_dir=ROOT))
    verbs, wrong, count, shown = options_of_verbs(), 0, 0, 0
    for page in pages:
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            text = file.read()
        last = None
        for block in blocks(text):
            block.follows_run = last is not None and last.kind != 'text' and last.is_run()
            last = last if block.kind == 'indented' else block
            count, shown = count + 1, shown + (not block.is_run())
            if '--check' in sys.argv:
                for mistake in mistakes(page, block, verbs):
                    wrong += 1
                    print(mistake)
            elif '--list' in sys.argv and not block.is_run():
                print('%s:%d: %s' % (page, block.line, block.remark or 'NO REASON'))
    print('code blocks: %d of %d are run, compiled or compared by tests, %d are shown for a reason, %d mistakes' % (count - shown, count, shown, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
