#!/usr/bin/python3
"""check_declarations.py ROOT : whether each function that a header declares is defined on that header's floor (check_floors.cmake).

Includes cannot show this: a header may declare what a higher floor defines, and the linker is content. Functions are matched by their names and the types
of their parameters, as written in the source."""
import collections
import pathlib
import re
import sys

FUNCTION = re.compile(r"(?!return|else|using|template|static_assert|friend)[\w:<>,&*\[\] ]*?[\w>&*\]] ((?:\w+::)*\w+)\((.*)", re.S)
DROPPED = re.compile(r"\b(?:const|struct|class)\b|\w+::")


def code_of(source):
    """Source text without comments, preprocessor lines and the insides of literals."""
    source = re.sub(r'R"(\w*)\(.*?\)\1"', '""', source, flags=re.S)
    source = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', source)
    source = re.sub(r"'(?:\\.|[^'\\\n])+'", "' '", source)
    source = re.sub(r"//[^\n]*", "", source)
    return re.sub(r"^ *#.*$", "", source, flags=re.M)


def end_of_braces(code, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"{": 1, "}": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    return len(code)


def functions_of(code):
    """(head, has a body) of each statement of a named or global namespace."""
    named, parentheses, start, i = [], 0, 0, 0
    while i < len(code):
        sign = code[i]
        parentheses += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if sign == "{" and parentheses == 0:
            head = code[start:i].strip()
            namespace = re.match(r"(?:inline )?namespace\b *(\w*)", head)
            if namespace:
                named.append(namespace.group(1) != "")
                start = i = i + 1
                continue
            if all(named):
                yield head, True
            start = i = end_of_braces(code, i)
            continue
        if sign == "}" and parentheses == 0:
            named.pop()
            start = i + 1
        elif sign == ";" and parentheses == 0:
            if all(named):
                yield code[start:i].strip(), False
            start = i + 1
        i += 1


def signature_of(head):
    """(name, types of the parameters); None if the statement is no function."""
    found = FUNCTION.match(head)
    if not found:
        return None
    depth, parameters = 1, [""]
    for sign in found.group(2):
        depth += {"(": 1, "<": 1, "[": 1, "{": 1, ")": -1, ">": -1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0:
            break
        if sign == "," and depth == 1:
            parameters.append("")
        else:
            parameters[-1] += sign
    types = []
    for parameter in parameters:
        words = re.findall(r"\w+|[&*<>,()]", DROPPED.sub(" ", parameter.split("=")[0]))
        types.append("".join(words[:-1] if len(words) > 1 and words[-1].isidentifier() else words))
    return found.group(1), tuple(types)


def main(root):
    floors = re.findall(r"^set\(floor_(\d+) (.*)\)", (root / "cmake/check_floors.cmake").read_text(), re.M)

    def floor_of(name):
        module = name.rsplit(".", 1)[0]
        return next((int(floor) for floor, entries in floors for entry in entries.split()
                     if module == entry or (entry.endswith("/") and module.startswith(entry))), 0)

    declared, defined = {}, collections.defaultdict(list)
    for folder in ("core", "app"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            name = path.relative_to(root).as_posix()
            for head, body in functions_of(code_of(path.read_text(encoding="utf-8"))):
                signature = signature_of(head)
                if signature and path.suffix == ".h" and not body:
                    declared.setdefault(signature, name)
                elif signature and path.suffix == ".cpp" and body:
                    defined[signature].append(name)
    matched = {s: name for s, name in declared.items() if s in defined}
    wrong = [(name, s[0], defined[s]) for s, name in matched.items() if floor_of(name) not in map(floor_of, defined[s])]
    for name, function, places in wrong:
        print(f"{name} declares {function}, which {', '.join(places)} defines on another floor: declare it there")
    if not matched:
        print(f"there are no functions under {root}")
    print(f"{len(matched)} declared functions are defined, {len(wrong)} of them on another floor")
    return 1 if wrong or not matched else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
