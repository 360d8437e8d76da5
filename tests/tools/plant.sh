# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For the tests of the scripts in tools/: a copy of the tree to plant mistakes in. Sourced, with the
# repository root as the current folder.
set -eu

repository=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failures=0

# fresh_copy: $tree is a copy of what the checks look at. The tree is copied once, with old dates; later
# calls take back what was written since. A test may write and change files, but not remove them.
fresh_copy() {
  if [ -e "$work/copied" ]; then
    find "$tree" -type f -newer "$work/copied" | while IFS= read -r file; do
      rm "$file"
      if [ -e "$repository/${file#"$tree"/}" ]; then
        cp "$repository/${file#"$tree"/}" "$file"
        touch -d 2000-01-01 "$file"
      fi
    done
    find "$tree" -type d -empty -delete
    return
  fi
  tree=$work/tree
  mkdir "$tree"
  for part in include src apps bench examples experiments validation models scenes python batch tools tests docs cmake; do
    if [ -e "$repository/$part" ]; then
      cp -R "$repository/$part" "$tree/$part"
    fi
  done
  if [ -e "$repository/web/README.md" ]; then  # its packages are large
    mkdir "$tree/web"
    cp "$repository"/web/*.md "$tree/web/"
  fi
  cp "$repository"/*.md "$repository/CMakeLists.txt" "$repository/.clang-format" "$tree/"
  find "$tree" -type f -exec touch -d 2000-01-01 {} +
  touch -d 2001-01-01 "$work/copied"
}

# passes <what> <command...>
passes() {
  what=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    echo "ok: $what"
  else
    echo "NOT ok: $what: the check complains:"
    cat "$work/output"
    failures=$((failures + 1))
  fi
}

# fails <what> <text the message must hold> <command...>
fails() {
  what=$1 text=$2
  shift 2
  if "$@" >"$work/output" 2>&1; then
    echo "NOT ok: $what: the check did not notice"
    failures=$((failures + 1))
  elif ! grep -qF -- "$text" "$work/output"; then
    echo "NOT ok: $what: the message lacks \"$text\":"
    cat "$work/output"
    failures=$((failures + 1))
  else
    echo "ok: $what"
  fi
}

# also <what> <text>: the output of the last check holds the text, too
also() {
  if grep -qF -- "$2" "$work/output"; then
    echo "ok: $1"
  else
    echo "NOT ok: $1: the message lacks \"$2\""
    failures=$((failures + 1))
  fi
}

finish() {
  [ "$failures" -eq 0 ]
}
