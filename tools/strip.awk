# SPDX-License-Identifier: Apache-2.0
# Prints C source with comments removed and the insides of strings and character constants emptied,
# line for line, so that what is left is code and line numbers still hold. #include lines are kept.
# With -v place=1 each line begins with its file and number: "file:12:".
FNR == 1 { in_comment = 0 }
{
  at = place ? FILENAME ":" FNR ":" : ""
  line = $0
  if (!in_comment && line ~ /^[ \t]*#[ \t]*include/) {
    print at line
    next
  }
  out = ""
  n = length(line)
  quote = ""
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1)
    two = substr(line, i, 2)
    if (in_comment) {
      if (two == "*/") {
        in_comment = 0
        i++
      }
    } else if (quote != "") {
      if (c == "\\") {
        i++
      } else if (c == quote) {
        out = out c
        quote = ""
      }
    } else if (two == "//") {
      break
    } else if (two == "/*") {
      in_comment = 1
      out = out " "
      i++
    } else {
      if (c == "\"" || c == "'") quote = c
      out = out c
    }
  }
  print at out
}
