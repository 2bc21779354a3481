#include "app/shell/browser.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/jobs/thumbnails.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/user.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "core/files/image.h"

namespace vitrine {

namespace fs = std::filesystem;

namespace {

/// What a folder is listed for.
enum class Wanted { images, models };

enum class Kind { folder, image, model_folder, weights };

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

const std::vector<std::string> weight_endings = {".safetensors"};

/// The folders and the files that can be opened, by name, folders first.
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
        if (is_folder && what == Wanted::models && fs::exists(path / "model.safetensors", ignored))
            items.push_back({path, name, Kind::model_folder});
        else if (is_folder)
            items.push_back({path, name, Kind::folder});
        else if (what == Wanted::images && has_ending(path, image_endings()))
            items.push_back({path, name, Kind::image});
        else if (what == Wanted::models && has_ending(path, weight_endings))
            items.push_back({path, name, Kind::weights});
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return (a.kind == Kind::folder) != (b.kind == Kind::folder) ? a.kind == Kind::folder : a.name < b.name;
    });
    return items;
}

}  // namespace

struct Browser::State {
    Thumbnails thumbnails;
    std::optional<Wanted> listed_for;
    fs::path folder;
    std::vector<Item> items;

    /// Lists anew where the folder or the dialog is another one.
    void show(const fs::path& wanted, Wanted what) {
        if (wanted == folder && what == listed_for) return;
        folder = wanted;
        listed_for = what;
        items = list(folder, what);
    }
};

Browser::Browser() : state_(std::make_unique<State>()) {}
Browser::~Browser() = default;

bool Browser::busy() const { return state_->thumbnails.busy(); }

namespace {

/// A thumbnail or an icon with a name under it; true when clicked.
struct Tile {
    std::string id, name;
    std::shared_ptr<const Image> picture;
    Icon icon = Icon::picture;
};
bool draw_tile(const Ui& ui, const Tile& tile, Rect rect) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Hit hit = hot_area(ui, tile.id, rect, tile.name);
    tooltip(ui, tile.name);
    canvas.fill(rect, theme.palette.raised, theme.px(8));
    if (hit.at) canvas.stroke(rect, theme.palette.accent, theme.px(2), theme.px(8));
    const float line = theme.px(28);
    const Rect inside{rect.x0 + theme.px(6), rect.y0 + theme.px(6), rect.x1 - theme.px(6), rect.y1 - line};
    if (tile.picture)
        canvas.picture(fit(inside, static_cast<float>(tile.picture->width) / static_cast<float>(tile.picture->height)),
                       {tile.picture, {}, false, 1, 1});
    else
        draw_icon(canvas, tile.icon, inside.centre(), theme.px(36), theme.palette.muted);
    canvas.text({rect.centre().x, rect.y1 - line + theme.px(4)},
                fitted(canvas, tile.name, Font::caption, rect.width() - theme.px(12)),
                {Font::caption, theme.palette.text, Align::centre});
    return hit.clicked;
}

/// Lays tiles out in rows; `draw(index, rect)`.
template <class F>
void tiles(const Ui& ui, std::size_t count, float side, F draw) {
    const float gap = ui.theme.px(10), width = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((width + gap) / (side + gap)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    for (std::size_t i = 0; i < count; ++i) {
        const float x = at.x + static_cast<float>(static_cast<int>(i) % columns) * (side + gap);
        const float y = at.y + static_cast<float>(static_cast<int>(i) / columns) * (side + gap);
        // A row more on both sides, so that the keyboard, which walks over what is drawn, comes on.
        if (y + 2 * side + gap >= top && y - side - gap <= bottom) draw(i, Rect{x, y, x + side, y + side});
    }
    const float rows = static_cast<float>((static_cast<int>(count) + columns - 1) / columns);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, rows * (side + gap)});
}

/// The way to the folder: up, home, and where we are.
fs::path folder_line(const Ui& ui, const fs::path& folder) {
    fs::path wanted = folder;
    if (icon_button(ui, {"browser.up", {}, ui.text("browser.up"), {}, folder.has_relative_path()}, Icon::up,
                    Emphasis::plain))
        wanted = folder.parent_path();
    ImGui::SameLine();
    if (button(ui, {"browser.home", ui.text("browser.home"), ui.text("browser.home_tip"), {}})) wanted = home_folder();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(folder.string().c_str());
    ui.probe.mark_item("browser.folder", 0, folder.string());
    return wanted;
}

/// The folder that was used last, or home.
fs::path remembered(const std::string& folder) {
    std::error_code ignored;
    return !folder.empty() && fs::is_directory(folder, ignored) ? fs::path(folder) : home_folder();
}

Icon icon_of(Kind kind) { return kind == Kind::image ? Icon::picture : Icon::folder; }

}  // namespace

namespace {

/// Which picture is drawn afresh: class, difficulty and size.
void draw_choice(const Frame& frame) {
    const Ui& ui = frame.ui;
    DrawingChoice drawing = frame.state().drawing;
    const Text& text = ui.text;
    const std::vector<std::string> names = picture_classes(true, frame.workspace.pictures().scenes);
    ImGui::Dummy({1, ui.theme.px(2)});
    begin_child({"draw.class_box", ui.theme.px(230), ui.theme.px(56), false, false, ImGuiWindowFlags_NoScrollbar});
    float label = static_cast<float>(drawing.place_in(names));
    const auto words = [&](float l) { return text("class." + names[static_cast<std::size_t>(std::lround(l))]); };
    if (slider(ui, {"draw.class", text("draw.class"), text("draw.class_tip"), {}},
               {0, static_cast<float>(names.size() - 1), 1, words}, label))
        drawing.thing = names[static_cast<std::size_t>(std::lround(label))];
    ImGui::EndChild();
    ImGui::SameLine(0, ui.theme.px(16));
    std::vector<Control> difficulties;
    int difficulty = 0;
    for (const auto& [value, name] : difficulty_names) {
        if (value == drawing.difficulty) difficulty = static_cast<int>(difficulties.size());
        const std::string id = std::string("draw.") + name;
        difficulties.push_back({id, text(id), text("draw.difficulty_tip"), {}});
    }
    if (segmented(ui, difficulties, difficulty)) drawing.difficulty = difficulty_names[difficulty].value;
    ImGui::SameLine(0, ui.theme.px(16));
    constexpr std::array<int, 4> sizes = {64, 256, 512, 1024};
    std::vector<Control> controls;
    for (const int size : sizes)
        controls.push_back({"draw.size." + std::to_string(size), std::to_string(size), text("draw.size_tip"), {}});
    int chosen = static_cast<int>(std::find(sizes.begin(), sizes.end(), drawing.size) - sizes.begin());
    if (segmented(ui, controls, chosen)) drawing.size = sizes[static_cast<std::size_t>(chosen)];
    ImGui::SameLine(0, ui.theme.px(16));
    if (!(drawing == frame.state().drawing)) frame.commands().add(command::ChooseDrawing{drawing.word()});
    if (button(ui, {"draw.another", text("draw.another"), text("draw.another_tip"), frame.key_of("draw")},
               {Emphasis::primary, Icon::picture}))
        frame.commands().add("draw");
}

}  // namespace

void Browser::images(const Frame& frame) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.desk.settings;
    std::optional<ImageSource> chosen;
    State& s = *state_;
    begin_dialog(ui, {"dialog.open_image", ui.text("browser.image_title"), 1180, 820}, frame.commands());
    heading(ui, ui.text("browser.samples"));
    const PictureSet set = frame.workspace.pictures();
    const std::vector<std::string> samples = sample_names(set);
    tiles(ui, samples.size(), ui.theme.px(84), [&](std::size_t i, Rect rect) {
        const std::string name = samples[i];
        const std::string word = with_set({name, {}}, set.scenes).sample;
        const auto picture = s.thumbnails.of("sample:" + word, [word] { return open_image({word, {}})->full; });
        if (draw_tile(ui, {"sample." + name, ui.text("class." + name), picture, Icon::picture}, rect))
            chosen = ImageSource{name, {}};
    });
    draw_choice(frame);
    heading(ui, ui.text("browser.files"));
    s.show(remembered(settings.image_folder), Wanted::images);
    fs::path wanted = folder_line(ui, s.folder);
    begin_child({"browser.list", 0, 0, false, false, 0});
    if (s.items.empty())
        empty_card(ui, {"browser.empty", ui.text("browser.empty"), ui.text("browser.empty_images"), {}, {}});
    tiles(ui, s.items.size(), ui.theme.px(150), [&](std::size_t i, Rect rect) {
        const Item& item = s.items[i];
        const auto picture = item.kind == Kind::image ? s.thumbnails.of(item.path) : nullptr;
        if (!draw_tile(ui, {"browser.item." + std::to_string(i), item.name, picture, icon_of(item.kind)}, rect)) return;
        if (item.kind == Kind::folder)
            wanted = item.path;
        else
            chosen = ImageSource{{}, item.path};
    });
    ImGui::EndChild();
    end_dialog();
    settings.image_folder = wanted.string();
    if (chosen) frame.commands().add(command::OpenImage{*chosen});
}

void Browser::models(const Frame& frame) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.desk.settings;
    std::optional<ModelSource> chosen;
    State& s = *state_;
    begin_dialog(ui, {"dialog.open_model", ui.text("browser.model_title"), 1000, 720}, frame.commands());
    paragraph(ui, ui.text("browser.model_words"));
    for (const BundledModel& model : bundled_models()) {
        const std::string name = std::string("model.") + model.name;
        const std::string words = ui.text("browser.bundled", {{"name", ui.text(name)}});
        if (button(ui, {std::string("browser.bundled.") + model.name, words, ui.text(name + "_tip"), {}}))
            chosen = source_of(model);
        ImGui::SameLine();
    }
    ImGui::NewLine();
    s.show(remembered(settings.model_folder), Wanted::models);
    fs::path wanted = folder_line(ui, s.folder);
    begin_child({"browser.list", 0, 0, false, false, 0});
    if (s.items.empty())
        empty_card(ui, {"browser.empty", ui.text("browser.empty"), ui.text("browser.empty_models"), {}, {}});
    for (std::size_t i = 0; i < s.items.size(); ++i) {
        const Item& item = s.items[i];
        const bool model = item.kind != Kind::folder;
        if (!button(ui,
                    {"browser.item." + std::to_string(i),
                     item.name,
                     model ? ui.text("browser.model_tip") : std::string(),
                     {}},
                    {model ? Emphasis::plain : Emphasis::quiet, model ? Icon::check : Icon::folder, -1, true}))
            continue;
        if (model)
            chosen = ModelSource{item.path, {}};
        else
            wanted = item.path;
    }
    ImGui::EndChild();
    end_dialog();
    settings.model_folder = wanted.string();
    if (chosen) frame.commands().add(command::OpenModel{*chosen});
}

}  // namespace vitrine
