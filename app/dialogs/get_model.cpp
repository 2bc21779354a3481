#include "app/dialogs/get_model.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/hub/hub_cache.h"
#include "app/hub/hub_fetch.h"
#include "app/jobs/fetching.h"
#include "app/jobs/jobs.h"
#include "app/library/hub_models.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/translated_error.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/photo_model.h"
#include "app/workspace/result.h"
#include "app/workspace/words_beside.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

/// "5.7", "346": one decimal below a hundred, none from there on.
std::string short_number(double value) {
    char words[32];
    std::snprintf(words, sizeof words, value < 99.95 ? "%.1f" : "%.0f", value);
    const std::string number = words;
    return number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
}

std::string megabytes_of(std::uint64_t bytes) { return short_number(static_cast<double>(bytes) / 1e6); }

Fetching::State state_of_fetch(const AppContext& context) {
    const Fetching* const job = context.jobs().find<Fetching>();
    return job != nullptr ? job->latest(Fetching::only) : Fetching::State();
}

/// The state of a fetch, with the time left.
std::string words_of_fetch(const Text& text, const HubReport& report) {
    if (report.waits > 0) return text("get_model.busy", {{"count", std::to_string(report.waits)}});
    if (report.waits_for_other) return text("get_model.other", {{"file", report.file}});
    std::string words =
        text("get_model.fetching",
             {{"file", report.file}, {"done", megabytes_of(report.done)}, {"total", megabytes_of(report.total)}});
    const double left = std::ceil(report.seconds_left);
    if (left < 0) return words;
    const bool soon = left < 90;
    return words + " · " +
           text(soon ? "get_model.seconds_left" : "get_model.minutes_left",
                {{"count", short_number(soon ? left : std::ceil(left / 60))}});
}

/// The widths of the list's columns, each that of its longest words. In a list narrower than their sum, the words of a
/// row are joined.
struct RowColumns {
    float name = 0, purpose = 0, weights = 0, size = 0;
};

struct RowWords {
    std::string purpose, weights, size, licence;
};
RowWords words_of_row(const Text& text, const HubModel& row, bool is_here) {
    RowWords words{text("get_model.for." + row.purpose), {}, {}, row.licence};
    if (is_here) words.purpose = text("get_model.here", {{"purpose", words.purpose}});
    words.weights = text("get_model.weights", {{"weights", short_number(row.million_weights)}});
    words.size = text("get_model.size", {{"size", short_number(row.megabytes)}});
    return words;
}

void widen(float& column, const Canvas& canvas, const std::string& words) {
    column = std::max(column, canvas.measure(words, Font::body).x);
}

/// The models in the list's order: small ones first; for a chapter about words, those with a text tower first.
std::vector<HubModel> in_order(bool about_words) {
    std::vector<HubModel> rows(hub_models().begin(), hub_models().end());
    if (about_words) std::ranges::stable_partition(rows, [](const HubModel& row) { return row.purpose == "texts"; });
    return rows;
}

/// True if the open chapter or instrument compares the image with texts, and the model cannot.
bool lacks_words(const Frame& frame) {
    const Result* const now = frame.shown().result.get();
    return now != nullptr && now->words && !now->words->tower;
}

std::string names_of_files(const HubListing& listing) {
    std::string names;
    for (const HubFile& file : listing.files) names += (names.empty() ? "" : ", ") + file.name;
    return names;
}

}  // namespace

void GetModel::choose(const Frame& frame, const AppContext& context, const std::string& words) {
    const auto name = hub_name(words);
    if (!name) return;
    if (const auto snapshot = cached_snapshot(*name)) {
        frame.commands().add(command::OpenModel{{*snapshot, {}}});
        return;
    }
    asked_ = name->words();
    Fetching& job = context.jobs().of<Fetching>();
    job.forget(Fetching::only);
    job.request(Fetching::only, {*name, {}, ++turns_});
}

void GetModel::field(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ui.theme.px(250));
    const bool entered = ImGui::InputTextWithHint("##get_model", ui.text("get_model.hint").c_str(), typed_.data(),
                                                  typed_.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    ui.probe.mark_item("get_model.input", 0, typed_.data());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "get_model.input");
    if (ui.glyphs != nullptr) ui.glyphs->see(typed_.data());
    ImGui::SameLine();
    const bool can = hub_name(typed_.data()).has_value();
    const bool pressed = button(ui, {"get_model.ask", ui.text("get_model.ask"), ui.text("get_model.ask_tip"), {}, can},
                                {Emphasis::plain, Icon::search, -1});
    if (can && (entered || pressed)) choose(frame, context, typed_.data());
}

void GetModel::list(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float gap = ui.theme.px(18), icon = ui.theme.px(26);
    const std::vector<HubModel> rows = in_order(lacks_words(frame));
    RowColumns columns;
    float licence = 0;
    for (const HubModel& row : rows) {
        const RowWords words = words_of_row(ui.text, row, here_.contains(row.model));
        widen(columns.name, canvas, row.model);
        widen(columns.purpose, canvas, words.purpose);
        widen(columns.weights, canvas, words.weights);
        widen(columns.size, canvas, words.size);
        widen(licence, canvas, words.licence);
    }
    const float needed = columns.name + columns.purpose + columns.weights + columns.size + licence + 4 * gap + icon;
    const bool apart = needed + 2 * ui.theme.px(14) <= ImGui::GetContentRegionAvail().x;
    for (const HubModel& row : rows) {
        const bool is_here = here_.contains(row.model);
        const RowWords words = words_of_row(ui.text, row, is_here);
        const std::string joined =
            is_here ? words.purpose
                    : words.purpose + " · " + words.weights + " · " + words.size + " · " + words.licence;
        const std::string id = "get_model.row." + row.model;
        ButtonLook look{Emphasis::plain, {}, -1, true, apart ? "" : joined};
        if (is_here) look.icon = Icon::check;
        if (row.model == asked_) look.icon = Icon::right;
        const float top = ImGui::GetCursorPosY();
        if (button(ui, {id, row.model, ui.text(is_here ? "get_model.here_tip" : "get_model.ask_tip"), {}}, look))
            choose(frame, context, row.model);
        ui.probe.mark_item(id + ".aside", is_here ? 1 : 0, joined);
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        pitch_ = ImGui::GetCursorPosY() - top;
        if (!apart) continue;
        float x = low.x + ui.theme.px(14) + icon + columns.name + gap;
        const float y = (low.y + high.y - canvas.measure("", Font::body).y) / 2;
        const auto put = [&](const std::string& said, float width, Align align) {
            canvas.text({align == Align::left ? x : x + width, y}, said, {Font::body, ui.theme.palette.muted, align});
            x += width + gap;
        };
        put(words.purpose, columns.purpose, Align::left);
        ui.probe.mark(id + ".weights", {x, low.y, x + columns.weights, high.y}, row.million_weights, words.weights);
        put(words.weights, columns.weights, Align::right);
        put(words.size, columns.size, Align::right);
        put(words.licence, licence, Align::left);
    }
}

void GetModel::without_network(const Frame& frame, const std::string& model, const std::string& files) const {
    const Ui& ui = frame.ui;
    const std::string address = page_of_files({model}, settings_);
    const std::string words =
        ui.text("get_model.without", {{"files", files}, {"address", address}, {"path", settings_.cache.string()}});
    paragraph(ui, {words, Font::body, ui.theme.palette.muted, Align::left});
    ui.probe.mark_item("get_model.without", 0, words);
    if (button(ui, {"get_model.copy", ui.text("get_model.copy"), ui.text("get_model.copy_tip"), {}},
               {Emphasis::plain, Icon::copy}))
        ImGui::SetClipboardText(address.c_str());
}

void GetModel::offer(const Frame& frame, const AppContext& context, const HubListing& listing) {
    const Ui& ui = frame.ui;
    const std::string words = ui.text("get_model.offer", {{"model", listing.name.words()},
                                                          {"list", names_of_files(listing)},
                                                          {"size", megabytes_of(listing.bytes)},
                                                          {"missing", megabytes_of(listing.missing)}});
    paragraph(ui, words);
    ui.probe.mark_item("get_model.offer", static_cast<double>(listing.missing), words);
    ImGui::Dummy({1, ui.theme.px(4)});
    if (button(ui, {"get_model.fetch", ui.text("get_model.fetch"), ui.text("get_model.fetch_tip"), {}},
               {Emphasis::primary, Icon::save}))
        context.jobs().of<Fetching>().request(Fetching::only, {listing.name, listing, ++turns_});
}

void GetModel::answer(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const Fetching::State now = state_of_fetch(context);
    const bool fetches = now.result && now.result->report.total > 0;
    if (now.running) {
        const std::string words =
            fetches ? words_of_fetch(ui.text, now.result->report) : ui.text("get_model.asking", {{"model", asked_}});
        const auto fraction = fetches ? static_cast<float>(now.fraction) : -1.0F;
        if (progress_bar(
                ui, {"get_model.waiting", words, fraction, ui.text("waiting.cancel"), frame.state().settings.motion})) {
            context.jobs().of<Fetching>().forget(Fetching::only);
            asked_.clear();
        }
        return;
    }
    const std::string usual = "config.json, preprocessor_config.json, model.safetensors";
    if (now.failure) {
        const std::string failure = translated_error(frame, *now.failure);
        paragraph(ui, {failure, Font::strong, ui.theme.palette.text, Align::left});
        ui.probe.mark_item("get_model.failure", 0, failure);
        const auto name = hub_name(asked_);
        without_network(frame, name ? name->model : hub_models().front().model,
                        now.result ? names_of_files(now.result->listing) : usual);
    } else if (now.result && !now.result->folder.empty()) {
        frame.commands().add(command::OpenModel{{now.result->folder, {}}});
        context.jobs().of<Fetching>().forget(Fetching::only);
        asked_.clear();
    } else if (now.result) {
        offer(frame, context, now.result->listing);
    } else {
        without_network(frame, hub_models().front().model, usual);
    }
}

void GetModel::draw(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const int now = ImGui::GetFrameCount();
    if (drawn_at_ + 1 != now) {
        settings_ = hub_settings();
        typed_.fill('\0');
        here_.clear();
        for (const HubModel& row : hub_models())
            if (const auto folder = cached_snapshot({row.model})) here_[row.model] = *folder;
    }
    drawn_at_ = now;
    begin_dialog(ui, {"dialog.get_model", ui.text("get_model.title"), 1280, 890, true}, frame.commands());
    paragraph(ui, ui.text("get_model.words"));
    ImGui::Dummy({1, ui.theme.px(6)});
    field(frame, context);
    ImGui::Dummy({1, ui.theme.px(6)});
    const float gap = ui.theme.px(10), below = gap + ui.theme.px(state_of_fetch(context).failure ? 225 : 180);
    const float room = std::max(ImGui::GetContentRegionAvail().y - below, ui.theme.px(80));
    const float whole = pitch_ > 0 ? std::max(1.0F, std::floor(room / pitch_)) * pitch_ : room;  // no row is cut
    begin_child({"get_model.list", 0, whole, false, false, 0});
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.probe.mark("get_model.list", {low.x, low.y, low.x + size.x, low.y + size.y}, static_cast<double>(pitch_));
    list(frame, context);
    ImGui::EndChild();
    ImGui::Dummy({1, gap});
    begin_child({"get_model.answer", 0, 0, false, false, 0});
    answer(frame, context);
    ImGui::EndChild();
    end_dialog();
}

void take_fetched(AppContext& context) {
    if (context.state.dialog == "get_model" || !context.jobs().has<Fetching>()) return;
    Fetching& job = context.jobs().of<Fetching>();
    if (std::string failure = job.take_failure(Fetching::only); !failure.empty())
        context.state.error = std::move(failure);
    const Fetching::State now = job.latest(Fetching::only);
    if (!now.result || now.result->folder.empty() || now.running) return;
    context.state.photo_model = photo_model(context.state.settings);
    notify(context, context.text("get_model.done", {{"model", now.result->listing.name.words()}}));
    job.forget(Fetching::only);
}

}  // namespace vitrine
