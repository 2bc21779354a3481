#!/usr/bin/env python3
"""Walks the recipes of CONTRIBUTING.md: recipes.py BUILD_FOLDER

Adds dummies of twelve kinds to a copy of the sources by exactly the files that their recipes name, builds what has changed
with the help of a build folder that is ready (./dev test leaves one), and sees that the program and the tests know the
dummies and that nothing else was asked for."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_FILES = 6  # of a recipe, beside words
PARTS_OF = {
    "tests/core_tests": {"core", "core tests"},
    "tests/app_tests": {"core", "app", "tests"},
    "vitrine": {"core", "app"},
}


class Recipe:
    """One kind of thing: its heading in CONTRIBUTING.md, and what is put into which files."""

    def __init__(self, heading, edits=(), words=None, new_files=None):
        self.heading, self.edits, self.words, self.new_files = heading, edits, words or {}, new_files or {}

    def files(self):
        return [file for file, _, _ in self.edits] + list(self.new_files)


def dummy_language(copy):
    words = json.loads((copy / "assets/text/en.json").read_text(encoding="utf-8"))
    words["language.name"], words["language.short"] = "Dummy", "XX"
    return json.dumps(words, ensure_ascii=False, indent=4)


def dummy_room(_):
    return """#include "app/rooms/dummy/room.h"

#include "app/rooms/panels/panels.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"

namespace vitrine {

namespace {

void draw_stage(const Frame& frame) { stage_heading(frame, frame.ui.text("top.mode.dummy"), ""); }

std::vector<Zone> zones(const Frame& frame) { return {{"zone.stage", frame.layout.stage, draw_stage}}; }

}  // namespace

Room dummy_room() { return {.id = "dummy", .key = Key::f9, .zones = zones}; }

}  // namespace vitrine
"""


def dummy_room_header(_):
    return """#pragma once

#include "app/rooms/room.h"

namespace vitrine {

Room dummy_room();

}  // namespace vitrine
"""


def dummy_job(_):
    return """#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "app/jobs/latest.h"

namespace vitrine {

/// The job that doubles a number.
class Dummy : public Latest<int, int> {
public:
    explicit Dummy(std::function<void()> on_change)
        : Latest([](Run& run) { run.publish(std::make_shared<const int>(2 * run.request())); }, std::move(on_change)) {}
};

}  // namespace vitrine
"""


def dummy_step(_):
    return """#include "app/chapters/step.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui&, const Result&, const Selection&) { return {number_fact("dummy", 1)}; }

}  // namespace

Step dummy_step() { return {.id = "dummy", .own = {.node = Node::nowhere}, .facts = facts}; }

}  // namespace vitrine
"""


# Each edit: a file, the line before which something is put, and what.
RECIPES = [
    Recipe(
        "a step",
        edits=[
            ("app/chapters/step.h", "Step models_step();", "Step dummy_step();\n"),
            ("app/chapters/curriculum.cpp", "        models_step(),", "        dummy_step(),\n"),
            ("app/rooms/explore/views/step_views.cpp", '    {{models_view}, "models"},', '    {{attention_view}, "dummy"},\n'),
        ],
        new_files={"app/chapters/steps/dummy.cpp": dummy_step, "assets/code/dummy.py": lambda _: "z = z  # (N, D)\n"},
        words={f"step.dummy.{part}": "Dummy" for part in
               ("title", "sentence", "equation", "words", "question", "answer", "notes")},
    ),
    Recipe(
        "a room",
        edits=[
            ("app/rooms/rooms.cpp", '#include "app/rooms/explore/room.h"', '#include "app/rooms/dummy/room.h"\n'),
            ("app/rooms/rooms.cpp", "        learning_room(),", "        dummy_room(),\n"),
        ],
        new_files={"app/rooms/dummy/room.h": dummy_room_header, "app/rooms/dummy/room.cpp": dummy_room},
        words={"top.mode.dummy": "Dummy", "command.room.dummy": "Dummy"},
    ),
    Recipe(
        "a command",
        edits=[
            (
                "app/rooms/explore/commands.cpp",
                '        {"copy_code",',
                '        {"dummy", "help.dummy", {{Key::j}}, here, [](AppContext& h) { h.focus().solo = true; }},\n',
            )
        ],
        words={"command.dummy": "Dummy", "help.dummy": "dummy"},
    ),
    Recipe(
        "a job",
        edits=[
            ("app/rooms/explore/commands.cpp", '#include "app/rooms/app_context.h"',
             '#include "app/jobs/dummy.h"\n#include "app/jobs/jobs.h"\n'),
            (
                "app/rooms/explore/commands.cpp",
                '        {"copy_code",',
                '        {"dummy_job", "", {}, here, [](AppContext& h) { h.jobs().of<Dummy>().request(h.workspace().id, 21); },\n'
                "         nullptr, false},\n",
            ),
        ],
        new_files={"app/jobs/dummy.h": dummy_job},
    ),
    Recipe("a language", new_files={"assets/text/xx.json": dummy_language}),
    Recipe(
        "a what-if",
        edits=[
            (
                "core/vit/what_ifs.cpp",
                '    WhatIf{.name = "activation",',
                """    WhatIf{.name = "skip-scale",
           .argument = Argument::number,
           .any_block = true,
           .words = "removal.skip_scale",
           .make = [](const V& v) { return Intervention{Site::skip, {v.where.block, {}, {}}, Scale{v.number}}; },
           .number = [](const Edit& edit) -> std::optional<float> {
               const Scale* const scale = std::get_if<Scale>(&edit);
               return scale == nullptr ? std::nullopt : std::optional(scale->factor);
           },
           .numbers = {.low = 0.25F, .high = 2, .letter = "s", .slider = {0.25F, 2, 0.25F, 1, Steps::even}}},
""",
            ),
            ("app/chapters/steps/mlp.cpp", "        .answer = mlp_parts::answer,", '            .sliders = {"skip-scale"},\n'),
        ],
        words={
            "removal.skip_scale": "skip connections times {value}",
            "switches.skip-scale": "Skip connections",
            "switches.skip-scale_tip": "Times s",
        },
    ),
    Recipe(
        "a kind of edit",
        edits=[
            (
                "core/transformer/intervention.h",
                "using Edit = std::variant<",
                """struct Negate {
    bool operator==(const Negate&) const = default;
};

""",
            ),
            ("core/transformer/intervention.h", ">;\n\n/// A what-if: data, not code.", ", Negate"),
            (
                "core/transformer/edits.cpp",
                "/// Calls f(definition of the kind",
                """template <>
struct EditDefinition<Negate> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
    static void apply(const Negate&, const Numbers& n, const Queries&) { scale(n, -1); }
    static Earlier pull_back(const Negate&, const Numbers& g, const QueryGradient&) {
        scale(g, -1);
        return Earlier::counts;
    }
    static void change(const Negate&, Site site, Equations& e) {
        if (site == Site::msa) e.msa = -e.msa;
    }
    static std::string words(const Negate&, Site) { return "negated"; }
};

""",
            ),
            ("tests/example_edits.h", "    });\n}", "        {Site::msa, {.block = 2}, Negate{}},\n"),
        ],
    ),
    Recipe(
        "a statistic",
        edits=[
            (
                "core/measures/head_statistics.cpp",
                "    // A_i0",
                """    HeadStatistic{.name = "self_share",
                  .words = "weight on the query itself, mean over queries",
                  .of = [](const AttentionRow& row) -> Value { return row.on(row.query); },
                  .most = [](const Config&) { return 1.0; }},
""",
            )
        ],
        words={"statistic.self_share": "On itself", "statistic.self_share_axis": "share of the weight on the query"},
    ),
    Recipe(
        "a measure",
        edits=[
            (
                "core/measures/catalogue.cpp",
                '        {{"skip_ratio", "(L, 2)"',
                """        {{"class_lengths", "(L + 1)", "length of the class token after every block"},
         [](const MeasureOf& of, const Progress&) {
             const Tensor2 norms = token_norms(of.model.config, of.trace).norms;
             Table t{"class_lengths", {"level"}, {norms.shape()[0]}, {}, {}};
             for (std::size_t l = 0; l < norms.shape()[0]; ++l) t.values.push_back(norms(l, 0));
             return t;
         }},
""",
            )
        ],
    ),
    Recipe(
        "a kind of token",
        edits=[
            ("core/vit/model.h", "};\ninline constexpr Named<TokenKind>", "    dummy,\n"),
            ("core/vit/model.h", "};\n\n/// Whether a model may have several", ', {TokenKind::dummy, "dummy"}'),
            (
                "core/vit/checkpoint/layouts.cpp",
                '        case TokenKind::patch: break;',
                '        case TokenKind::dummy: return {"embeddings.dummy_token"};\n',
            ),
            ("core/vit/provenance.h", "    count\n};", "    dummy_token,\n"),
            ("core/vit/quantities.cpp", "}};\n\nconst Row& row_of", '    {Q::dummy_token, "dummy_token", "class", "x"},\n'),
            (
                "core/vit/quantities.cpp",
                "        case Q::norm_gamma: return",
                "        case Q::dummy_token: return vectors_of(record.model, TokenKind::dummy);\n",
            ),
            (
                "core/vit/provenance_rules.cpp",
                "            case TokenKind::patch: return",
                "            case TokenKind::dummy: return Q::dummy_token;\n",
            ),
        ],
        words={"token.dummy": "dummy token", "token.dummy_short": "DUMMY"},
    ),
    Recipe(
        "a colour map",
        edits=[
            ("app/ui/widgets/colour_map.h", "};\ninline constexpr Named<ColourMap>", "    grey,\n"),
            (
                "app/ui/widgets/colour_map.h",
                "inline constexpr Named<ColourMap> colour_map_names[] = {",
                None,
            ),
            (
                "app/ui/widgets/colour_map.cpp",
                "Map make_sequential(ThemeKind) {",
                """Map make_grey(ThemeKind) {
    Map map;
    for (int i = 0; i < colour_map_steps; ++i) map[i] = {0.15 + 0.8 * i / last, 0, 0};
    return map;
}

""",
            ),
            (
                "app/ui/widgets/colour_map.cpp",
                "    MapRow{ColourMap::diverging",
                "    MapRow{ColourMap::grey, false, make_grey},\n",
            ),
        ],
    ),
    Recipe(
        "a picture format",
        edits=[
            (
                "core/files/image_formats.cpp",
                '    {0, "P1"sv',
                '    {0, "DUMMY"sv, "a dummy picture", ".dummy", "image/x-dummy", decode_with_stb, "dummy", always},\n',
            ),
        ],
    ),
]


def put_in(text, before, what, file):
    if text.count(before) != 1:
        sys.exit(f"recipes: {file}: {before!r} stands there {text.count(before)} times instead of once")
    if what is None:  # an entry of a list, at its front
        return text.replace(before, before + '{ColourMap::grey, "grey"}, ')
    return text.replace(before, what + before)


def add_dummies(copy):
    for recipe in RECIPES:
        for file, make in recipe.new_files.items():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            (copy / file).write_text(make(copy), encoding="utf-8")
    for recipe in RECIPES:
        for file, before, what in recipe.edits:
            text = (copy / file).read_text(encoding="utf-8")
            (copy / file).write_text(put_in(text, before, what, file), encoding="utf-8")
        for file in sorted((copy / "assets/text").glob("*.json")):
            words = json.loads(file.read_text(encoding="utf-8"))
            words.update(recipe.words)
            file.write_text(json.dumps(words, ensure_ascii=False, indent=4), encoding="utf-8")


def check_book(copy):
    """Every file that a dummy needed is named in its recipe, and they are few."""
    book = (copy / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for recipe in RECIPES:
        found = re.search(r"\*\*" + re.escape(recipe.heading) + r"\*\*.*?(?=\n\*\*|\Z)", book, re.S)
        if not found:
            sys.exit(f"recipes: CONTRIBUTING.md has no recipe for {recipe.heading}")
        files = sorted(set(recipe.files()))
        for file in files:
            # "colour_map.{h,cpp}" names both; "<id>" stands for the name of the new thing.
            named = [file, re.sub(r"\.(h|cpp)$", ".{h,cpp}", file), re.sub(r"[^/]*\.(\w+)$", r"<id>.\1", file),
                     file.replace("/dummy/", "/<id>/")]
            if not any(name in found.group() for name in named):
                sys.exit(f"recipes: the recipe for {recipe.heading} does not name {file}")
        if len(files) > MOST_FILES:
            sys.exit(f"recipes: {recipe.heading} asks for {len(files)} files: {', '.join(files)}")
        print(f"{recipe.heading}: {', '.join(files)}" + ("; words" if recipe.words else ""))


def add_token(model):
    """The bundled small model in a new folder, with a token of the new kind before its patches."""
    shutil.copytree(ROOT / "assets/pictograms-small", model)
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    config["vitrine_tokens"] = [{"kind": "class"}, {"kind": "dummy", "position": False}]
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    weights = (model / "model.safetensors").read_bytes()
    length = int.from_bytes(weights[:8], "little")
    header, numbers = json.loads(weights[8 : 8 + length]), weights[8 + length :]
    width = config["hidden_size"]
    header["vit.embeddings.dummy_token"] = {
        "dtype": "F32", "shape": [1, 1, width], "data_offsets": [len(numbers), len(numbers) + 4 * width]}  # fmt: skip
    words = json.dumps(header).encode()
    words += b" " * (-len(words) % 8)
    (model / "model.safetensors").write_bytes(len(words).to_bytes(8, "little") + words + numbers + bytes(4 * width))


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"recipes: {shlex.join(map(str, command))[:300]}\n{done.stdout[-6000:]}")
    return done.stdout


def objects_of(build, root):
    """What a build folder compiles: object -> (command, the sources behind it from the root, of a unity file several)."""
    objects = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        name = words[words.index("-o") + 1]
        file = Path(entry["file"])
        sources = [str(file)]
        if "/Unity/" in str(file):  # of the folder, wherever it was made
            unity = build / str(file)[str(file).index(name.split("/Unity/")[0]):]
            sources = re.findall(r'#include "(.*)"', unity.read_text(encoding="utf-8"))
        objects[name] = (words, frozenset(os.path.relpath(s, root) for s in sources))
    return objects


def root_of(build):
    """The sources that a build folder was configured for."""
    return re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)[1]


def is_of(name, parts):
    """Whether an object belongs to these parts of the program, or to these tests."""
    folders = {"core": "core/CMakeFiles/vitrine_core.dir/", "app": "app/CMakeFiles/vitrine_app.dir/",
               "core tests": "tests/CMakeFiles/core_tests.dir/", "tests": "tests/CMakeFiles/app_tests.dir/"}  # fmt: skip
    return any(name.startswith(folders[part]) for part in parts)


def objects_to_compile(ours, theirs, changed):
    """Those with a changed source, and those that take other files together than the ready ones: a new file moves the
    ones behind it. All that a ready object defines is then in these or in its like."""
    ready = {sources for _, sources in theirs.values()}
    return [name for name, (_, sources) in ours.items()
            if is_of(name, {"core", "app", "core tests", "tests"}) and (sources & changed or sources not in ready)]  # fmt: skip


def compile_objects(build, objects, names):
    """These alone: ninja would build every library that stands before them."""
    for name in names:
        (build / name).parent.mkdir(parents=True, exist_ok=True)

    def compiled(name):
        done = subprocess.run(objects[name][0], cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return "" if done.returncode == 0 else f"{name}\n{done.stdout[-6000:]}"

    with ThreadPoolExecutor(int(os.environ.get("VITRINE_JOBS", 0)) or os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(compiled, names) if fault]
    if faults:
        sys.exit("recipes: with the dummies these do not compile:\n" + "\n".join(faults))


def link(build, ready, target, anew, gone):
    """The program `target` of the ready build, with the objects `anew` before its own and without those that are `gone`."""
    command = run(["ninja", "-C", ready, "-t", "commands", target]).splitlines()[-1]
    words = shlex.split(command.split(" && ")[1] if command.startswith(": &&") else command)
    first = next(i for i, word in enumerate(words) if word.endswith(".o"))
    words[first:first] = [str(build / name) for name in anew if is_of(name, PARTS_OF[target])]
    linked = [str(build / word) if word == "app/libassets.a" else word for word in words if word not in gone]
    program = build / Path(target).name
    linked[linked.index("-o") + 1] = str(program)
    run(linked, cwd=ready)
    return program


def main(ready):
    with tempfile.TemporaryDirectory(prefix="vitrine-recipes-") as folder:
        copy = Path(folder) / "vitrine"
        copy.mkdir()
        files = run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
        for file in filter(None, files):
            if (ROOT / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, copy / file)
        check_book(copy)
        add_dummies(copy)

        changed = {f for recipe in RECIPES for f in recipe.files() if f.endswith(".cpp")}
        changed |= {"tests/test_text.cpp", "tests/test_colour_map.cpp"}
        changed |= {f"tests/test_{name}.cpp" for name in ("edits", "backward", "ledger", "provenance")}  # their examples
        run(["cmake", "--preset", "release", "-G", "Ninja", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
             "-DVITRINE_MATMUL=" + os.environ.get("VITRINE_MATMUL", "onednn")], cwd=copy)  # fmt: skip
        build = copy / "build/release"
        run(["ninja", "-C", build, "app/libassets.a"])
        ours, theirs = objects_of(build, copy), objects_of(ready, root_of(ready))
        anew = objects_to_compile(ours, theirs, changed)
        compile_objects(build, ours, anew)
        compiled = frozenset().union(*(ours[name][1] for name in anew))
        gone = {name for name, (_, sources) in theirs.items() if name.startswith("tests/") and sources & compiled}

        core_tests, app_tests, vitrine = (link(build, ready, target, anew, gone) for target in PARTS_OF)
        run([core_tests, "--gtest_filter=WhatIf*:Edits.*:Backward.FollowsEvery*:*EveryKindOfEdit*:HeadStatistics.*:ImageFormats.*"])
        run([app_tests, "--gtest_filter=Languages.*:Text.*:Locale.*:ColourMap*:FocusWords.*:OldFiles.*:Shell.EveryCommand*:"
             "Shell.NoTwoCommands*:Shell.TheKeySheet*"])
        out = Path(folder) / "out"
        run([vitrine, "trace", "cat", "--what-if", "skip-scale:0.5@2,skip-scale:1.5"])
        run([vitrine, "export", "cat", "--what", "self_share,class_lengths", "--format", "csv", "--out", out])
        run([vitrine, "snapshot", "cat", "--lang", "xx", "--lab", "statistics", "--set", "lab.statistic=self_share",
             "--out", out / "statistic.png"])  # fmt: skip
        run([vitrine, "snapshot", "cat", "--step", "dummy", "--out", out / "step.png"])
        add_token(Path(folder) / "token")
        run([vitrine, "export", "cat", "--model", Path(folder) / "token", "--what", "lens_tokens", "--format", "csv", "--out", out / "token"])
        if "dummy token" not in (out / "token/lens_tokens.csv").read_text(encoding="utf-8"):
            sys.exit("recipes: the tables do not name a token of the new kind")
        session = Path(folder) / "room.vitrine"
        session.write_text('{"vitrine_session": 1, "mode": "dummy"}', encoding="utf-8")
        run([vitrine, "snapshot", "--session", session, "--out", out / "room.png"])
        for file in ("self_share.csv", "class_lengths.csv", "statistic.png", "step.png", "room.png"):
            if not (out / file).stat().st_size:
                sys.exit(f"recipes: {file} is empty")
    print("recipes: every dummy was added by the files of its recipe alone, and is known everywhere")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
