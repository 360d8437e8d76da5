#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_style.py and codespell pass on the tree, and notice long sentences and misspelt words.
. tests/tools/plant.sh
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

passes "all pages" tools/check_style.py --check
listed=$(tools/check_style.py)
for page in README.md docs/internals/world.md docs/decisions/026-warm-newton-steps.md ARCHITECTURE.md CHANGELOG.md; do
  case $listed in *"$page "*) ;; *) echo "NOT ok: the sentences of $page are not measured" && failures=$((failures + 1)) ;; esac
done
forty='one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten'
page=$work/page.md
printf '# A page\n\nShort sentences are here. Another one is here.\n\n- And it %s.\n' "$forty" >"$page"
fails "a sentence that is too long" 'page.md:5: a sentence of 42 words' tools/check_style.py --check "$page"
printf '# A page\n\nAll of it %s. A short sentence is here.\n' "${forty% six seven eight nine ten}" >"$page"
fails "sentences that are long in the mean" 'more than 18' tools/check_style.py --check "$page"
# shellcheck disable=SC2016  # a page with code
printf '# A page\n\nThis is `%s`.\n\n    %s\n\n| %s |\n' "$forty" "$forty" "$forty" >"$page"
passes "code and tables are no sentences" tools/check_style.py --check "$page"

printf '// What a file says stands here alone.\nint stands_alone;\n' >"$work/file.c"
fails "words that are too frequent in comments" 'comments: "stand" 142' tools/check_style.py --check "$work/file.c"
printf '// The head of a file states its subject.\nint stands_alone;\n' >"$work/file.c"
passes "names are no comments" tools/check_style.py --check "$work/file.c"

# Code blocks that no test runs must say why; lines with heft must have verbs and options that exist.
passes "the code blocks of the pages" tools/code_blocks.py --check
# shellcheck disable=SC2016  # the ` are Markdown
printf '# A page\n\nDo this:\n\n    ./never --run\n\n```c\nint x;\n```\n\n<!-- not run: needs a robot -->\n    heft run --tme 2 a.xml\n    heft rum a.xml\n' >"$page"
fails "a block that is not run" 'page.md:5: no test runs this block' tools/code_blocks.py --check "$page"
fails "a part of a program that is not compiled" 'page.md:7: no test runs this block' tools/code_blocks.py --check "$page"
fails "an option that does not exist" 'page.md:12: heft run has no option --tme' tools/code_blocks.py --check "$page"
fails "a verb that does not exist" 'page.md:12: heft has no verb "rum"' tools/code_blocks.py --check "$page"
# shellcheck disable=SC2016  # the ` are Markdown
printf '# A page\n\n<!-- lines of: examples/sweep/push.toml -->\n    seed = 8\n' >"$page"
fails "a line that a file lacks" 'examples/sweep/push.toml has no line "seed = 8"' tools/code_blocks.py --check "$page"

# Tables of figures need the command that measures them.
passes "the figures of the pages" tools/check_figures.py --check
printf '# A page\n\nSome words.\n\n| scene | time [ms] |\n|---|---|\n| a | 3.1 |\n' >"$page"
fails "figures without a command" 'page.md:5: figures without the command' tools/check_figures.py --check "$page"
# measured <rest of the sentence>: a page with a table of figures
measured() {
  # shellcheck disable=SC2016  # the ` are Markdown
  printf '# A page\n\nMeasured by `heft bench contact`%s.\n\n| scene | time [ms] |\n|---|---|\n| a | 3.1 |\n' "$1" >"$page"
}
measured ''
fails "figures without a version" 'page.md:5: figures without the version of Heft' tools/check_figures.py --check "$page"
measured ', Heft 0.1.0'
fails "figures of an older version" 'page.md:1: figures of Heft 0.1; measure them again' tools/check_figures.py --check "$page"
measured ", Heft $(tools/version.py) and MuJoCo 2.2.2"
fails "an engine of 2022" 'page.md:1: MuJoCo 2.2 is of 2022; state the year' tools/check_figures.py --check "$page"
measured ", Heft $(tools/version.py) and MuJoCo 2.2.2 of 2022"
passes "figures with a command, a version and a year" tools/check_figures.py --check "$page"
# shellcheck disable=SC2016  # the ` are Markdown
printf '# A page\n\n- Nothing older here.\n- In a run of 16\n  November 2026 nothing fell (`heft run a.xml`).\n' >"$page"
fails "a date before the last release" 'page.md:4: 16 November 2026 is not after the last release' tools/check_figures.py --check "$page"
# shellcheck disable=SC2016  # the ` are Markdown
printf '# A page\n\nOn 16 November 2026 nothing fell (`heft run a.xml`, Heft 0.2.0, older).\n' >"$page"
passes "an older figure that is called so" tools/check_figures.py --check "$page"
# Without pages it reads all of them: one figure of 0.1 in a page of the internals fails.
fresh_copy
printf '\nMeasured on 14 October 2026 with Heft 0.1.0.\n' >>"$tree/docs/internals/gate.md"
fails "an old figure in any page" 'figures of Heft 0.1; measure them again' "$tree/tools/check_figures.py"

if command -v codespell >/dev/null; then
  fresh_copy
  cp "$repository/.codespellrc" "$tree"
  echo 'The positon is wrong.' >>"$tree/docs/papers.md"
  # shellcheck disable=SC2016  # $1 is of the other shell
  fails "a misspelt word" 'positon ==> position' sh -c 'cd "$1" && codespell .' sh "$tree"
fi

finish
