#include "app/dialogs/dialogs.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "app/dialogs/camera_dialog.h"
#include "app/dialogs/get_model.h"
#include "app/dialogs/own_pictures.h"
#include "app/dialogs/plain_dialogs.h"
#include "app/lecture/lessons_dialog.h"
#include "app/library/colours.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/text/samples_dialog.h"
#include "app/sessions/closing.h"
#include "app/ui/languages.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/settings.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

constexpr Named<std::string_view> memory_names[] = {{"automatic", "automatic"},
                                                    {"256M", "256M"},
                                                    {"512M", "512M"},
                                                    {"1G", "1G"},
                                                    {"2G", "2G"},
                                                    {"4G", "4G"},
                                                    {"8G", "8G"},
                                                    {"all", "all"}};

/// Choice of the memory for runs, with what the open model needs.
void memory_choice(const Frame& frame) {
    const Ui& ui = frame.ui;
    Settings& settings = frame.panel.settings;
    std::string_view chosen = settings.memory;
    constexpr std::size_t per_row = 4;
    if (choice(ui, "language.memory", memory_names, chosen, per_row)) settings.memory = chosen;
    const Result* const now = frame.shown().result.get();
    if (now == nullptr) return;
    const RunNeeds needs = needs_of_runs(now->model->config, shown_run);
    const auto megabytes = [](double bytes) { return std::to_string(std::lround(std::ceil(bytes / (1 << 20)))); };
    const std::string words =
        ui.text("language.memory.need", {{"all", megabytes(needs.all)}, {"least", megabytes(needs.least)}});
    paragraph(ui, RichText{words, Font::caption, ui.theme.palette.muted, Align::left});
    ui.probe.mark_item("language.memory.need", needs.least, words);
}

/// The dialog of the language, of English terms beside it, and of other settings.
void language_dialog(const Frame& frame, const AppContext&) {
    const Ui& ui = frame.ui;
    begin_dialog(
        ui, {"dialog.language", ui.text("language.dialog"), 460, 580 + 45 * static_cast<float>(languages().size())},
        frame.commands());
    Settings& settings = frame.panel.settings;
    for (const Language& language : languages()) {
        const std::string& code = language.code;
        const bool chosen = settings.language == code;
        const ButtonLook look{chosen ? Emphasis::primary : Emphasis::plain, {}, -1, true};
        if (button(ui, {"language." + code, language.name, {}, {}}, look)) settings.language = code;
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    toggle(ui, {"language.terms", ui.text("language.terms"), ui.text("language.terms_tip"), {}},
           settings.english_terms);
    bool from_zero = settings.count_from == 0;
    if (toggle(ui, {"language.zero", ui.text("language.zero"), ui.text("language.zero_tip"), {}}, from_zero))
        settings.count_from = from_zero ? 0 : 1;
    toggle(ui,
           {"language.hints", ui.text("language.hints"), ui.text("language.hints_tip"), frame.key_of("setting.hints")},
           settings.hints);
    toggle(ui, {"language.motion", ui.text("language.motion"), ui.text("language.motion_tip"), {}}, settings.motion);
    toggle(ui, {"language.start", ui.text("language.start"), ui.text("start.always_tip"), {}}, settings.start_page);
    ImGui::Dummy({1, ui.theme.px(6)});
    memory_choice(frame);
    ImGui::Dummy({1, ui.theme.px(6)});
    choice(ui, "language.colours", colours_names, settings.colours);
    end_dialog();
}

}  // namespace

Dialogs::Dialogs()
    : rows_{{"open_image", [this](const Frame& frame, const AppContext& context) { browser_.images(frame, context); }},
            {"open_model", [this](const Frame& frame, const AppContext&) { browser_.models(frame); }},
            {"image_folder",
             [this](const Frame& frame, const AppContext& context) { browser_.image_folder(frame, context); }},
            {"own_folder",
             [this](const Frame& frame, const AppContext& context) { browser_.own_folder(frame, context); }},
            {"open_session", [this](const Frame& frame, const AppContext&) { browser_.sessions(frame); }},
            {"open_lesson", [this](const Frame& frame, const AppContext&) { browser_.lessons(frame); }},
            {"start", [this](const Frame& frame, const AppContext& context) { start_.draw(frame, context); }},
            {"find", [this](const Frame& frame, const AppContext& context) { finder_.draw(frame, context); }},
            {"save_as", save_as_dialog},
            {"references", references_dialog},
            {"help", help_dialog},
            {"glossary", glossary_dialog},
            {"get_model", [dialog = std::make_shared<GetModel>()](
                              const Frame& frame, const AppContext& context) { dialog->draw(frame, context); }},
            {"camera", [dialog = std::make_shared<CameraDialog>()](const Frame& frame,
                                                                   const AppContext&) { dialog->draw(frame); }},
            {"lessons", [](const Frame& frame, const AppContext&) { lessons_dialog(frame); }},
            {"lesson", [](const Frame& frame, const AppContext&) { lesson_dialog(frame); }},
            {"text_samples", text_samples_dialog},
            {"language", language_dialog},
            {"take_away", export_dialog},
            {"own", own_pictures_dialog},
            {"recover", recover_dialog},
            {"closing", closing_dialog}} {}

void Dialogs::draw(const Frame& frame, const AppContext& context) {
    for (const Row& row : rows_)
        if (row.id == context.state.dialog) row.draw(frame, context);
    if (context.state.dialog.empty()) return;
    begin_dialog_layer();
    show_error(frame);
    end_dialog_layer();
}

}  // namespace vitrine
