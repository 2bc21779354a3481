#!/usr/bin/python3
"""check_names.py ROOT : whether the files of each folder, which are compiled together (quick_build.cmake), give different names to
the functions of their unnamed namespaces.

Two functions of one name and other arguments would both compile, and a call could mean the other one; types and constants of one name
do not compile."""
import collections
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?!return|else|using|namespace|template|TEST)\w[\w:<>,&*\[\] ]*?[\w>&*\]] (\w+)\(")


def unnamed_of(file):
    """The names of the functions in a file's unnamed namespaces."""
    names, inside = set(), False
    for line in file.read_text().splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        elif inside or line.startswith("static "):
            found = FUNCTION.match(line)
            if found:
                names.add(found.group(1))
    return names


def main(root):
    wrong = 0
    for folder in ["core", "app", "tests"]:
        for place in sorted({file.parent for file in (root / folder).rglob("*.cpp")}):
            where = collections.defaultdict(list)
            for file in sorted(place.glob("*.cpp")):
                for name in unnamed_of(file):
                    where[name].append(file.name)
            for name, files in sorted(where.items()):
                if len(files) > 1:
                    print(f"{place.relative_to(root)}: {', '.join(files)} have a {name} each; rename one, or put what they share into a header")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
