#!/usr/bin/python3
"""check_alone.py ROOT BUILD [PATH…] : whether each source compiles alone, with all warnings; PATH: only those below it.

The build compiles several files of a folder at a time and reads some headers first, so a file may miss an include there and
nobody sees it. Here each is read by the compiler alone and without precompiled headers, with the options of its target in a
build folder that is configured, and nothing is made of it."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

TARGETS = {"core": "vitrine_core.dir", "app": "vitrine_app.dir"}
LEFT_OUT = {"-MD", "-Winvalid-pch", "-Wno-subobject-linkage"}
LEFT_OUT_WITH_A_WORD = {"-o", "-c", "-MF", "-MT", "-MQ", "-include"}
WARNINGS = ["-Wshadow", "-Werror", "-fsyntax-only"]


def options_of(build, target):
    """The compiler and the options of a target's sources."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    words = iter(shlex.split(next(c["command"] for c in commands if target in c["command"] and c["file"].endswith((".cxx", ".cpp")))))
    options = []
    for word in words:
        if word in LEFT_OUT_WITH_A_WORD:
            next(words)
        elif word not in LEFT_OUT and not word.startswith("-O"):
            options.append(word)
    return options


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    below = sys.argv[3:] or list(TARGETS)
    options = {folder: options_of(build, target) for folder, target in TARGETS.items()}
    files = sorted(f for folder in TARGETS for f in (root / folder).rglob("*.cpp") if any(f.is_relative_to(root / b) for b in below))
    # What is compiled for wider vectors or by one of two libraries has options of its own.
    files = [f for f in files if not f.name.endswith("_kernels.cpp") and not f.name.startswith("matmul_")]
    if not files:
        sys.exit(f"{root}: there are no sources below {', '.join(below)}")

    def compiled(file):
        command = options[file.relative_to(root).parts[0]] + WARNINGS + [str(file)]
        return file, subprocess.run(command, cwd=build, capture_output=True, text=True)

    faults = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for file, done in pool.map(compiled, files):
            if done.returncode != 0:
                faults += 1
                lines = [line for line in done.stderr.splitlines() if "error:" in line]
                print(f"{file.relative_to(root)}: {lines[0] if lines else done.stderr[-300:]}", flush=True)
    if faults:
        sys.exit(f"{faults} of {len(files)} files do not compile alone; include what they use, from the root")
    print(f"{len(files)} files compile alone")


if __name__ == "__main__":
    main()
