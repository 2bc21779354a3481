#!/usr/bin/python3
"""check_compiled.py BUILD LIMITS [--write] : whether the build compiles no more than LIMITS (compiled.json) allows.

Counts, for each group of objects in a finished Ninja build, how many there are and how many megabytes of headers and
sources the compiler reads for them (the files that `ninja -t deps` names; a precompiled header counts once), and for
headers that are dear in every file how many objects read them beside the precompiled ones. Each may be 10 % above the committed number.
--write commits today's numbers."""
import collections
import json
import os
import re
import subprocess
import sys

AIR = 1.10
GROUPS = {"core": "core/", "app": "app/", "tests": "tests/"}
DEAR = {
    "nlohmann/json.hpp": "include <nlohmann/json_fwd.hpp> in headers, or let one file read and write the JSON",
    "CLI/CLI.hpp": "only app/commands/options.h, for the command line, parses arguments",
    "Eigen/src/Core/Matrix.h": "only what decomposes matrices needs Eigen",
    "xsimd/xsimd.hpp": "loops along rows belong in core/tensor/row_kernels.cpp, those of panels in panel_kernels.cpp",
    "bits/regex.h": "compare or search strings instead",
    "oneapi/dnnl/dnnl.hpp": "products go through core/tensor/matmul.h",
}


def objects_of(build):
    """{object: files that it was made from}"""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    objects, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            objects[current].append(line.strip())
        elif re.match(r"\S+\.(o|gch): #deps", line):
            current = line.split(":")[0]
            objects[current] = []
        elif line and not line.startswith("ninja:"):
            current = "other"
            objects[current] = []
    objects.pop("other", None)
    # Objects of targets that are no more stay in Ninja's memory.
    known = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True).stdout
    known = {line.split(":")[0] for line in known.splitlines()}
    return {name: files for name, files in objects.items() if name in known}


def counted(build):
    sizes = {}

    def size(path):
        if path not in sizes:
            whole = os.path.join(build, path)
            sizes[path] = 0 if path.endswith(".gch") or not os.path.exists(whole) else os.path.getsize(whole)
        return sizes[path]

    groups = {group: {"objects": 0, "megabytes": 0.0} for group in GROUPS}
    readers = dict.fromkeys(DEAR, 0)
    largest = collections.defaultdict(list)
    for name, files in objects_of(build).items():
        group = next((g for g, folder in GROUPS.items() if name.startswith(folder)), None)
        if group is None:
            continue
        megabytes = sum(map(size, files)) / 1e6
        groups[group]["objects"] += 1
        groups[group]["megabytes"] += megabytes
        largest[group].append((megabytes, name))
        if name.endswith(".gch"):
            continue
        for header in DEAR:
            readers[header] += any(file.endswith("/" + header) for file in files)
    for group in groups.values():
        group["megabytes"] = round(group["megabytes"], 1)
    return {"groups": groups, "readers": readers}, largest


def compiler():
    return subprocess.run(["g++", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()


def mistakes_in(now, limits, largest):
    found = []
    same_headers = limits["compiler"] == compiler()  # another compiler's headers have another length
    for group, limit in limits["groups"].items():
        for what, most in limit.items():
            got = now["groups"][group][what]
            if got > most * AIR and (what == "objects" or same_headers):
                top = ", ".join(f"{os.path.basename(n)} ({m:.1f} MB)" for m, n in sorted(largest[group])[:-6:-1])
                found.append(f"{group}: {got} {what} are compiled, {most} were; the largest are {top}")
    for header, most in limits["readers"].items():
        if now["readers"][header] > max(most * AIR, most):
            found.append(f"<{header}> is read by {now['readers'][header]} objects, {most} did; {DEAR[header]}")
    return found


def main():
    build, file = os.path.abspath(sys.argv[1]), sys.argv[2]
    now, largest = counted(build)
    if min(group["objects"] for group in now["groups"].values()) == 0:
        sys.exit(f"{build}: Ninja remembers no compiled objects there; build everything first")
    if "--write" in sys.argv:
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"compiler": compiler()} | now, out, indent=2)
            out.write("\n")
        return
    with open(file, encoding="utf-8") as limits:
        found = mistakes_in(now, json.load(limits), largest)
    if found:
        sys.exit("The build compiles more than it did:\n  " + "\n  ".join(found) +
                 "\nMake it read less, or say in the commit why it must and run cmake/check_compiled.py BUILD cmake/compiled.json --write.")
    print("compiled:", json.dumps(now["groups"]))


main()
