#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/jobs/writer.h"
#include "app/sessions/autosave.h"
#include "app/sessions/session.h"
#include "app/workspace/settings.h"
#include "core/files/image.h"
#include "core/files/safetensors.h"
#include "core/training/runs/run_file.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"
#include "tests/kills/victim.h"

namespace vitrine::kills {

namespace {

using Words = std::vector<std::string>;

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Two of a kind: what is written by turns.
Session session(bool other) {
    Session s;
    s.image = {other ? "pictograms:sun" : "pictograms:cat", {}};
    s.focus.block = other ? 3 : 2;
    s.what_ifs.assign(other ? 400 : 3, "positions");  // of very different lengths
    return s;
}

Settings settings(bool other) {
    Settings s;
    s.language = other ? "ja" : "ko";
    for (int i = 0; i < (other ? 500 : 2); ++i) s.notes["lesson:" + std::to_string(i)] = "words";
    return s;
}

std::shared_ptr<const Model> model(bool other) {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = other ? 32 : 8;
    c.heads = 2;
    c.blocks = other ? 3 : 1;
    c.mlp_dim = 16;
    c.classes = 2;
    return std::make_shared<Model>(random_model(c, 1));
}

/// Again and again until the process is killed; twice where it may live.
void by_turns(const fs::path& folder, const std::function<void(bool other)>& write) {
    const bool lives = fs::exists(folder / "live");
    for (int turn = 0; !lives || turn < 2; ++turn) write(turn % 2 == 1);
}

// ---- sessions, settings, what is kept of a window, models ---------------------------------------------------------

void write_sessions(const fs::path& folder) {
    by_turns(folder, [&](bool other) { save_session(session(other), folder / "s.vitrine"); });
}
void demand_session(const fs::path& folder) {
    if (!fs::exists(folder / "s.vitrine")) return;
    const Session s = load_session(folder / "s.vitrine");
    demand(s == session(false) || s == session(true), "a session is none of the two");
}

void write_settings(const fs::path& folder) {
    Writer writer(std::chrono::milliseconds(0));
    by_turns(folder, [&](bool other) {
        writer.write(folder / "settings.json", to_json(settings(other)));
        writer.finish();
    });
}
void demand_settings(const fs::path& folder) {
    if (!fs::exists(folder / "settings.json")) return;
    const Settings s = load_settings(folder / "settings.json");
    demand(!fs::exists(folder / "settings.json.broken"), "settings were broken");
    demand(s == settings(false) || s == settings(true), "settings are none of the two");
}

void keep_sessions(const fs::path& folder) {
    Writer writer(std::chrono::milliseconds(0));
    Autosave autosave(folder / "config", writer);
    const std::shared_ptr<const Model> learned[] = {model(false), model(true)};
    by_turns(folder, [&](bool other) {
        autosave.keep(session(other), learned[other ? 1 : 0]);
        writer.finish();
    });
}
void demand_kept(const fs::path& folder) {
    for (const fs::path& left : Autosave::abandoned_sessions(folder / "config")) {
        const Session s = load_session(left);
        demand(s.image.sample == "pictograms:cat" || s.image.sample == "pictograms:sun",
               "a kept session is none of the two");
        demand(s.model.path == Autosave::model_of(left), "a kept session names its model");
        demand(Safetensors::open(Autosave::model_of(left) / "model.safetensors").entries().size() > 4, "of its model");
        Autosave::forget(left);
    }
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder / "config", missing))
        demand(false, entry.path().string() + " stays for ever");
}

void write_models(const fs::path& folder) {
    const std::shared_ptr<const Model> both[] = {model(false), model(true)};
    by_turns(folder, [&](bool other) { save_model(*both[other ? 1 : 0], folder / "model", Precision::f32); });
}
/// Each file of a model is whole; that they belong together is not promised.
void demand_files_of_model(const fs::path& folder) {
    if (fs::exists(folder / "model.safetensors")) {
        const Safetensors weights = Safetensors::open(folder / "model.safetensors");
        for (const auto& [name, entry] : weights.entries()) weights.floats(name);
    }
    for (const char* const name : {"config.json", "preprocessor_config.json"})
        if (fs::exists(folder / name))
            demand(nlohmann::json::accept(read(folder / name)), std::string(name) + " is half written");
}
void demand_model(const fs::path& folder) { demand_files_of_model(folder / "model"); }

// ---- commands -----------------------------------------------------------------------------------------------------

Words trace(const fs::path& folder) {
    return {"trace", "cat", "--dump", (folder / "run.safetensors").string(), "--threads", "1"};
}
void demand_trace(const fs::path& folder) {
    if (!fs::exists(folder / "run.safetensors")) return;
    const Safetensors run = Safetensors::open(folder / "run.safetensors");
    demand(run.entries().contains("head.logits"), "a dump lacks its logits");
}

Words numbers(const fs::path& folder, const char* format) {
    return {"export", "cat", "--what", "rollout,entropy,lens", "--format", format, "--out", (folder / "out").string()};
}
void demand_numbers(const fs::path& folder) {
    const fs::path out = folder / "out";
    if (fs::exists(out / "manifest.json"))
        demand(nlohmann::json::accept(read(out / "manifest.json")), "a manifest is half written");
    for (const char* const name : {"rollout", "entropy", "lens"}) {
        const std::string csv = read(out / (std::string(name) + ".csv")),
                          npy = read(out / (std::string(name) + ".npy"));
        demand(csv.empty() || csv.back() == '\n', "a table ends within a line");
        demand(npy.empty() || npy.starts_with("\x93NUMPY"), "an array has no beginning");
    }
}

Words snapshot(const fs::path& folder) {
    return {"snapshot", "cat", "--step", "image", "--size", "640x360", "--out", (folder / "picture.png").string()};
}
void demand_snapshot(const fs::path& folder) {
    if (fs::exists(folder / "picture.png")) demand(load_image(folder / "picture.png").width == 640, "a picture is cut");
}

Words handout(const fs::path& folder) {
    std::ofstream(folder / "short.txt") << "lesson: Short\nstep: image\n";
    return {"handout", (folder / "short.txt").string(), "--out", (folder / "page.html").string()};
}
void demand_handout(const fs::path& folder) {
    if (fs::exists(folder / "page.html")) demand(read(folder / "page.html").ends_with("</html>\n"), "a page is cut");
}

Words train(const fs::path& folder) {
    const fs::path run = folder / "run";
    if (holds_run(run)) return {"train", "--out", run.string(), "--resume", "--every", "0.01"};
    return {"train", "--out",     run.string(), "--pictures", "6000", "--size",  "16", "--patch",
            "8",     "--dim",     "16",         "--blocks",   "1",    "--heads", "2",  "--batch",
            "8",     "--threads", "1",          "--every",    "0.01", "--force"};
}
void demand_run(const fs::path& folder) {
    if (!holds_run(folder / "run")) return;
    const auto run = resume_run<Pictures>(folder / "run");
    demand(run.progress.threads == 1, "a run forgets its threads");
    demand_files_of_model(folder / "run");
}

}  // namespace

std::vector<Victim> victims() {
    return {
        {"sessions", 20, write_sessions, {}, demand_session},
        {"settings", 20, write_settings, {}, demand_settings},
        {"kept sessions", 15, keep_sessions, {}, demand_kept},
        {"models", 15, write_models, {}, demand_model},
        {"traces", 8, {}, trace, demand_trace},
        {"tables", 8, {}, [](const fs::path& f) { return numbers(f, "csv"); }, demand_numbers},
        {"arrays", 4, {}, [](const fs::path& f) { return numbers(f, "npy"); }, demand_numbers},
        {"runs", 6, {}, train, demand_run},
        {"snapshots", 2, {}, snapshot, demand_snapshot},
        {"handouts", 2, {}, handout, demand_handout},
    };
}

}  // namespace vitrine::kills
