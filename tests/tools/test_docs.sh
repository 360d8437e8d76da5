#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_docs.sh and tools/check_spdx.sh pass on the tree and notice what they are meant to.
. tests/tools/plant.sh

passes "the pages of the tree" tools/check_docs.sh
passes "the licences of the tree" tools/check_spdx.sh

page() {
  fresh_copy
  mkdir -p "$tree/docs"
  cp "$repository/LICENSE" "$tree/"
  printf '%s\n' "$1" >"$tree/docs/planted.md"
}
# The path is put together here so that this file does not hold it.
private=/ho
private=${private}me/somebody/heft

page 'See [the missing page](missing.md).'
fails "a link that leads nowhere" 'docs/planted.md:1: the link "missing.md" leads nowhere' \
  tools/check_docs.sh "$tree"
page 'See [the read me](../README.md#no-such-heading).'
fails "a heading that is not there" 'there is no heading "no-such-heading"' tools/check_docs.sh "$tree"
page "Type cd $private to begin."
fails "a private path" 'docs/planted.md:1:' tools/check_docs.sh "$tree"
# shellcheck disable=SC2016  # the ` are Markdown
page '# One `code` heading
See [above](#one-code-heading), [the licence](../LICENSE), [elsewhere](https://example.org/x).
```
[not a link](in/a/code/block)
```'
passes "good links" tools/check_docs.sh "$tree"

fresh_copy
printf 'int x;\n' >"$tree/src/base/planted.c"
fails "a file without a licence" 'src/base/planted.c:1:' tools/check_spdx.sh "$tree"

finish
