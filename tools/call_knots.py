#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure call knots of src/, and list the functions of src/world that take the whole world.

Call knots. A function definition is a name, a parameter list and a body at file scope, found after
comments, literals and preprocessor lines are removed. A file calls another file of its room if the
body of one of its functions names a function that is defined in the other file with external
linkage; taking the address of a function counts as a call. Functions that are defined in a header
belong to the header. A knot is a strongly connected component of at least two files in this graph.
Files are counted per room: src/io/a.c and src/io/b/c.c are both files of io.

Whole world. A function takes the whole world if a parameter of its definition has the type
HeftWorld* (const or not, static or not). Functions of src/world only, without its folders access and batch,
whose files see the public headers only.

Writes through const. A struct of a stage is const for every stage after the one that fills it. C
lets a function write the arrays that a const struct points to; here this counts as a mistake. A
write is an assignment, an increment, or memset and memcpy, to a member of a parameter that points
to a const struct of STAGES, also by a local pointer that was set to such a member. Functions of
src/world only.

Fan-out. The number of other files of src/ whose functions heft_step_moreau() calls, and its lines.

  tools/call_knots.py [ROOT]            the knots of each room, and the number of functions
  tools/call_knots.py --functions       also lists the functions that take the whole world, by file
  tools/call_knots.py --check           fails if a limit below is exceeded, or if a function takes
                                        the whole world whose file tools/world_functions.txt does
                                        not name together with the reason
"""
import argparse
import os
import re
import sys

# Rooms may have this many files in knots; a room that is not named here has none.
KNOT_LIMITS = {"base": 2, "device": 2}
WORLD_LIMIT = 100
OUTSIDE = ("world/access/", "world/batch/")
STEP, STEP_LINES, STEP_FILES = "heft_step_moreau", 40, 15
REASONS = os.path.join("tools", "world_functions.txt")

KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "case", "default",
            "_Alignof", "_Static_assert", "static_assert", "defined"}

STRIP = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
NAME = re.compile(r'[A-Za-z_]\w*')
HEAD = re.compile(r'([A-Za-z_]\w*)\s*\(')
WORLD = re.compile(r'\bHeftWorld\s*(?:const\s*)?\*')


def strip(text):
    """The text without comments, literals and preprocessor lines; newlines stay."""
    def blank(match):
        word = match.group(0)
        return "\n" * word.count("\n") if word.startswith("/") else '""'
    text = STRIP.sub(blank, text)
    return DIRECTIVE.sub(lambda m: "\n" * m.group(0).count("\n"), text)


def close(text, at, opening, closing):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] == opening:
            depth += 1
        elif text[i] == closing:
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


def functions(text):
    """Definitions of a stripped file: (name, is_static, parameters, body)."""
    found, at, start = [], 0, 0
    while at < len(text):
        char = text[at]
        if char in ";}":
            start = at + 1
        elif char == "{":
            end = close(text, at, "{", "}")
            head = text[start:at]
            if not head.rstrip().endswith('""'):  # extern "C" {
                entry = definition(head, text[at:end])
                if entry:
                    found.append(entry)
                at = end - 1
            start = at + 1
        at += 1
    return found


def definition(head, body):
    for match in HEAD.finditer(head):
        name, opening = match.group(1), match.end() - 1
        if name in KEYWORDS or name.startswith("__attribute"):
            continue
        end = close(head, opening, "(", ")")
        if head[end:].strip():
            continue
        if "=" in head[:match.start()] or re.search(r'\b(struct|union|enum)\s*$', head[:match.start()]):
            return None
        return (name, re.search(r'\bstatic\b|\bHEFT_INLINE\b', head[:match.start()]) is not None,
                head[opening:end], body)
    return None


def components(graph):
    """Strongly connected components of at least two nodes, by Tarjan's method without recursion."""
    index, low, stack, on_stack, out = {}, {}, [], set(), []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, edges = work[-1]
            for other in edges:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while True:
                        other = stack.pop()
                        on_stack.discard(other)
                        group.append(other)
                        if other == node:
                            break
                    if len(group) > 1:
                        out.append(sorted(group))
    return out


def room_files(folder):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h", ".cpp")):
                yield os.path.join(path, name)


def read_room(folder):
    """Definitions of each file of a room, by its path below src/."""
    files = {}
    for path in room_files(folder):
        with open(path, encoding="utf-8") as file:
            files[os.path.relpath(path, os.path.dirname(folder))] = functions(strip(file.read()))
    return files


def call_graph(files):
    """Which file calls which, with the names of the functions that are called."""
    home = {}
    for path, entries in files.items():
        for name, is_static, _, _ in entries:
            if not is_static or path.endswith(".h"):
                home.setdefault(name, path)
    graph = {path: {} for path in files}
    for path, entries in files.items():
        own = {entry[0] for entry in entries}
        for _, _, _, body in entries:
            for name in set(NAME.findall(body)) - own:
                if name in home and home[name] != path:
                    graph[path].setdefault(home[name], set()).add(name)
    return graph


def reasons(root):
    """Files that may have functions which take the whole world: path below src/ and reason."""
    table = {}
    path = os.path.join(root, REASONS)
    if not os.path.exists(path):
        return table
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.partition(":")
                table[name.strip()] = reason.strip()
    return table


def report_knots(rooms, graphs, show_edges):
    errors = []
    for room in rooms:
        knots = components(graphs[room])
        count = sum(len(knot) for knot in knots)
        print(f"{room}: {count} files in call knots" + ("" if count else ", none"))
        for knot in knots:
            print("  knot of " + str(len(knot)) + ": " + " ".join(knot))
            for path in knot if show_edges else ():
                for other in knot:
                    names = graphs[room][path].get(other)
                    if names:
                        print(f"    {path} -> {other}: {' '.join(sorted(names))}")
        if count > KNOT_LIMITS.get(room, 0):
            errors.append(f"{room} has {count} files in call knots, at most {KNOT_LIMITS.get(room, 0)}")
    return errors


def report_functions(files, table, show):
    takers = {path: [entry[0] for entry in entries if WORLD.search(entry[2])]
              for path, entries in files.items()}
    takers = {path: names for path, names in takers.items() if names}
    count = sum(len(names) for names in takers.values())
    print(f"src/world: {count} functions take the whole world")
    for path, names in sorted(takers.items()) if show else ():
        print(f"  {path}: {len(names)}" + (f" ({table[path]})" if table.get(path) else ""))
        for name in names:
            print("    " + name)
    errors = []
    if count > WORLD_LIMIT:
        errors.append(f"{count} functions of src/world take the whole world, at most {WORLD_LIMIT}")
    for path in sorted(takers):
        if not table.get(path):
            errors.append(f"{path} takes the whole world, but {REASONS} gives no reason")
    for path in sorted(table):
        if path not in takers:
            errors.append(f"{REASONS} names {path}, which takes the whole world nowhere")
    return errors


STAGES = {"Constraint", "ConstraintSet", "Constraints", "Correction", "Drives", "FloatingGroups",
          "ImpactRound", "IslandProblem", "IslandSet", "IslandSolution", "Keepers", "Ledger",
          "Middle", "Midpoint", "Motion", "Passage", "Prediction", "Restitution", "Restore",
          "Rk4Scratch", "SoftStore", "SpinScratch", "StepInput", "WarmStart"}
CONST_PARAMETER = re.compile(r'\bconst\s+([A-Z]\w*)\s*\*\s*(\w+)\s*(?=[,)])')
INDEX = r'(?:\s*\[(?:[^][;]|\[[^][;]*\])*\])*'
MEMBER = r'->\w+' + INDEX + r'(?:(?:->|\.)\w+' + INDEX + r')*'
SET = r'\s*(?:[-+*/|&^]|<<|>>)?=(?!=)'


def writes_through(name, body):
    """Members of the pointer `name` that a body writes."""
    found = re.findall(r'(?<![\w.>])' + name + r'(' + MEMBER + r')' + SET, body)
    found += re.findall(r'(?:\+\+|--)\s*\*?' + name + r'(->\w+)', body)
    found += re.findall(r'\bmem(?:set|cpy|move)\(\s*' + name + r'(->\w+)', body)
    for alias, member in re.findall(r'(?<!const )\b\w+\s*\*\s*(\w+)\s*=\s*&?' + name + r'(->\w+)',
                                    body):
        line = re.search(r'([^;{}]*)\*\s*' + alias + r'\s*=', body).group(1)
        if "const" in line:
            continue
        if re.search(r'(?<![\w.>])\*?' + alias + r'(?:->\w+|\.\w+|\s*\[(?:[^][;]|\[[^][;]*\])*\])+' + SET, body) or \
                re.search(r'(?<![\w.>*])\*' + alias + SET, body):
            found.append(member)
    return found


def report_writes(files):
    errors = []
    for path, entries in sorted(files.items()):
        for name, _, parameters, body in entries:
            for kind, parameter in CONST_PARAMETER.findall(parameters):
                for member in writes_through(parameter, body) if kind in STAGES else ():
                    errors.append(f"{path}: {name}() writes {parameter}{member} through const")
    print(f"src/world: {len(errors)} writes through const structs")
    return errors


def report_step(all_files):
    """Lines and fan-out of the step."""
    home, lines, body, own = {}, 0, "", ""
    for files in all_files.values():
        for path, entries in files.items():
            for name, is_static, _, text in entries:
                if not is_static or path.endswith(".h"):
                    home.setdefault(name, path)
                if name == STEP:
                    lines, body, own = text.count("\n") + 1, text, path
    if not own:
        return []
    called = {home[name] for name in set(NAME.findall(body)) if name in home} - {own}
    print(f"{STEP}: {lines} lines, calls {len(called)} files")
    errors = []
    if lines > STEP_LINES:
        errors.append(f"{STEP} has {lines} lines, at most {STEP_LINES}")
    if len(called) > STEP_FILES:
        errors.append(f"{STEP} calls {len(called)} files, at most {STEP_FILES}")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(__file__), ".."))
    parser.add_argument("--check", action="store_true", help="fail if a limit is exceeded")
    parser.add_argument("--functions", action="store_true",
                        help="list the functions that take the whole world")
    parser.add_argument("--edges", action="store_true", help="list the calls inside each knot")
    parser.add_argument("--room", help="look at one room only")
    args = parser.parse_args()
    src = os.path.join(args.root, "src")
    rooms = [args.room] if args.room else sorted(
        name for name in os.listdir(src) if os.path.isdir(os.path.join(src, name)))
    files = {room: read_room(os.path.join(src, room)) for room in rooms}
    graphs = {room: call_graph(files[room]) for room in rooms}
    errors = report_knots(rooms, graphs, args.edges)
    if "world" in files:
        inside = {path: f for path, f in files["world"].items() if not path.startswith(OUTSIDE)}
        errors += report_functions(inside, reasons(args.root), args.functions)
        errors += report_writes(files["world"])
        errors += report_step(files)
    for error in errors if args.check else ():
        print("call_knots: " + error, file=sys.stderr)
    return 1 if args.check and errors else 0


if __name__ == "__main__":
    sys.exit(main())
