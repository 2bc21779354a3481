#include "app/exports/export_commands.h"

#include <imgui.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "app/frame/layout.h"
#include "app/jobs/exporting.h"
#include "app/jobs/jobs.h"
#include "app/platform/clipboard_picture.h"
#include "app/platform/folder.h"
#include "app/platform/new_file.h"
#include "app/platform/user.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session_commands.h"
#include "app/ui/told.h"
#include "app/workspace/library.h"
#include "app/workspace/references.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// "cat-lab-ledger", "holiday-attention".
std::string name_of(const AppContext& context, const std::string& image) {
    std::string name = fs::path(image).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '-');
    const auto own = answers_of(context.state.room).taking.file_name;
    return (own == nullptr ? rooms().front().answers().taking.file_name : own)(name, context.focus());
}

/// A typed name as one of a file in the folder: without its ending, and no way to another folder.
std::string name_typed(std::string typed, const std::string& ending) {
    if (typed.size() > ending.size() && typed.ends_with(ending)) typed.resize(typed.size() - ending.size());
    std::replace_if(
        typed.begin(), typed.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
    return typed.starts_with('.') ? "-" + typed : typed;
}

/// That there is nothing to take.
void refuse(AppContext& context, const char* words) {
    notify(context, context.state.told = warning_words(context.text(words)));
}

/// What another process reads; it is written aside before that starts.
struct Reading {
    Exporting& job;
    std::shared_ptr<const ScratchFolder> folder = job.prepare();
    std::shared_ptr<const Model> learned = {};  // the model that is open, where it was trained in the window
    std::optional<Session> session = {};

    fs::path model() const { return *folder / "model"; }
    fs::path session_file() const { return *folder / "session" += session_ending; }
};

/// What is shown; the words of the other process name `session_file`.
Reading session_in_view(AppContext& context) {
    Reading reads{context.jobs().exporting};
    reads.session = session_of(context);
    reads.learned = context.workspace().experiment.model.learned;
    if (reads.learned) reads.session->model.path = reads.model();
    return reads;
}

/// What another process does, and what is said where its files cannot be written.
struct Errand {
    std::vector<std::string> words;
    fs::path result;
    void (*fails)(AppContext& context);
};

/// Lets it begin behind all that was saved before, which it may read; unless it was cancelled meanwhile.
void start_when_written(AppContext& context, const Reading& reads, const Errand& errand) {
    const auto write = [reads] {
        if (reads.learned) save_model(*reads.learned, reads.model(), Precision::f32);
        if (reads.session) save_session(*reads.session, reads.session_file());
        return reads.folder->path();
    };
    const auto then = [reads, errand](const fs::path&) {
        if (reads.job.prepares(reads.folder)) reads.job.start(errand.words, errand.result);
    };
    context.jobs().saving.save(write, then, [&context, reads, errand] {
        if (!reads.job.prepares(reads.folder)) return;
        reads.job.cancel();
        errand.fails(context);
    });
}

void start(AppContext& context, const Reading& reads, const std::vector<std::string>& words, const fs::path& result) {
    context.state.told.clear();
    context.state.exporting = true;
    context.copies_picture = false;
    start_when_written(context, reads, {words, result, cancel_export});
}

/// What was chosen at the place that is shown; empty where nothing can be.
std::string chosen_in_view(const AppContext& context) {
    const auto chosen = answers_of(context.state.room).places.chosen;
    return chosen == nullptr ? std::string() : chosen(context.state.settings, context.focus());
}

/// The same picture from another process: as sharp as wanted, and the window goes on.
void export_elsewhere(const command::ExportPicture& c, AppContext& context) {
    Exporting& copying = context.jobs().copying;
    const fs::path file = c.to_clipboard ? copying.scratch("figure.png") : new_export(context, "." + c.format, c.name);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool lecturing = context.state.lecture.on;
    const float scale = context.theme.scale / (lecturing ? lecture_factor : 1.0F);
    const Reading reads = session_in_view(context);
    std::vector<std::string> words = {
        "snapshot",
        "--session",
        reads.session_file().string(),
        "--part",
        c.part,
        "--times",
        std::to_string(c.times),
        "--scale",
        std::to_string(scale),
        "--size",
        std::to_string(static_cast<int>(size.x)) + "x" + std::to_string(static_cast<int>(size.y)),
        "--theme",
        context.theme.kind == ThemeKind::light || c.white ? "light" : "dark",
        "--lang",
        context.state.settings.language,
        "--out",
        file.string()};
    if (c.transparent) words.emplace_back("--transparent");
    if (c.bare) words.emplace_back("--bare");
    if (c.caption) words.emplace_back("--caption");
    if (c.outlines) words.emplace_back("--outlines");
    if (lecturing) words.emplace_back("--lecture");
    if (context.state.settings.count_from == 0) words.emplace_back("--from-zero");
    if (const std::string chosen = chosen_in_view(context); !chosen.empty())
        words.insert(words.end(), {"--chosen", chosen});
    start(context, reads, words, file);
    context.copies_picture = c.to_clipboard;
}

}  // namespace

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(folder.string() + ": this folder cannot be made; choose another one in the dialog");
}

std::vector<fs::path> sessions_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& entry : entries_of(folder))
        if (entry.extension() == session_ending) files.push_back(entry);
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        std::error_code ignored;
        return fs::last_write_time(a, ignored) > fs::last_write_time(b, ignored);
    });
    return files;
}

fs::path next_export(const AppContext& context, const std::string& ending, const std::string& typed) {
    const std::string image = context.result() != nullptr ? context.result()->image->name : "vitrine";
    const std::string name = typed.empty() ? name_of(context, image) : name_typed(typed, ending);
    return unused(export_folder(context) / (name + ending));
}

fs::path new_export(const AppContext& context, const std::string& ending, const std::string& typed) {
    make_folder(export_folder(context));
    return next_export(context, ending, typed);
}

void tell_written(AppContext& context, const fs::path& file, const char* words) {
    context.state.told = context.text(words, {{"file", file.string()}});
    notify(context, context.state.told);
    context.state.sessions = sessions_in(export_folder(context));
}

void carry(const command::ExportPicture& c, AppContext& context) {
    if (context.result() == nullptr) return;
    if (c.format != "png" && c.format != "svg")
        throw Error("'" + c.format + "' is no kind of picture; take png or svg");
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (!is_on_screen(c.part, layout_of(context, {size.x, size.y}), {size.x, size.y}))
        throw Error(context.text("export.not_on_screen"));
    const bool elsewhere = answers_of(context.state.room).taking.only_here == nullptr;
    if (c.format == "png" || (elsewhere && (c.bare || c.white || c.outlines))) return export_elsewhere(c, context);
    context.recording_to = new_export(context, ".svg", c.name);
    context.recording = c.part;
}

namespace {

/// Tables by their names as files of a folder, which is made aside.
void save_tables(AppContext& context, const command::ExportNumbers& c,
                 std::vector<std::pair<std::string, Table>> tables) {
    const auto format = value_in(table_format_names, c.format);
    if (!format)
        throw Error("'" + c.format + "' is no format for numbers; take " + listed(names_of(table_format_names)));
    const auto write = [folder = new_export(context, ""), format = *format, ending = c.format,
                        tables = std::move(tables)] {
        const fs::path free = unused(folder);
        make_folder(free);
        for (const auto& [name, table] : tables) write_table(free / (name + "." + ending), table, format);
        return free;
    };
    context.jobs().saving.save(write, [&context](const fs::path& written) { tell_written(context, written); });
}

}  // namespace

void carry(const command::ExportNumbers& c, AppContext& context) {
    if (context.result() == nullptr) return;
    if (const auto tables_of = answers_of(context.state.room).taking.tables; tables_of != nullptr) {
        auto tables = tables_of(context, c.measures);
        return tables ? save_tables(context, c, std::move(*tables)) : refuse(context, "export.no_numbers");
    }
    const fs::path folder = new_export(context, "");
    const Reading reads = session_in_view(context);
    start(context, reads,
          {"export", "--session", reads.session_file().string(), "--what", comma_separated(c.measures), "--format",
           c.format, "--out", folder.string()},
          folder);
}

/// In another process, since it draws every stop on a screen of its own; with the model that is open, also one that was
/// trained in the window.
void carry(const command::WriteHandout& c, AppContext& context) {
    if (c.lesson.starts_with('-')) throw Error(c.lesson + ": is no lesson; name a bundled one or a file");
    const fs::path place = context.playing ? export_folder(context) : home_folder();
    const fs::path file = unused(place / ("vitrine-" + fs::path(c.lesson).stem().string() + ".html"));
    std::vector<std::string> words = {"handout",     c.lesson, "--out",
                                      file.string(), "--lang", context.state.settings.language};
    const ModelSource& model = context.workspace().experiment.model;
    const Reading reads{.job = context.jobs().handout, .learned = model.learned};
    const fs::path folder = model.learned ? reads.model() : model.path;
    const std::string named = folder.empty() ? model.bundled : folder.string();
    if (!named.empty()) words.insert(words.end(), {"--model", named});
    if (model.heads) words.insert(words.end(), {"--heads", std::to_string(*model.heads)});
    start_when_written(context, reads, {words, file, [](AppContext& h) { h.state.handout_told.clear(); }});
    context.state.handout_told = "{muted|" + context.text("lessons.writing") + "}";
}

namespace {

/// Writes words aside into a file, or beside it under another name where there is one of that name by then.
void save_words(AppContext& context, const fs::path& file, std::string words) {
    context.jobs().saving.save(
        [file, words = std::move(words)] {
            const fs::path free = unused(file);
            OutputFile out(free);
            out.write(words);
            out.commit();
            return free;
        },
        [&context](const fs::path& written) { tell_written(context, written); });
}

}  // namespace

void write_bibtex(AppContext& context) {
    const fs::path folder = export_folder(context);
    make_folder(folder);
    save_words(context, folder / "vitrine.bib", bibtex_file());
}

void copy_numbers(AppContext& context) {
    const Taking& room = answers_of(context.state.room).taking;
    const Table table = room.shown == nullptr ? Table{} : room.shown(context);
    if (table.values.empty()) return refuse(context, "export.nothing");
    ImGui::SetClipboardText(to_text(table, '\t').c_str());
    const std::string name = room.measure_name == nullptr ? table.name : room.measure_name(context.text, table.name);
    context.state.told =
        context.text("export.copied", {{"name", name}, {"count", std::to_string(table.values.size())}});
    context.state.copied_until = ImGui::GetTime() + 2;
    notify(context, context.state.told);
}

void copy_command_line(AppContext& context) {
    if (context.workspace().experiment.model.learned) return refuse(context, "export.save_first");
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const Look look{context.theme.kind == ThemeKind::light ? "light" : "dark",
                    context.state.settings.language,
                    static_cast<int>(size.x),
                    static_cast<int>(size.y),
                    context.state.lecture.on,
                    chosen_in_view(context)};
    ImGui::SetClipboardText(command_line_of(session_of(context), look).c_str());
    notify(context, context.state.told = context.text("export.command_copied"));
}

void cancel_export(AppContext& context) {
    context.jobs().exporting.cancel();
    context.jobs().copying.cancel();
    context.copies_picture = false;
    context.state.exporting = false;
}

namespace {

void tell_failure(AppContext& context, const std::string& words, const char* otherwise) {
    context.state.error = words.empty() ? context.text(otherwise) : words;
    context.copies_picture = false;
    show_dialog(context, "");
}

void start_copying(AppContext& context, const fs::path& png) {
    context.state.exporting = true;
    context.jobs().copying.set_program(shell_program);
    context.jobs().copying.start(copy_picture_words(png), png);
}

}  // namespace

void watch_exports(AppContext& context) {
    if (const auto end = context.jobs().exporting.poll()) {
        context.state.exporting = false;
        if (!end->done)
            tell_failure(context, end->words, "export.failed");
        else if (std::exchange(context.copies_picture, false))
            start_copying(context, end->result);
        else
            tell_written(context, end->result);
    }
    if (const auto end = context.jobs().copying.poll()) {
        context.state.exporting = false;
        if (end->done)
            context.state.told = context.text("export.picture_copied");
        else
            tell_failure(context, end->words, "export.not_copied");
    }
    if (const auto end = context.jobs().handout.poll()) {
        context.state.handout_told =
            end->done ? context.text("lessons.written", {{"file", end->result.string()}}) : std::string();
        if (!end->done) context.state.error = end->words;
    }
}

void take_recording(AppContext& context, const std::string& document) {
    save_words(context, std::exchange(context.recording_to, {}), sealed(document));
}

}  // namespace vitrine
