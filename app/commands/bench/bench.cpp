#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/chapters/step.h"
#include "app/commands/bench/bench_forward.h"
#include "app/commands/bench/bench_train.h"
#include "app/commands/bench/benches.h"
#include "app/commands/commands.h"
#include "app/commands/machine_facts.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/library/library.h"
#include "app/platform/imgui_compat.h"
#include "core/base/clock.h"
#include "core/base/machine.h"
#include "core/measures/occlusion.h"
#include "core/training/optimiser.h"
#include "core/vit/forward.h"
#include "core/vit/image_size.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

/// A variant's sizes (ViT paper, Table 1; Ti and S: Touvron et al. 2021). Throws UsageError for a size that is no
/// multiple of the patch size.
Config variant_config(const std::string& name, ImageSize size) {
    struct Row {
        int patch, d, heads, blocks;
    };
    static const std::map<std::string, Row> rows = {{"vit-ti16", {16, 192, 3, 12}}, {"vit-s16", {16, 384, 6, 12}},
                                                    {"vit-s14", {14, 384, 6, 12}},  {"vit-b16", {16, 768, 12, 12}},
                                                    {"vit-b14", {14, 768, 12, 12}}, {"vit-l16", {16, 1024, 16, 24}},
                                                    {"vit-h14", {14, 1280, 16, 32}}};
    const Row row = rows.at(name);
    if (size.height % row.patch != 0 || size.width % row.patch != 0)
        throw UsageError("--size " + option_of(size) + ": must be a multiple of the patch size " +
                         std::to_string(row.patch));
    Config c;
    c.image_height = size.height;
    c.image_width = size.width;
    c.patch_size = row.patch;
    c.embedding_dim = row.d;
    c.heads = row.heads;
    c.blocks = row.blocks;
    c.mlp_dim = 4 * row.d;
    c.classes = 1000;
    return c;
}

/// A variant with random weights.
Model bare_variant(const BenchOptions& o, const std::string& name) {
    const ImageSize size = o.model.said.image_size.value_or(ImageSize{o.size, o.size});
    Model model = random_model(variant_config(name, size), 1);
    model.provenance.name = name;
    return model;
}

Model variant_model(const BenchOptions& o, const std::string& name) {
    Model model = bare_variant(o, name);
    prepare(model);
    return model;
}

/// Median milliseconds from a decoded image to the finished trace; the window caches decoded images.
double image_to_trace_ms(const Model& model, int runs) {
    const auto image = open_image({"cat", {}});
    std::vector<double> times;
    for (int r = 0; r < runs; ++r) {
        const auto start = Clock::now();
        const Trace trace = forward(model, preprocess(image->full, model.preprocessing, model.config).pixels);
        times.push_back(milliseconds_since(start));
    }
    std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
    return times[static_cast<std::size_t>(runs / 2)];
}

Json to_json(const ForwardTiming& t) {
    Json operations = Json::object();
    for (const auto& op : t.operations) operations[op.name] = op.ms;
    return {{"name", t.name},
            {"threads", t.threads},
            {"runs", t.runs},
            {"forward_ms", t.forward_ms},
            {"bound_ms", t.bound_ms},
            {"bound_by", t.bound_name},
            {"ratio", t.ratio},
            {"bound_gflops", t.gflops},
            {"trace_mib", t.trace_mib},
            {"peak_mib", t.peak_mib},
            {"image_to_trace_ms", t.image_to_trace_ms},
            {"operations_ms", operations}};
}

void print(const ForwardTiming& t) {
    std::printf(
        "%-10s %d thread%s  forward %9.2f ms  bound %9.2f ms  ratio %.3f  (by %s: %.0f GFLOP/s; trace %.1f MiB, "
        "peak %.0f MiB, %d runs)\n",
        t.name.c_str(), t.threads, t.threads > 1 ? "s" : " ", t.forward_ms, t.bound_ms, t.ratio, t.bound_name.c_str(),
        t.gflops, t.trace_mib, t.peak_mib, t.runs);
    for (const auto& op : t.operations) std::printf("           %-24s %9.3f ms\n", op.name.c_str(), op.ms);
    if (t.image_to_trace_ms > 0) std::printf("           image to trace           %9.3f ms\n", t.image_to_trace_ms);
    std::fflush(stdout);
}

int threads_of(const BenchOptions& o) { return o.threads > 0 ? o.threads : processor_count(); }

/// Times one model and frees its memory.
ForwardTiming time_model(const BenchOptions& o, const std::string& variant) {
    forget_peak_memory();
    const Model model = variant.empty() ? *open_model(o.model.source()) : variant_model(o, variant);
    ForwardTiming t = time_forward(model, threads_of(o), o.runs);
    if (variant.empty()) t.image_to_trace_ms = image_to_trace_ms(model, o.runs);
    memory_pool::trim();
    return t;
}

int bench_forward(const BenchOptions& o) {
    std::vector<std::string> variants = {o.variant};
    if (o.variant.empty() && o.model.path.empty())
        variants = {"", "vit-ti16", "vit-s16", "vit-b16", "vit-l16", "vit-h14"};
    if (!o.json) std::printf("%s\n", machine_line().c_str());
    Json list = Json::array();
    for (const std::string& variant : variants) {
        const ForwardTiming t = time_model(o, variant);
        if (o.json)
            list.push_back(to_json(t));
        else
            print(t);
    }
    for (Json& row : list) row["machine"] = machine_facts();
    if (o.json) std::printf("%s\n", list.dump(2).c_str());
    return 0;
}

/// Measures on request, in turn with other programs: tests/bench/peers.py writes "bound" or "pass" to standard input
/// and reads the milliseconds.
int bench_turns(const BenchOptions& o) {
    const Model model = variant_model(o, o.variant);
    Laps laps(model, threads_of(o));
    std::printf("ready\n");
    std::fflush(stdout);
    for (std::string word; std::getline(std::cin, word);) {
        std::printf("%.4f\n", word == "bound" ? laps.products() : laps.pass());
        std::fflush(stdout);
    }
    return 0;
}

/// Processor time of frames, from NewFrame to Render, without the GPU's drawing.
struct FrameTiming {
    double median_ms = 0, p99_ms = 0, most_ms = 0;
};

enum class Query { stays, changes };

/// Changes the view by the commands of a user's change; the next frame executes them.
template <class Change>
void look(Shell& shell, const Change& change) {
    Draft draft(shell.context());
    change(draft);
    shell.ask(draft);
}

FrameTiming time_frames(Shell& shell, Query query, int frames) {
    const int tokens = shell.shown().result ? shell.shown().result->model->config.tokens() : 1;
    constexpr int text_words = 8;  // fewer than any of the first samples has
    std::vector<double> times;
    for (int i = 0; i < frames + 5; ++i) {
        if (query == Query::changes)
            look(shell, [&](Draft& draft) {
                Focus& focus = draft.selection.focus;
                focus.token = i % tokens;
                focus.text.source = focus.text.target = i % text_words;
            });
        const double start = processor_seconds_of_thread();
        ImGui::NewFrame();
        shell.frame();
        ImGui::Render();
        if (i >= 5) times.push_back(1e3 * (processor_seconds_of_thread() - start));
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times[times.size() * 99 / 100], times.back()};
}

constexpr float screen_width = 1920, screen_height = 1080;

/// ImGui without a renderer, for measurements.
class NullScreen {
public:
    NullScreen() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {screen_width, screen_height};
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        set_up_keys();
    }
    ~NullScreen() { ImGui::DestroyContext(); }
    NullScreen(const NullScreen&) = delete;
    NullScreen& operator=(const NullScreen&) = delete;
};

/// Times frames of the Train room at 60 Hz, while two models train.
int bench_learning_frames(const BenchOptions& o) {
    constexpr int frames = 600;
    const NullScreen screen;
    Opening opening;
    opening.experiment.image = {"cat", {}};
    opening.state.room = "learn";
    opening.state.learning.two = true;
    Shell shell(std::move(opening));
    shell.settle();
    shell.prepare({screen_width, screen_height});
    use_null_renderer();
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) {
        const auto start = Clock::now();
        ImGui::NewFrame();
        shell.frame();
        ImGui::Render();
        times.push_back(milliseconds_since(start));
        if (i == 5) shell.context().jobs().learning().start();
        std::this_thread::sleep_until(start + std::chrono::microseconds(16667));
    }
    shell.context().jobs().learning().pause();
    std::sort(times.begin(), times.end());
    const double middle = times[times.size() / 2], high = times[times.size() * 99 / 100];
    if (o.json)
        std::printf("%s\n",
                    Json::array({{{"step", "learning"}, {"median_ms", middle}, {"p99_ms", high}, {"frames", frames}}})
                        .dump(2)
                        .c_str());
    else
        std::printf("%-20s median %6.3f ms  p99 %6.3f ms  while two models learn\n", "learning", middle, high);
    return 0;
}

/// The result of `bench --train`, and the unit of its speeds.
struct Trained {
    const char* things;  // "pictures"
    TrainTiming timing;
};

Trained time_training_of(const BenchOptions& o) {
    const int threads = threads_of(o), rounds = std::min(o.runs, 5);
    const auto script = [&](const char* usual) { return o.torch.empty() ? usual : o.torch; };
    if (o.task.empty()) return {"pictures", time_training(threads, rounds, script("tests/bench/train_torch.py"))};
    const TextRecipe recipe =
        standard_text_recipe(*value_in(text_task_names, o.task), *value_in(text_language_names, o.to));
    return {"sentences", time_text_training(recipe, threads, rounds, script("tests/bench/train_text_torch.py"))};
}

Json to_json(const Trained& trained, const std::string& task) {
    const TrainTiming& t = trained.timing;
    const std::string per_second = std::string(trained.things) + "_per_second";
    Json row = {{"name", "train"}};
    if (!task.empty()) row["task"] = task;
    row.update({{"threads", t.threads},
                {"batch", t.batch},
                {"rounds", t.rounds},
                {per_second, t.per_second},
                {"adamw_" + per_second, t.adamw_per_second},
                {"step_ms", t.step_ms},
                {"bound_ms", t.bound_ms},
                {"ratio", t.ratio},
                {"drawing_share", t.drawing_share}});
    if (t.against_torch) {
        row["torch_" + per_second] = *t.torch_per_second;
        row["against_torch"] = *t.against_torch;
    }
    return row;
}

int bench_train(const BenchOptions& o) {
    const Trained trained = time_training_of(o);
    const TrainTiming& t = trained.timing;
    if (o.json) {
        std::printf("%s\n", Json::array({to_json(trained, o.task)}).dump(2).c_str());
        return 0;
    }
    std::printf(
        "%-10s %d threads  step %7.2f ms  bound %7.2f ms  ratio %.3f  (batch %d, %.0f %s/s; drawing would take %.0f %% "
        "more of the time)\n",
        o.task.empty() ? "train" : o.task.c_str(), t.threads, t.step_ms, t.bound_ms, t.ratio, t.batch, t.per_second,
        trained.things, 100 * t.drawing_share);
    if (t.against_torch)
        std::printf("           with AdamW %.0f %s/s, PyTorch %.0f: %.2f times as fast\n", t.adamw_per_second,
                    trained.things, *t.torch_per_second, *t.against_torch);
    else
        std::printf("           with AdamW %.0f %s/s; no figure of PyTorch: %s\n", t.adamw_per_second, trained.things,
                    t.torch_words.c_str());
    return 0;
}

/// The bundled model, a given one, or a variant with random weights.
ModelSource model_for_frames(const BenchOptions& o) {
    if (o.variant.empty()) return o.model.source();
    const auto model = std::make_shared<Model>(variant_model(o, o.variant));
    require_memory_for_run(*model);
    return {{}, {}, model};
}

/// A row of the table, as text or JSON.
struct FrameRow {
    std::string name;
    FrameTiming still, changing;
    int frames;
};
Json to_json(const FrameRow& r) {
    return {{"step", r.name},
            {"median_ms", r.changing.median_ms},
            {"p99_ms", r.changing.p99_ms},
            {"most_ms", r.changing.most_ms},
            {"still_median_ms", r.still.median_ms},
            {"still_p99_ms", r.still.p99_ms},
            {"frames", r.frames}};
}
void print(const FrameRow& r) {
    std::printf(
        "%-20s still: median %7.3f ms  p99 %7.3f ms   query changes: median %7.3f ms  p99 %7.3f ms  most %7.3f ms\n",
        r.name.c_str(), r.still.median_ms, r.still.p99_ms, r.changing.median_ms, r.changing.p99_ms, r.changing.most_ms);
    std::fflush(stdout);
}

/// Calls f(name) in every chapter of the Text room, once the result for its task is computed.
template <class F>
void for_text_chapters(Shell& shell, F f) {
    shell.ask(command::EnterRoom{"text"});
    for (const Named<TextChapter>& row : text_chapter_names) {
        look(shell, [&](Draft& draft) {
            TextDraft{draft.text_experiment, draft.selection.focus.text}.enter(row.value);
        });
        for (int frame = 0; frame < 3; ++frame) {
            time_frames(shell, Query::stays, 1);
            shell.settle();
        }
        f("text." + std::string(row.name));
    }
}

/// Times frames of every step, every chapter of the Text room, and the laboratory's instruments after they have
/// measured: while nothing changes, and with another token or word in every frame.
int bench_frames(const BenchOptions& o) {
    const int frames = 14 * o.runs;  // about 200 by default
    const NullScreen screen;
    Json list = Json::array();
    Opening opening;
    opening.experiment.model = model_for_frames(o);
    opening.experiment.image = {"cat", {}};
    if (!o.beside.empty()) {
        opening.other = OtherHalf{};
        opening.other->experiment = {opening.experiment.model, image_source(o.beside), {}};
    }
    Shell shell(std::move(opening));
    shell.settle();
    shell.prepare({screen_width, screen_height});
    use_null_renderer();
    const auto time = [&](const std::string& name) {
        const FrameRow row{name, time_frames(shell, Query::stays, frames), time_frames(shell, Query::changes, frames),
                           frames};
        if (o.json)
            list.push_back(to_json(row));
        else
            print(row);
    };
    const auto time_settled = [&](const std::string& name) {
        for (int frame = 0; frame < 3; ++frame) {
            time_frames(shell, Query::stays, 1);
            shell.settle();
        }
        time(name);
    };
    for (const Step& step : curriculum()) {
        shell.ask(command::GoToChapter{std::string(step.id)});
        time_settled(std::string(step.id));
    }
    for_text_chapters(shell, time);
    shell.ask(command::EnterRoom{"laboratory"});
    const auto look_at = [&](const auto& change) {
        look(shell, [&](Draft& draft) { change(draft.selection.focus.lab); });
    };
    look_at([](Laboratory& lab) {
        for (int head = 0; head < static_cast<int>(most_side_by_side); ++head) lab.picks.push_back({1, head, {}});
    });
    for (const auto& [instrument, word] : instrument_names) {
        const std::string name = "lab." + std::string(word);
        if (instrument == Instrument::occlusion || instrument == Instrument::causes) continue;  // they take too long
        look_at([&](Laboratory& lab) { lab.instrument = instrument; });
        if (instrument != Instrument::tokens) {
            time_settled(name);
            continue;
        }
        for (const TokenFigure figure : {TokenFigure::positions, TokenFigure::filters, TokenFigure::similarity,
                                         TokenFigure::components, TokenFigure::norms}) {
            look_at([&](Laboratory& lab) { lab.figure = figure; });
            time_settled(name + "." + name_of(figure));
        }
    }
    if (o.json) std::printf("%s\n", list.dump(2).c_str());
    return 0;
}

}  // namespace

int bench_command(const BenchOptions& o) {
    if (o.memory)
        return bench_memory(o, o.variant.empty() ? nullptr : std::make_unique<Model>(bare_variant(o, o.variant)));
    if (o.products) return print_product_table(), 0;
    if (o.what_if)
        return bench_what_if(o, o.variant.empty() ? *open_model(o.model.source()) : variant_model(o, o.variant),
                             threads_of(o));
    if (o.turns) return bench_turns(o);
    if (o.train) return bench_train(o);
    if (o.frames && o.learning) return bench_learning_frames(o);
    return o.frames ? bench_frames(o) : bench_forward(o);
}

}  // namespace vitrine
