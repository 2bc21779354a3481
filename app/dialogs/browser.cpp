#include "app/dialogs/browser.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/dialogs/file_tile.h"
#include "app/dialogs/plain_dialogs.h"
#include "app/jobs/jobs.h"
#include "app/jobs/thumbnails.h"
#include "app/lecture/lecture.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/user.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/sessions/session.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/workspace.h"
#include "core/files/image.h"
#include "core/files/open_tensors.h"
#include "core/files/tensor_shards.h"
#include "core/files/video.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

namespace fs = std::filesystem;

namespace {

constexpr float dialog_width = 1180,
                dialog_height = 820;  // the same for all kinds of files

/// The kind of files to list.
using Wanted = FileKind;

enum class Kind { folder, image, video, model_folder, weights, session, lesson };

struct Item {
    fs::path path;
    std::string name;
    Kind kind = Kind::folder;
};

bool has_ending(const fs::path& file, const std::vector<std::string>& endings) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(endings.begin(), endings.end(), [&](const std::string& e) { return ending == e; });
}

bool is_weight_file(const fs::path& path) {
    return std::ranges::find(weight_endings(), ending_of(path)) != weight_endings().end() || is_index_of_shards(path);
}

/// The folders and openable files by name, folders first.
std::vector<Item> list(const fs::path& folder, Wanted what) {
    std::vector<Item> items;
    std::error_code error;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error)) {
        const fs::path& path = it->path();
        const std::string name = path.filename().string();
        std::error_code ignored;
        if (name.starts_with(".")) continue;
        const bool is_folder = fs::is_directory(path, ignored);
        if (is_folder && what == Wanted::model && is_folder_of_model(path))
            items.push_back({path, name, Kind::model_folder});
        else if (is_folder)
            items.push_back({path, name, Kind::folder});
        else if (what == Wanted::image && has_ending(path, image_endings()))
            items.push_back({path, name, Kind::image});
        else if (what == Wanted::image && is_video(path))
            items.push_back({path, name, Kind::video});
        else if (what == Wanted::model && is_weight_file(path))
            items.push_back({path, name, Kind::weights});
        else if (what == Wanted::session && has_ending(path, {session_ending}))
            items.push_back({path, name, Kind::session});
        else if (what == Wanted::lesson && has_ending(path, {".txt", ".lesson"}))
            items.push_back({path, name, Kind::lesson});
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return (a.kind == Kind::folder) != (b.kind == Kind::folder) ? a.kind == Kind::folder : a.name < b.name;
    });
    return items;
}

}  // namespace

/// The editable path above a folder's files.
struct PathField {
    fs::path folder;  // shown folder
    std::array<char, 1024> typed = {};
};

struct Browser::State {
    PathField path;
    std::optional<Wanted> listed_for;
    fs::path folder;
    std::vector<Item> items;
    bool beside = false;  // the next file opens in the right half, beside what is shown

    /// Lists again if the folder or the kind has changed, or the dialog, whose window this is called in, has just been
    /// opened; returns true if it did.
    bool show(const fs::path& wanted, Wanted what) {
        if (wanted == folder && what == listed_for && !ImGui::IsWindowAppearing()) return false;
        folder = wanted;
        listed_for = what;
        path.folder.clear();  // a path typed for another kind of file does not apply here
        items = list(folder, what);
        return true;
    }
};

Browser::Browser() : state_(std::make_unique<State>()) {}
Browser::~Browser() = default;

namespace {

/// Lays out tiles in rows and calls `draw(index, rect)`.
template <class F>
void tiles(const Ui& ui, std::size_t count, float side, F draw) {
    const float gap = ui.theme.px(10), width = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((width + gap) / (side + gap)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    for (std::size_t i = 0; i < count; ++i) {
        const float x = at.x + static_cast<float>(static_cast<int>(i) % columns) * (side + gap);
        const float y = at.y + static_cast<float>(static_cast<int>(i) / columns) * (side + gap);
        // Draws one more row on each side, so that the keyboard, which moves among drawn items, can reach it.
        if (y + 2 * side + gap >= top && y - side - gap <= bottom) draw(i, Rect{x, y, x + side, y + side});
    }
    const float rows = static_cast<float>((static_cast<int>(count) + columns - 1) / columns);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, rows * (side + gap)});
}

/// The folder to go to, or the file whose path was typed.
struct Destination {
    fs::path folder;
    std::optional<fs::path> file;
};

/// Navigation: up, home, and an editable path.
Destination folder_line(const Ui& ui, const fs::path& folder, PathField& field) {
    fs::path wanted = folder;
    std::optional<fs::path> file;
    if (icon_button(ui, {"browser.up", {}, ui.text("browser.up"), {}, folder.has_relative_path()}, Icon::up,
                    Emphasis::plain))
        wanted = folder.parent_path();
    ImGui::SameLine();
    if (button(ui, {"browser.home", ui.text("browser.home"), ui.text("browser.home_tip"), {}})) wanted = home_folder();
    ImGui::SameLine();
    if (field.folder != folder) {
        field.folder = folder;
        field.typed.fill('\0');
        folder.string().copy(field.typed.data(), field.typed.size() - 1);
    }
    const fs::path typed = typed_path(field.typed.data());
    std::error_code ignored;
    const bool is_there = fs::exists(typed, ignored);
    const Color ink = is_there ? ui.theme.palette.text : ui.theme.palette.negative;
    ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(ink.r, ink.g, ink.b, ink.a));
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputText("##browser.folder", field.typed.data(), field.typed.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleColor();
    ui.probe.mark_item("browser.folder", is_there ? 1 : 0, field.typed.data());
    tooltip(ui, ui.text("browser.path_tip"), "Enter");
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "browser.folder");
    if (ui.glyphs != nullptr) ui.glyphs->see(field.typed.data());
    if (entered && is_there) fs::is_directory(typed, ignored) ? wanted = typed : file.emplace(typed);
    return {wanted, file};
}

/// The last used folder, or home.
fs::path remembered(const std::string& folder) {
    std::error_code ignored;
    return !folder.empty() && fs::is_directory(folder, ignored) ? fs::path(folder) : home_folder();
}

Icon icon_of(Kind kind) {
    switch (kind) {
        case Kind::image: return Icon::picture;
        case Kind::video: return Icon::play;
        case Kind::session: return Icon::save;
        case Kind::lesson: return Icon::lecture;
        case Kind::weights:
        case Kind::model_folder: return Icon::check;
        case Kind::folder: break;
    }
    return Icon::folder;
}

/// Choice of the kind of file, each with a dialog of its own.
void kind_choice(const Frame& frame, Wanted kind, bool* beside = nullptr) {
    constexpr std::array dialogs = {"open_image", "open_model", "open_session", "open_lesson"};
    std::vector<Control> controls;
    for (const Named<FileKind>& row : file_kind_names) {
        const std::string id = "browser.kind." + std::string(row.name);
        const char* const dialog = dialogs[controls.size()];
        controls.push_back({id, frame.ui.text(id), frame.ui.text("browser.kind_tip"), frame.key_of(dialog)});
    }
    int chosen = static_cast<int>(kind);
    if (segmented(frame.ui, controls, chosen))
        frame.commands().add(command::ShowDialog{dialogs[static_cast<std::size_t>(chosen)]});
    if (beside != nullptr && frame.shown().result) {
        ImGui::SameLine(0, frame.ui.theme.px(24));
        toggle(frame.ui, {"browser.beside", frame.ui.text("beside.open"), frame.ui.text("beside.open_tip"), {}},
               *beside);
    }
    ImGui::Dummy({1, frame.ui.theme.px(6)});
}

/// Adds a command that opens something, in the right half if `beside`, which is then reset.
void add_opening(const Frame& frame, Command command, bool& beside) {
    if (std::exchange(beside, false)) frame.commands().add("beside.open");
    frame.commands().add(std::move(command));
}

/// Sources that can be opened as a stream: the folder, if it holds images, and a camera.
void stream_line(const Frame& frame, const fs::path& folder, bool holds_images, bool& beside) {
    const Ui& ui = frame.ui;
    if (button(ui,
               {"browser.play_folder",
                ui.text("browser.play_folder"),
                ui.text("browser.play_folder_tip"),
                {},
                holds_images},
               {Emphasis::plain, Icon::play}))
        add_opening(frame, command::PlayStream{folder}, beside);
    ImGui::SameLine();
    if (button(ui, {"browser.camera", ui.text("browser.camera"), ui.text("browser.camera_tip"), {}}))
        frame.commands().add("camera");
}

/// Recent files as buttons in one line, as many as fit; returns the chosen one.
std::optional<fs::path> recent_line(const Frame& frame, const std::vector<fs::path>& files) {
    if (files.empty()) return {};
    const Ui& ui = frame.ui;
    heading(ui, ui.text("browser.recent"));
    std::optional<fs::path> chosen;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    float room = ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name = name_of_checkpoint(files[i]);
        const float width = std::min(canvas.measure(name, Font::body).x + ui.theme.px(29), ui.theme.px(280));
        room -= width + ImGui::GetStyle().ItemSpacing.x;
        if (i > 0 && room < 0) break;
        if (i > 0) ImGui::SameLine();
        if (ui.glyphs != nullptr) ui.glyphs->see(name);
        if (button(ui, {"browser.recent." + std::to_string(i), name, files[i].string(), {}},
                   {Emphasis::plain, {}, width}))
            chosen = files[i];
    }
    return chosen;
}

/// A list of folders and files; returns the chosen one.
const Item* item_rows(const Ui& ui, const std::vector<Item>& items, const char* tip) {
    const Item* chosen = nullptr;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        const bool file = item.kind != Kind::folder;
        if (button(ui, {"browser.item." + std::to_string(i), item.name, file ? ui.text(tip) : std::string(), {}},
                   {file ? Emphasis::plain : Emphasis::quiet, icon_of(item.kind), -1, true}))
            chosen = &item;
    }
    return chosen;
}

/// Folders and images as tiles that scroll; returns the chosen one.
const Item* item_tiles(const Ui& ui, const std::vector<Item>& items, Thumbnails& thumbnails) {
    const Item* chosen = nullptr;
    begin_child({"browser.list", 0, 0, false, false, 0});
    if (items.empty())
        empty_card(ui, {"browser.empty", ui.text("browser.empty"), ui.text("browser.empty_images"), {}, {}});
    tiles(ui, items.size(), ui.theme.px(150), [&](std::size_t i, Rect rect) {
        const Item& item = items[i];
        const auto picture = item.kind == Kind::image ? thumbnails.of(item.path) : nullptr;
        if (file_tile(ui, {"browser.item." + std::to_string(i), item.name, picture, icon_of(item.kind)}, rect))
            chosen = &item;
    });
    ImGui::EndChild();
    return chosen;
}

}  // namespace

void Browser::images(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.panel.settings;
    std::optional<ImageSource> chosen;
    State& s = *state_;
    Thumbnails& thumbnails = context.jobs().of<Thumbnails>();
    begin_dialog(ui, {"dialog.open_image", ui.text("browser.image_title"), dialog_width, dialog_height},
                 frame.commands());
    kind_choice(frame, Wanted::image, &s.beside);
    if (const auto recent = recent_line(frame, frame.state().recents.images)) chosen = ImageSource{{}, *recent};
    heading(ui, ui.text("browser.samples"));
    const PictureSet set = frame.workspace.pictures();
    const std::vector<std::string> samples = sample_names(set);
    tiles(ui, samples.size(), ui.theme.px(84), [&](std::size_t i, Rect rect) {
        const std::string name = samples[i];
        const std::string word = with_set({name, {}}, set.scenes).sample;
        const auto picture = thumbnails.of("sample:" + word, [word] { return open_image({word, {}})->full; });
        if (file_tile(ui, {"sample." + name, ui.text("class." + name), picture, Icon::picture}, rect))
            chosen = ImageSource{name, {}};
    });
    drawing_choice(frame);
    heading(ui, ui.text("browser.files"));
    if (s.show(remembered(settings.image_folder), Wanted::image)) thumbnails.look_again();
    Destination target = folder_line(ui, s.folder, s.path);
    fs::path& wanted = target.folder;
    stream_line(frame, s.folder, std::ranges::find(s.items, Kind::image, &Item::kind) != s.items.end(), s.beside);
    if (const Item* const item = item_tiles(ui, s.items, thumbnails)) {
        if (item->kind == Kind::folder)
            wanted = item->path;
        else
            chosen = ImageSource{{}, item->path};
    }
    end_dialog();
    if (target.file) chosen = ImageSource{{}, *target.file};
    settings.image_folder = wanted.string();
    if (chosen && is_video(chosen->path))
        add_opening(frame, command::PlayStream{chosen->path}, s.beside);
    else if (chosen)
        add_opening(frame, command::OpenImage{*chosen}, s.beside);
}

void Browser::image_folder(const Frame& frame, const AppContext& context) {
    const auto chosen = folder(frame, context, "dialog.image_folder", "images.words");
    if (!chosen) return;
    frame.selection.focus.lab.images = chosen->string();
    frame.commands().add(command::ShowDialog{});
}

void Browser::own_folder(const Frame& frame, const AppContext& context) {
    const auto chosen = folder(frame, context, "dialog.own_folder", "own.choose_words");
    if (!chosen) return;
    auto& typed = frame.panel.drafts.own_folder;
    typed.fill('\0');
    chosen->string().copy(typed.data(), typed.size() - 1);
    frame.commands().add(command::ShowDialog{"own"});
}

/// Draws a dialog that chooses a folder of images; returns the folder in the frame in which it is chosen.
std::optional<fs::path> Browser::folder(const Frame& frame, const AppContext& context, const char* id,
                                        const char* words) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.panel.settings;
    State& s = *state_;
    Thumbnails& thumbnails = context.jobs().of<Thumbnails>();
    std::optional<fs::path> chosen;
    begin_dialog(ui, {id, ui.text("images.title"), dialog_width, dialog_height}, frame.commands());
    paragraph(ui, ui.text(words));
    heading(ui, ui.text("browser.files"));
    if (s.show(remembered(settings.image_folder), Wanted::image)) thumbnails.look_again();
    Destination target = folder_line(ui, s.folder, s.path);
    if (button(ui, {"images.use", ui.text("images.use"), ui.text("images.use_tip"), {}, !s.items.empty()},
               {Emphasis::primary, Icon::check}))
        chosen = s.folder;
    if (const Item* const item = item_tiles(ui, s.items, thumbnails); item && item->kind == Kind::folder)
        target.folder = item->path;
    end_dialog();
    settings.image_folder = target.folder.string();
    return chosen;
}

void Browser::models(const Frame& frame) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.panel.settings;
    std::optional<ModelSource> chosen;
    State& s = *state_;
    begin_dialog(ui, {"dialog.open_model", ui.text("browser.model_title"), dialog_width, dialog_height},
                 frame.commands());
    kind_choice(frame, Wanted::model, &s.beside);
    paragraph(ui, ui.text("browser.model_words"));
    for (const BundledModel& model : bundled_models()) {
        const std::string name = std::string("model.") + model.name;
        const std::string words = ui.text("browser.bundled", {{"name", ui.text(name)}});
        if (button(ui, {std::string("browser.bundled.") + model.name, words, ui.text(name + "_tip"), {}}))
            chosen = source_of(model);
        ImGui::SameLine();
    }
    if (button(ui,
               {"browser.get_model", ui.text("browser.get_model"), ui.text("browser.get_model_tip"),
                frame.key_of("get_model")},
               {Emphasis::primary}))
        frame.commands().add("get_model");
    if (const auto recent = recent_line(frame, frame.state().recents.models)) chosen = ModelSource{*recent, {}};
    heading(ui, ui.text("browser.files"));
    s.show(remembered(settings.model_folder), Wanted::model);
    Destination target = folder_line(ui, s.folder, s.path);
    fs::path& wanted = target.folder;
    begin_child({"browser.list", 0, 0, false, false, 0});
    if (s.items.empty())
        empty_card(ui, {"browser.empty", ui.text("browser.empty"), ui.text("browser.empty_models"), {}, {}});
    if (const Item* const item = item_rows(ui, s.items, "browser.model_tip")) {
        if (item->kind == Kind::folder)
            wanted = item->path;
        else
            chosen = ModelSource{item->path, {}};
    }
    ImGui::EndChild();
    end_dialog();
    if (target.file) chosen = ModelSource{*target.file, {}};
    settings.model_folder = wanted.string();
    if (chosen) add_opening(frame, command::OpenModel{*chosen}, s.beside);
}

std::optional<fs::path> Browser::files(const Frame& frame, const FilesDialog& d) {
    const Ui& ui = frame.ui;
    State& s = *state_;
    std::optional<fs::path> chosen;
    begin_dialog(ui, {d.id, ui.text(d.title), dialog_width, dialog_height}, frame.commands());
    kind_choice(frame, d.kind, d.kind == Wanted::session ? &s.beside : nullptr);
    paragraph(ui, ui.text(d.words));
    if (const auto recent = recent_line(frame, d.recent)) chosen = *recent;
    heading(ui, ui.text("browser.files"));
    s.show(d.folder, d.kind);
    Destination target = folder_line(ui, s.folder, s.path);
    fs::path& wanted = target.folder;
    begin_child({"browser.list", 0, 0, false, false, 0});
    if (s.items.empty()) empty_card(ui, {"browser.empty", ui.text("browser.empty"), ui.text(d.none), {}, {}});
    if (const Item* const item = item_rows(ui, s.items, d.tip)) {
        if (item->kind == Kind::folder)
            wanted = item->path;
        else
            chosen = item->path;
    }
    ImGui::EndChild();
    end_dialog();
    if (target.file) chosen = target.file;
    if (wanted != s.folder) d.remembered = wanted.string();
    return chosen;
}

void Browser::sessions(const Frame& frame) {
    Settings& settings = frame.panel.settings;
    std::error_code ignored;
    const fs::path exports = export_folder(settings);
    const fs::path home = fs::is_directory(exports, ignored) ? exports : home_folder();
    std::vector<fs::path> recent;
    for (const KeptSession& session : frame.state().recents.sessions) recent.push_back(session.file);
    const fs::path folder = settings.session_folder.empty() ? home : remembered(settings.session_folder);
    if (const auto file = files(
            frame, {"dialog.open_session", "browser.session_title", "browser.session_words", "browser.empty_sessions",
                    "export.open_tip", FileKind::session, recent, folder, settings.session_folder}))
        add_opening(frame, command::OpenSession{*file}, state_->beside);
}

void Browser::lessons(const Frame& frame) {
    Settings& settings = frame.panel.settings;
    std::vector<fs::path> recent;
    for (const LessonRow& lesson : frame.state().recents.lessons) recent.emplace_back(lesson.source);
    if (const auto file = files(frame, {"dialog.open_lesson", "browser.lesson_title", "browser.lesson_words",
                                        "browser.empty_lessons", "lessons.start_tip", FileKind::lesson, recent,
                                        remembered(settings.lesson_folder), settings.lesson_folder}))
        frame.commands().add(command::OpenLesson{file->string()});
}

}  // namespace vitrine
