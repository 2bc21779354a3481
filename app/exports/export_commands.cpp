#include "app/exports/export_commands.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "app/exports/numbers.h"
#include "app/exports/orders.h"
#include "app/exports/picture_copy.h"
#include "app/exports/stage_text.h"
#include "app/exports/table_numbering.h"
#include "app/frame/layout.h"
#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/lecture/lecture.h"
#include "app/lecture/lesson.h"
#include "app/library/references.h"
#include "app/platform/new_file.h"
#include "app/platform/scratch_folder.h"
#include "app/platform/user.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session_commands.h"
#include "app/ui/message_words.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/measured.h"
#include "app/workspace/shown_table.h"
#include "app/workspace/words_table.h"
#include "core/base/error.h"
#include "core/base/folder.h"
#include "core/base/names.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"
#include "core/base/progress.h"
#include "core/base/utf8.h"
#include "core/measures/catalogue.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// File name for the view: "cat-lab-ledger", "holiday-attention", "learn-norms-recorded".
std::string name_of(const AppContext& context, const std::string& image) {
    std::string name = fs::path(image).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '-');
    const RoomAnswers& room = answers_of(context.state.room);
    const auto own = room.taking.file_name;
    if (own == nullptr && room.places.describe != nullptr) {  // a room without an image: named by its content
        LessonStop shown;
        room.places.describe(context, shown);
        return room.places.word + (shown.id.empty() ? "" : "-" + shown.id) + (shown.recorded ? "-recorded" : "");
    }
    return (own == nullptr ? rooms().front().answers().taking.file_name : own)(name, context.focus());
}

/// A typed file name without extension, confined to the folder.
std::string name_typed(std::string typed, const std::string& ending) {
    if (typed.size() > ending.size() && typed.ends_with(ending)) typed.resize(typed.size() - ending.size());
    std::replace_if(
        typed.begin(), typed.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
    return typed.starts_with('.') ? "-" + typed : typed;
}

/// Reports why nothing is exported; `words` is the key of a text.
void refuse(AppContext& context, const char* words) {
    notify(context, context.state.told = warning_words(context.text(words)));
}

void begin(AppContext& context) {
    begin_report(context);
    if (!context.state.exporting) context.state.exporting = 0;
}

/// The user's choices at the place in view; empty if there are none.
std::string chosen_in_view(const AppContext& context) {
    const auto chosen = answers_of(context.state.room).places.chosen;
    return chosen == nullptr ? std::string() : chosen(context.state.settings, context.focus());
}

}  // namespace

Opening opening_in_view(const AppContext& context) {
    const Workspace& w = context.workspace();
    const Workspace* const other = context.workspaces.other();
    Session session = session_of(context);
    if (other != nullptr) add_run_beside(context, session);
    Opening opening =
        opening_of(session, what_ifs_of(session, w.config()),
                   other == nullptr ? std::vector<Intervention>() : what_ifs_of(other_of(session), other->config()));
    opening.experiment.model.learned = w.experiment.model.learned;
    opening.result = w.shown.result;
    if (other != nullptr) {
        opening.other->experiment.model.learned = other->experiment.model.learned;
        opening.other_result = other->shown.result;
    }
    const Settings& settings = context.state.settings;
    if (const Places& places = answers_of(context.state.room).places; places.chosen != nullptr)
        if (const auto made = settings.exercises.find(places.here(opening.selection.focus));
            made != settings.exercises.end())
            opening.state.settings.exercises.insert(*made);
    Settings shown = settings;
    shown.theme = context.theme.kind;
    return for_picture(std::move(opening), shown, context.state.lecture.on);
}

namespace {

/// Orders a picture of the view, drawn offscreen at any resolution without affecting the window. Throws Error.
void draw_aside(const command::ExportPicture& c, AppContext& context) {
    PictureOrder order;
    order.opening = opening_in_view(context);
    if (c.white || c.transparent) order.opening.state.settings.theme = ThemeKind::light;  // slides are white
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float lecture = shows_two(context) ? reading_factor : lecture_factor;
    const float scale = context.theme.scale / (context.state.lecture.on ? lecture : 1.0F);
    order.drawing = {static_cast<int>(size.x),
                     static_cast<int>(size.y),
                     std::stod(std::to_string(scale)),  // rounded like a value on a command line
                     c.times,
                     c.transparent,
                     {c.bare, c.caption, c.outlines, c.title}};
    constexpr int most_times = 4;
    if (c.times < 1 || c.times > most_times)
        throw Error(std::to_string(c.times) + " pixels for one: pictures are not drawn like that; choose 1 to 4");
    if (std::max(order.drawing.width, order.drawing.height) * c.times > most_pixels)
        throw Error(context.text("export.too_large", {{"count", std::to_string(most_pixels)}}));
    order.part = c.part;
    order.format = c.format;
    if (c.to_clipboard) {
        order.clipboard = std::make_shared<const ScratchFolder>();
        order.file = *order.clipboard / "figure.png";
    } else {
        order.file = new_export(context, "." + c.format, c.name);
    }
    begin(context);
    context.jobs().of<Orders>().picture.request(std::move(order));
}

}  // namespace

void begin_report(AppContext& context) {
    if (!context.state.exporting && context.recording.empty() && !context.jobs().of<Saving>().pending())
        context.state.told.clear();
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(folder.string() + ": this folder cannot be created; choose another one in the dialog");
}

std::vector<fs::path> sessions_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const std::string& name : names_in(folder))
        if (fs::path(name).extension() == session_ending) files.push_back(folder / name);
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

void report_written(AppContext& context, const fs::path& file, const char* words) {
    std::string& told = context.state.told;  // the newest line first, where it is in view
    told = context.text(words, {{"file", file.string()}}) + (told.empty() ? "" : "\n") + told;
    notify(context, told);
    context.state.sessions = sessions_in(export_folder(context));
}

void execute(const command::ExportPicture& c, AppContext& context) {
    if (context.result() == nullptr) return;
    if (c.format != "png" && c.format != "svg")
        throw Error("'" + c.format + "' is not a picture format; choose png or svg");
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (!is_on_screen(c.part, layout_of(context, {size.x, size.y}), {size.x, size.y}))
        throw Error(context.text("export.not_on_screen"));
    const bool aside = answers_of(context.state.room).taking.only_here == nullptr;
    if (c.format == "png" || (aside && (c.bare || c.white || c.transparent || c.outlines)))
        return draw_aside(c, context);
    begin_report(context);
    context.recording_to = new_export(context, ".svg", c.name);
    context.recording = c.part;
}

namespace {

/// Starts the next export of numbers once no other one runs or waits to be reported.
void next_numbers(NumbersExport& job) {
    const NumbersExport::State now = job.latest(NumbersExport::only);
    if (job.later.empty() || now.running || now.result || now.failure) return;
    NumbersRequest first = std::move(job.later.front());
    job.later.pop_front();
    first.folder = unused(first.folder);
    job.request(NumbersExport::only, first);
}

TableFormat check_format(const std::string& name) {
    const auto format = value_in(table_format_names, name);
    if (!format) throw Error("'" + name + "' is not a number format; choose " + listed(names_of(table_format_names)));
    return *format;
}

/// Writes tables to a new folder in the background, each to a file of its name. Throws Error for an unknown format.
void save_tables(AppContext& context, const command::ExportNumbers& c, std::function<Taking::NamedTables()> tables_of) {
    const TableFormat format = check_format(c.format);
    begin_report(context);
    const auto write = [folder = new_export(context, ""), format, ending = c.format, tables_of = std::move(tables_of)] {
        const Taking::NamedTables tables = tables_of();
        const fs::path free = unused(folder);
        make_folder(free);
        for (const auto& [name, table] : tables) write_table(free / (name + "." + ending), table, format);
        return free;
    };
    context.jobs().of<Saving>().save(write, [&context](const fs::path& written) { report_written(context, written); });
}

}  // namespace

void execute(const command::ExportNumbers& c, AppContext& context) {
    if (context.result() == nullptr) return;
    if (const auto tables_of = answers_of(context.state.room).taking.tables; tables_of != nullptr) {
        auto tables = tables_of(context, c.measures);
        return tables ? save_tables(context, c, std::move(*tables)) : refuse(context, "export.no_numbers");
    }
    const std::shared_ptr<const Result>& result = context.workspace().shown.result;
    check_format(c.format);
    std::shared_ptr<const Measured> measured;  // of measures of several runs
    for (const std::string& name : c.measures) {
        if (name == compare_measure) {
            if (context.focus().lab.picks.empty()) return refuse(context, "export.nothing");
            continue;
        }
        if (is_words_measure(name)) continue;
        if (is_of_several_runs(name)) {
            measured = context.workspace().measured;
            if (!measured || measured->of != result ||
                shown_table(*result, context.focus(), measured.get()).name != name)
                return refuse(context, "export.nothing");
            continue;
        }
        if (!is_measure(name, result->trace))
            throw Error("'" + name + "' is not a measure or a tensor of this model; choose one in the dialog");
        check_measure(name, result->model->config);
    }
    const fs::path folder = new_export(context, "");
    begin(context);
    NumbersExport& job = context.jobs().of<NumbersExport>();
    job.later.push_back({result, context.focus(), c.measures, c.format, folder, measured});
    next_numbers(job);
}

namespace {

/// A lesson's title as part of a file's name, in any script, Latin letters in lower case: spaces and most punctuation
/// become hyphens. Empty if nothing else is left.
std::string name_of_title(const std::string& title) {
    constexpr std::size_t most_bytes = 120;
    constexpr std::string_view replaced = " /\\:*?\"'<>|.,;!&()[]{}#%$`~-";
    std::string name;
    std::size_t at = 0;
    while (at < title.size() && name.size() < most_bytes) {
        const std::size_t from = at;
        const char32_t letter = letter_at(title, at);
        const bool breaks = letter < 0x20 || letter == 0x7F || letter == no_letter ||
                            (letter < 0x80 && replaced.find(static_cast<char>(letter)) != std::string_view::npos);
        if (!breaks)
            name += letter < 0x80 ? std::string(1, static_cast<char>(std::tolower(static_cast<int>(letter))))
                                  : title.substr(from, at - from);
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (name.ends_with('-')) name.pop_back();
    return name;
}

/// The name of a lesson's handouts: the title of a user's own lesson, else the name of the lesson or its file.
std::string name_of_handout(const std::string& source, const std::string& language) {
    const std::optional<Lesson> own = is_bundled_lesson(source) ? std::nullopt : lesson_row_of(source).lesson;
    const std::string name = own ? name_of_title(own->title_in(language)) : std::string();
    return name.empty() ? fs::path(source).stem().string() : name;
}

}  // namespace

/// Orders a handout with the open model, even if that was trained in the window.
void execute(const command::WriteHandout& c, AppContext& context) {
    const std::shared_ptr<const Result>& result = context.workspace().shown.result;
    if (!result) return;
    const fs::path folder = export_folder(context);
    make_folder(folder);
    const std::string name =
        "vitrine-" + name_of_handout(c.lesson, context.state.settings.language) + (c.answers ? "-teacher" : "");
    const fs::path file = unused(folder / (name + ".html"));
    if (!context.state.writing_handout) {
        context.state.handout_told.clear();
        context.state.writing_handout = 0;
    }
    context.jobs().of<Orders>().handout.request({c.lesson, result->experiment.model, result->model, result,
                                                 context.state.settings, c.answers, c.answers, file});
}

namespace {

/// Writes text to a file, or to an unused name beside it if the file exists by then; returns the file.
fs::path write_words(const fs::path& file, const std::string& words) {
    const fs::path free = unused(file);
    replace_file(free, words);
    return free;
}

void save_words(AppContext& context, const fs::path& file, std::string words) {
    context.jobs().of<Saving>().save([file, words = std::move(words)] { return write_words(file, words); },
                                     [&context](const fs::path& written) { report_written(context, written); });
}

}  // namespace

void write_bibtex(AppContext& context) {
    const fs::path folder = export_folder(context);
    make_folder(folder);
    begin_report(context);
    save_words(context, folder / "vitrine.bib", bibtex_file());
}

namespace {

/// The numbers of the picture, with indices counted as on the screen; empty if there are none.
Table table_on_screen(const AppContext& context) {
    const Taking& room = answers_of(context.state.room).taking;
    Table table = room.shown == nullptr ? Table{} : room.shown(context);
    if (!table.values.empty()) number_from(table, context.state.settings.count_from);
    return table;
}

}  // namespace

void save_table(AppContext& context) {
    Table table = table_on_screen(context);
    if (table.values.empty()) return refuse(context, "export.nothing");
    // The table's first cell has the title and caption of the figure, too.
    if (const std::string caption = stage_caption(context); !caption.empty()) table.axes.front() += " · " + caption;
    begin_report(context);
    save_words(context, new_export(context, ".csv"), to_text(table, ','));
}

void copy_numbers(AppContext& context) {
    const Taking& room = answers_of(context.state.room).taking;
    const Table table = table_on_screen(context);
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
    Jobs& jobs = context.jobs();
    jobs.of<Orders>().picture.cancel();
    jobs.of<PictureCopy>().cancel();
    jobs.of<NumbersExport>().later.clear();
    jobs.of<NumbersExport>().forget(NumbersExport::only);
    context.state.exporting.reset();
}

void cancel_handout(AppContext& context) {
    context.jobs().of<Orders>().handout.cancel();
    context.state.writing_handout.reset();
}

namespace {

void report_failure(AppContext& context, const std::string& words) {
    context.state.error = words;
    show_dialog(context, "");
}

/// Calls `then` with an order's file and starts the next order; deletes the file if the order was cancelled.
template <class Order>
Saving::Then unless_cancelled(Orders::Slot<Order>& slot, const std::shared_ptr<const Order>& order, Saving::Then then) {
    return [&slot, wanted = std::weak_ptr(order), then = std::move(then)](const fs::path& file) {
        std::error_code ignored;
        const auto still = wanted.lock();
        if (!still || slot.order != still) return static_cast<void>(fs::remove(file, ignored));
        then(file);
        slot.next();
    };
}

/// A function that calls `write`, or throws Cancelled if the order has been cancelled by then.
template <class Order, class Write>
Saving::Write if_wanted(const std::shared_ptr<const Order>& order, Write write) {
    return [wanted = std::weak_ptr(order), write = std::move(write)] {
        if (wanted.expired()) throw Cancelled();
        return write();
    };
}

}  // namespace

void write_picture(AppContext& context, const std::shared_ptr<const PictureOrder>& order,
                   std::function<void(const fs::path&)> write) {
    const auto into_file = [write = std::move(write), wanted = order->file] {
        const fs::path file = unused(wanted);
        write(file);
        return file;
    };
    const auto then = [&context, folder = order->clipboard](const fs::path& file) {
        if (folder)
            context.jobs().of<PictureCopy>().start(folder, file);
        else
            report_written(context, file);
    };
    Jobs& jobs = context.jobs();
    jobs.of<Saving>().save(if_wanted(order, into_file), unless_cancelled(jobs.of<Orders>().picture, order, then),
                           [&jobs] { jobs.of<Orders>().picture.next(); });
}

void write_handout(AppContext& context, const std::shared_ptr<const HandoutOrder>& order, std::string page) {
    const auto into_file = [page = std::move(page), wanted = order->file] { return write_words(wanted, page); };
    const auto then = [&context](const fs::path& file) {
        std::string& told = context.state.handout_told;
        told += (told.empty() ? "" : "\n") + context.text("lessons.written", {{"file", file.string()}});
    };
    Jobs& jobs = context.jobs();
    jobs.of<Saving>().save(if_wanted(order, into_file), unless_cancelled(jobs.of<Orders>().handout, order, then),
                           [&jobs] { jobs.of<Orders>().handout.next(); });
}

void picture_failed(AppContext& context, const std::string& words) {
    context.jobs().of<Orders>().picture.next();
    report_failure(context, words);
}

void handout_failed(AppContext& context, const std::string& words) {
    context.jobs().of<Orders>().handout.next();
    context.state.error = words;
}

namespace {

/// Progress of the export of numbers, 0 … 1; none without an export. Reports its end once.
std::optional<double> watch_numbers(AppContext& context) {
    if (!context.jobs().has<NumbersExport>()) return {};
    NumbersExport& job = context.jobs().of<NumbersExport>();
    const NumbersExport::State now = job.latest(NumbersExport::only);
    if (now.running) return now.fraction;
    if (const std::string failure = job.take_failure(NumbersExport::only); !failure.empty())
        report_failure(context, failure);
    else if (now.result)
        report_written(context, *now.result);
    if (now.result || now.failure) job.forget(NumbersExport::only);
    next_numbers(job);
    return job.latest(NumbersExport::only).running ? std::optional(0.0) : std::nullopt;
}

void watch_copy(AppContext& context) {
    if (!context.jobs().has<PictureCopy>()) return;
    const auto end = context.jobs().of<PictureCopy>().take_end();
    if (!end) return;
    if (end->status == 0)
        context.state.told = context.text("export.picture_copied");
    else
        report_failure(context, end->words.empty() ? context.text("export.not_copied") : end->words);
}

}  // namespace

void watch_exports(AppContext& context) {
    State& state = context.state;
    Jobs& jobs = context.jobs();
    state.exporting = watch_numbers(context);
    watch_copy(context);
    state.writing_handout.reset();
    if (jobs.has<PictureCopy>() && jobs.of<PictureCopy>().busy()) state.exporting = 1;
    if (!jobs.has<Orders>()) return;
    const Orders& orders = jobs.of<Orders>();
    if (orders.picture.order) state.exporting = orders.picture.fraction;
    if (orders.handout.order) state.writing_handout = orders.handout.fraction;
}

void take_recording(AppContext& context, const std::string& document) {
    save_words(context, std::exchange(context.recording_to, {}), sealed(document));
}

}  // namespace vitrine
