#include "app/dialogs/own_pictures.h"

#include <imgui.h>

#include "app/frame/learning_commands.h"
#include "app/jobs/jobs.h"
#include "app/jobs/probing.h"
#include "app/jobs/saving.h"
#include "app/platform/new_file.h"
#include "app/platform/user.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/panels/panels.h"
#include "app/sessions/session_commands.h"
#include "app/ui/glyphs.h"
#include "app/ui/message_words.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "core/base/error.h"
#include "core/files/safetensors.h"
#include "core/training/linear_probe.h"
#include "core/training/own_pictures.h"
#include "core/training/text/text_score.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

Probing::State state_of(const AppContext& context) {
    const Probing* const job = context.jobs().find<Probing>();
    return job != nullptr ? job->latest(Probing::only) : Probing::State();
}

bool has_probe(const AppContext& context) { return state_of(context).result != nullptr; }

/// Asks once before discarding an unsaved head; true if it asks now.
bool asks_first(AppContext& context) {
    context.state.own_left = has_unsaved_head(context) && !context.state.own_left;
    return context.state.own_left;
}

void stop(AppContext& context) {
    if (asks_first(context)) return;
    if (context.jobs().has<Probing>()) context.jobs().of<Probing>().forget(Probing::only);
    context.state.own_folder.clear();
    context.state.own_saved.clear();
}

void explore(AppContext& context) {
    auto model = std::make_shared<Model>(*state_of(context).result->probe.model);
    prepare(*model);
    show_model(context, {{}, {}, model});
}

/// Classes with their numbers of pictures: "cat 24, house 31".
std::string classes_of(const OwnPictures& pictures) {
    const std::vector<int> counts = pictures.counts();
    std::string words;
    for (std::size_t k = 0; k < counts.size(); ++k)
        words += (k > 0 ? ", " : "") + pictures.labels[k] + " " + std::to_string(counts[k]);
    return words;
}

/// The field for the folder, which can also be dropped on the window or chosen.
void folder_field(const Frame& frame) {
    const Ui& ui = frame.ui;
    auto& typed = frame.panel.drafts.own_folder;
    paragraph(ui, ui.text("own.how"));
    ImGui::Dummy({1, ui.theme.px(8)});
    control_label(ui, ui.text("own.folder"));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ui.theme.px(250));
    const bool entered = ImGui::InputTextWithHint("##own", ui.text("own.folder_hint").c_str(), typed.data(),
                                                  typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    ui.probe.mark_item("own.folder", 0, typed.data());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "own.folder");
    ImGui::SameLine();
    if (button(ui, {"own.choose", ui.text("own.choose"), ui.text("own.choose_tip"), {}},
               {Emphasis::plain, Icon::folder, -1}))
        frame.commands().add(command::ShowDialog{"own_folder"});
    ImGui::Dummy({1, ui.theme.px(8)});
    const bool can = typed[0] != '\0' && frame.shown().result;
    const bool pressed =
        button(ui, {"own.learn", ui.text("own.learn"), ui.text("own.learn_tip"), {}, can}, {Emphasis::primary});
    if (can && (entered || pressed)) frame.commands().add(command::LearnOwnPictures{typed_path(typed.data())});
}

/// The accuracy on unseen pictures, and whether it is better than chance.
void result_part(const Frame& frame, const Probed& probed) {
    const Ui& ui = frame.ui;
    const LinearProbe& p = probed.probe;
    paragraph(ui, ui.text("own.classes", {{"count", std::to_string(probed.pictures.labels.size())},
                                          {"list", classes_of(probed.pictures)}}));
    ImGui::Dummy({1, ui.theme.px(8)});
    const std::string score = ui.text("own.held_out", {{"correct", std::to_string(p.held_out.correct)},
                                                       {"count", std::to_string(p.held_out.count)},
                                                       {"share", percent_text(p.held_out.accuracy())},
                                                       {"commonest", percent_text(p.commonest)}});
    paragraph(ui, {score, Font::strong, ui.theme.palette.text, Align::left});
    ui.probe.mark_item("own.held_out", p.held_out.accuracy(), score);
    const bool knows = p.beats_chance();
    const char* const said = knows ? "own.knows" : p.too_few_to_say() ? "own.too_few" : "own.chance";
    const std::string verdict = ui.text(said, {{"model", probed.of_model}});
    paragraph(ui, {verdict, Font::body, knows ? ui.theme.palette.value : ui.theme.palette.text, Align::left});
    ui.probe.mark_item(said, chance_of(p.held_out, p.commonest), verdict);
    ImGui::Dummy({1, ui.theme.px(8)});
    paragraph(ui, {ui.text("own.learned", {{"correct", std::to_string(p.learned.correct)},
                                           {"count", std::to_string(p.learned.count)},
                                           {"seconds", number_text(p.seconds_reading + p.seconds_learning)}}),
                   Font::body, ui.theme.palette.muted, Align::left});
    if (p.broken.empty()) return;
    paragraph(ui, ui.text("own.broken", {{"count", std::to_string(p.broken.size())}, {"first", p.broken.front()}}));
    ui.probe.mark_item("own.broken", static_cast<double>(p.broken.size()), p.broken.front());
}

void choices_part(const Frame& frame) {
    const Ui& ui = frame.ui;
    ImGui::Dummy({1, ui.theme.px(10)});
    if (button(ui, {"own.open", ui.text("learn.open"), ui.text("own.open_tip"), {}}, {Emphasis::primary}))
        frame.commands().add("own.open");
    ImGui::SameLine();
    if (button(ui, {"own.save", ui.text("learn.save"), ui.text("learn.save_tip"), {}}))
        frame.commands().add("own.save");
    ImGui::SameLine();
    const bool asks = frame.state().own_left;
    if (button(ui, {"own.stop", ui.text(asks ? "own.lose" : "own.other"), ui.text("own.other_tip"), {}}))
        frame.commands().add("own.stop");
    if (asks) {
        paragraph(ui, ui.text("own.unsaved"));
        ui.probe.mark_item("own.unsaved", 0, ui.text("own.unsaved"));
    }
    if (const std::filesystem::path& saved = frame.state().own_saved; !saved.empty()) {
        const std::string told = ui.text("learn.saved", {{"path", saved.string()}});
        paragraph(ui, success_words(told));
        ui.probe.mark_item("own.told", 0, told);
    }
}

}  // namespace

void execute(const command::LearnOwnPictures& c, AppContext& context) {
    if (context.result() == nullptr) throw Error("there is no model yet to train on; wait until one is shown");
    check_own_pictures(own_pictures_in(c.folder), c.folder);
    show_dialog(context, "own");
    State& state = context.state;
    if (has_unsaved_head(context)) {
        state.own_left = true;
        auto& typed = context.drafts.own_folder;  // still there after the head is discarded
        typed.fill('\0');
        c.folder.string().copy(typed.data(), typed.size() - 1);
        return;
    }
    state.error.clear();
    state.own_folder = c.folder;
    state.own_saved.clear();
    Probing& probing = context.jobs().of<Probing>();
    probing.forget(Probing::only);
    probing.request(Probing::only, {c.folder, context.result()->model});
}

/// A head saved in a recording's scratch folder counts as saved only while the recording plays.
bool has_unsaved_head(const AppContext& context) {
    const std::filesystem::path& saved = context.state.own_saved;
    return has_probe(context) && (saved.empty() || (!context.playing && is_in_scratch(context, saved)));
}

void save_head(AppContext& context) {
    const auto probed = state_of(context).result;
    const auto write = [probed, wanted = model_home(context) / probed->probe.model->provenance.name] {
        const std::filesystem::path folder = unused(wanted);
        save_model(*probed->probe.model, folder, Precision::f32);
        return folder;
    };
    context.state.error.clear();
    context.jobs().of<Saving>().save(write, [&context, probed](const std::filesystem::path& folder) {
        remember_home(context, folder);
        if (state_of(context).result != probed)  // replaced by another one meanwhile
            return notify(context, context.text("learn.saved", {{"path", folder.string()}}));
        context.state.own_left = false;
        context.state.own_saved = folder;
    });
}

std::vector<CommandRow> rows_of_own_pictures() {
    return {{"own", "", {}, {}, [](AppContext& h) { show_dialog(h, "own"); }},
            {"own.stop", "", {}, {.over_dialogs = true}, stop, nullptr, false},
            {"own.open", "", {}, {.over_dialogs = true}, explore, has_probe, false},
            {"own.save", "", {}, {.over_dialogs = true}, save_head, has_probe, false}};
}

void own_pictures_dialog(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.own", ui.text("own.title"), 860, 520}, frame.commands());
    paragraph(ui, ui.text("own.words"));
    ImGui::Dummy({1, ui.theme.px(8)});
    const Probing::State now = state_of(context);
    if (now.running) {
        const std::string words = ui.text("own.reading", {{"folder", frame.state().own_folder.string()}});
        if (progress_bar(ui, {"own.waiting", words, static_cast<float>(now.fraction), ui.text("waiting.cancel")}))
            frame.commands().add("own.stop");
    } else if (now.result) {
        result_part(frame, *now.result);
        choices_part(frame);
    } else {
        folder_field(frame);
    }
    end_dialog();
}

}  // namespace vitrine
