#include <imgui.h>
#include <unistd.h>

#include <algorithm>

#include "app/platform/folder.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/new_file.h"
#include "app/shell/app.h"
#include "app/workspace/library.h"
#include "app/workspace/shown_table.h"
#include "core/checkpoint/save.h"
#include "core/error.h"
#include "core/output_file.h"

// What is taken away from the window: pictures, numbers, sessions.

namespace vitrine {

namespace {

namespace fs = std::filesystem;

fs::path export_folder(const Settings& settings) {
    if (!settings.export_folder.empty()) return settings.export_folder;
    return home_folder() / "vitrine";
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(folder.string() + ": this folder cannot be made; choose another one in the dialog");
}

/// Files of one process only, gone with it.
fs::path scratch(const std::string& name) {
    std::error_code ignored;
    return fs::temp_directory_path(ignored) / ("vitrine-" + std::to_string(getpid()) + "-" + name);
}

/// What a process that was stopped has left half written.
void remove_parts(const fs::path& wanted) {
    std::error_code error;
    fs::remove(wanted.string() + ".part", error);
    for (const fs::path& entry : entries_of(wanted))
        if (entry.extension() == ".part") fs::remove(entry, error);
}

void remove_scratch() {
    std::error_code ignored;
    fs::remove(scratch("session") += session_ending, ignored);
    fs::remove_all(scratch("model"), ignored);
}

/// "cat-lab-ledger", "holiday-attention".
std::string name_of(const AppState& state, const std::string& image) {
    std::string name = fs::path(image).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '-');
    const Focus& f = state.selection.focus;
    const bool lab = state.chrome.mode == Mode::laboratory;
    return name + "-" +
           (lab ? std::string("lab-") + name_of(f.lab.instrument)
                : std::string(curriculum()[static_cast<std::size_t>(f.step)].id));
}

}  // namespace

const std::vector<std::string>& App::parts() {
    static const std::vector<std::string> all = {"window", "stage", "explanation", "map", "tokens"};
    return all;
}

bool App::is_on_screen(const std::string& part) const {
    return rect_of(part).inset(1).overlaps({0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y});
}

Rect App::rect_of(const std::string& part) const {
    const Zones z = zones();
    if (part == "stage") return z.stage;
    if (part == "explanation") return z.explanation;
    if (part == "map") return z.map;
    if (part == "tokens") return {z.tokens.x0, z.tokens.y0, z.time.x1, z.time.y1};
    return {0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
}

/// `id` of a zone, or the whole window.
void App::begin_recording(const std::string& id) {
    const bool wanted = id == "window" ? record_ == id : id == "zone." + (record_ == "tokens" ? "bottom" : record_);
    if (!wanted || record_.empty() || also_ != nullptr) return;
    const Rect view = rect_of(record_);
    svg_ = std::make_unique<SvgCanvas>(view, theme_);
    also_ = svg_.get();
    if (!state_.chrome.transparent && record_ == "window") also_->fill(view, theme_.palette.background);
    also_->push_clip(view);
}

void App::end_recording(const std::string& id) {
    const bool zone = id != "window";
    if (also_ == nullptr || zone == (record_ == "window")) return;
    recording_ = svg_->document();
    record_.clear();
    also_ = nullptr;
    svg_.reset();
}

const Measured* App::measured_in_view() const {
    const bool there = state_.chrome.mode == Mode::laboratory && measured_ && shown_.result &&
                       measured_->of->model == shown_.result->model;
    return there ? measured_.get() : nullptr;
}

/// A file that holds the session for another process; a model that was trained in the window is saved beside it.
fs::path App::scratch_session() {
    Session s = session();
    if (const auto& learned = state_.experiment.model.learned) {
        const fs::path folder = scratch("model");
        save_model(*learned, folder, Precision::f32);
        s.model.path = folder;
    }
    const fs::path file = scratch("session") += session_ending;
    save_session(s, file);
    return file;
}

void App::start_export(std::vector<std::string> words, const fs::path& result) {
    TakeAway& t = state_.chrome.take_away;
    t.told.clear();
    t.busy = true;
    exported_ = result;
    export_ = std::make_unique<ChildProcess>(words, program_);
}

/// A file for what is shown, in a folder that is there.
fs::path App::new_file(const std::string& ending) const {
    const fs::path folder = export_folder(state_.chrome.settings);
    make_folder(folder);
    return unused(folder / (name_of(state_, shown_.result->image->name) + ending));
}

/// The same picture from another process: as sharp as wanted, and the window goes on.
void App::export_png() {
    const TakeAway& t = state_.chrome.take_away;
    const fs::path file = new_file(".png");
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool lecturing = state_.chrome.lecture.on;
    std::vector<std::string> words = {
        "snapshot",
        "--session",
        scratch_session().string(),
        "--part",
        t.part,
        "--times",
        std::to_string(t.times),
        "--scale",
        std::to_string(lecturing ? theme_.scale / lecture_factor : theme_.scale),
        "--size",
        std::to_string(static_cast<int>(size.x)) + "x" + std::to_string(static_cast<int>(size.y)),
        "--theme",
        theme_.kind == ThemeKind::light ? "light" : "dark",
        "--lang",
        state_.chrome.settings.language,
        "--out",
        file.string()};
    if (t.transparent) words.emplace_back("--transparent");
    if (lecturing) words.emplace_back("--lecture");
    start_export(std::move(words), file);
}

void App::export_numbers() {
    const TakeAway& t = state_.chrome.take_away;
    const fs::path folder = new_file("");
    std::string measures;
    for (const std::string& name : t.measures) measures += (measures.empty() ? "" : ",") + name;
    start_export({"export", "--session", scratch_session().string(), "--what", measures, "--format",
                  ending_of(t.format), "--out", folder.string()},
                 folder);
}

void App::copy_numbers() {
    TakeAway& t = state_.chrome.take_away;
    const bool lab = state_.chrome.mode == Mode::laboratory;
    const Table table = lab && measured_in_view() == nullptr
                            ? Table{}
                            : shown_table(*shown_.result, state_.selection.focus, measured_in_view());
    if (table.values.empty()) {
        t.told = text_("export.nothing");
        return;
    }
    ImGui::SetClipboardText(to_text(table, '\t').c_str());
    t.told = text_("export.copied", {{"name", table.name}, {"count", std::to_string(table.values.size())}});
    state_.chrome.copied_until = ImGui::GetTime() + 2;
}

void App::tell_written(const fs::path& file) {
    TakeAway& t = state_.chrome.take_away;
    t.told = text_("export.written", {{"file", file.string()}});
    t.sessions = sessions_in(export_folder(state_.chrome.settings));
}

/// The file stays until what it names is there.
void App::recover() {
    TakeAway& t = state_.chrome.take_away;
    Session s = load_session(t.recovery);
    const fs::path model = Autosave::model_of(t.recovery);
    if (std::error_code error; s.model.path == model && fs::exists(model, error)) {
        const fs::path folder = export_folder(state_.chrome.settings);
        make_folder(folder);
        s.model.path = unused(folder / "trained-model");
        fs::copy(model, s.model.path, error);
        if (error) throw Error(s.model.path.string() + ": the model cannot be kept there; choose another folder");
        save_session(s, t.recovery);
        fs::remove_all(model, error);
    }
    restore(s);
    recovered_ = std::exchange(t.recovery, {});
    state_.chrome.dialog = Dialog::none;
}

App::~App() {
    if (!export_) return;
    export_.reset();
    remove_scratch();
    remove_parts(exported_);
}

void App::open_export_dialog() {
    state_.chrome.dialog = Dialog::take_away;
    state_.chrome.take_away.told.clear();
    state_.chrome.take_away.can_png = state_.chrome.mode != Mode::learn;
    state_.chrome.take_away.sessions = sessions_in(export_folder(state_.chrome.settings));
}

void App::carry_out(TakeAway::Asked asked) {
    using Asked = TakeAway::Asked;
    TakeAway& t = state_.chrome.take_away;
    if ((asked == Asked::png || asked == Asked::svg) && !is_on_screen(t.part))
        throw Error(text_("export.not_on_screen"));
    switch (asked) {
        case Asked::nothing: break;
        case Asked::png: return export_png();
        case Asked::svg: svg_file_ = new_file(".svg"); return record(t.part);
        case Asked::numbers: return export_numbers();
        case Asked::text: return copy_numbers();
        case Asked::session: return save_this_session();
        case Asked::command: {
            if (state_.experiment.model.learned) {
                t.told = text_("export.save_first");
                break;
            }
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            const Look look{theme_.kind == ThemeKind::light ? "light" : "dark", state_.chrome.settings.language,
                            static_cast<int>(size.x), static_cast<int>(size.y), state_.chrome.lecture.on};
            const std::string line = command_line_of(session(), look);
            ImGui::SetClipboardText(line.c_str());
            t.told = text_("export.command_copied");
            break;
        }
        case Asked::cancel:
            export_.reset();
            remove_scratch();
            remove_parts(exported_);
            t.busy = false;
            break;
        case Asked::recover: return recover();
        case Asked::forget: {
            std::error_code ignored;
            fs::remove_all(Autosave::model_of(t.recovery), ignored);
            fs::remove(t.recovery, ignored);
            t.recovery.clear();
            state_.chrome.dialog = Dialog::none;
            break;
        }
    }
}

/// What was asked for while the frame was drawn, and what another process has done since.
void App::take_away() {
    TakeAway& t = state_.chrome.take_away;
    try {
        const auto asked = std::exchange(t.asked, TakeAway::Asked::nothing);
        if (shown_.result || asked == TakeAway::Asked::recover || asked == TakeAway::Asked::forget) carry_out(asked);
        if (const auto file = std::exchange(t.open_asked, {})) {
            restore(load_session(*file));
            state_.chrome.dialog = Dialog::none;
        }
        if (!svg_file_.empty() && !recording_.empty()) {
            const fs::path file = std::exchange(svg_file_, {});
            OutputFile out(file);
            out.write(take_recording());
            out.commit();
            tell_written(file);
        }
    } catch (const Error& error) {
        error_ = error.what();
        state_.chrome.dialog = Dialog::none;
    }
    if (!export_) return;
    const auto end = export_->poll();
    if (!end) return;
    export_.reset();
    remove_scratch();
    t.busy = false;
    if (end->status == 0) return tell_written(exported_);
    error_ = end->words.empty() ? text_("export.failed") : end->words;
    state_.chrome.dialog = Dialog::none;
}

}  // namespace vitrine
