#!/usr/bin/python3
"""check_reach.py ROOT LIMITS [--write] : whether headers of ours reach no more sources than LIMITS (reach.json) allows.

A header reaches a source that includes it, directly or through other headers: touching it compiles all of those anew.
Counted from the #include lines of core/ and app/, so every machine counts the same. Prints the ten headers that reach
most. A header that defines types reaches whatever holds them by value. One that declares functions alone has no such
reason: it reaches more than MANY sources only if each of them includes it by name. --write commits today's numbers;
say in the commit why they had to grow."""
import collections
import json
import pathlib
import re
import sys

MANY = 60  # sources
A_TYPE = re.compile(r"^(?:template[^\n]*\n?)?\s*(?:struct|class|enum|using|union)\s+\w+[^;]*[{=]", re.M)


def included_by(root):
    """{file: the files of ours that it includes}, by their paths from the root"""
    files = {}
    for folder in ("core", "app"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".h", ".cpp", ".inc"):
                text = path.read_text(encoding="utf-8")
                files[path.relative_to(root).as_posix()] = re.findall(r'^ *# *include "([^"]+)"', text, re.M)
    return {name: [other for other in others if other in files] for name, others in files.items()}


def reach_of(files):
    """How many sources each header reaches."""
    reach = collections.Counter()
    for source in files:
        if not source.endswith(".cpp"):
            continue
        seen, waiting = set(), [source]
        while waiting:
            for other in files[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        reach.update(seen)
    return reach


def declares_functions_alone(header):
    return not A_TYPE.search(re.sub(r"//[^\n]*", "", header.read_text(encoding="utf-8")))


def main():
    root, file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = included_by(root)
    sources = sum(name.endswith(".cpp") for name in files)
    reach = reach_of(files)
    if sources == 0 or not reach:
        sys.exit(f"{root}: there are no sources below core/ and app/")
    now = {"headers_that_reach_many": sum(count > MANY for count in reach.values()),
           "headers_a_source": round(sum(reach.values()) / sources, 1)}
    print(f"{now['headers_that_reach_many']} headers reach more than {MANY} of {sources} sources; a source reads "
          f"{now['headers_a_source']} headers. Most:")
    for header, count in reach.most_common(10):
        print(f"  {count:4} {header}")
    if "--write" in sys.argv:
        file.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
        return
    in_headers = {other for name, others in files.items() if not name.endswith(".cpp") for other in others}
    carried = [f"{header} ({count})" for header, count in reach.most_common()
               if count > MANY and header in in_headers and declares_functions_alone(root / header)]
    if carried:
        sys.exit(f"These declare functions alone, and headers carry them to more than {MANY} sources: " +
                 ", ".join(carried) + ".\nInclude them in the sources that call the functions, not in headers.")
    limits = json.loads(file.read_text(encoding="utf-8"))
    grown = [f"{what.replace('_', ' ')}: {now[what]}, {most} were" for what, most in limits.items() if now[what] > most]
    if grown:
        sys.exit("Headers reach more sources than they did: " + "; ".join(grown) +
                 ".\nName a type in advance (struct X;) instead of including its header, or move what is small and wanted by many into a header "
                 "of its own.")


if __name__ == "__main__":
    main()
