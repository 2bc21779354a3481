#include "app/shell/app.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/platform/embedded.h"
#include "app/platform/imgui_compat.h"
#include "app/ui/fonts.h"
#include "app/ui/terms.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/shown_table.h"
#include "core/error.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr double look_series_seconds = 0.8;  // looks that follow one another this fast are undone together
constexpr double wait_before_progress = 0.3;

Text load_text(const std::string& language) {
    const std::string file = "text/" + language + ".json";
    return Text::parse(embedded(assets(), file).text(), file);
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code unreachable;
    return std::filesystem::is_directory(path, unreachable);
}

bool is_model(const std::filesystem::path& path) {
    if (is_folder(path)) return true;
    const std::string ending = path.extension().string();
    static const std::vector<std::string> endings = {".safetensors", ".bin",  ".pt",   ".pth",
                                                     ".npz",         ".onnx", ".gguf", ".json"};
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

bool is_lesson(const std::filesystem::path& path) {
    return path.extension() == ".txt" || path.extension() == ".lesson";
}

/// A step of the type's scale, so that resizing the window does not build fonts all the time.
float quantised(float scale) { return std::floor(scale * 10 + 0.001F) / 10; }

const char* stage_key(Stage stage) {
    switch (stage) {
        case Stage::loading_model: return "waiting.model";
        case Stage::loading_image: return "waiting.image";
        case Stage::preprocessing: return "waiting.preprocessing";
        case Stage::running: return "waiting.running";
        case Stage::idle:
        case Stage::waiting: return "waiting.start";
    }
    return "";
}

}  // namespace

void History::record(const Moment& moment, double seconds) {
    if (moments_.empty()) {
        moments_.push_back(moment);
        return;
    }
    if (moments_[at_] == moment) return;
    const bool look = moments_[at_].experiment == moment.experiment;
    moments_.resize(at_ + 1);
    if (look && at_ > 0 && seconds - last_look_ < look_series_seconds)
        moments_[at_] = moment;
    else
        moments_.push_back(moment);
    at_ = moments_.size() - 1;
    last_look_ = look ? seconds : -1e9;
}

App::App(AppState state, std::function<void()> wake)
    : state_(std::move(state)), english_(load_text("en")), wake_(wake), worker_(std::move(wake)) {
    take_language();
    arrived_ = {state_.experiment, state_.selection.focus};
    worker_.request(workspace, state_.experiment);
}

/// The words of the language that is set. True where they have changed.
bool App::take_language() {
    const Settings& settings = state_.chrome.settings;
    const std::string wanted = settings.language + (settings.english_terms ? "+" : "");
    if (wanted == language_) return false;
    language_ = wanted;
    text_ = load_text(settings.language);
    if (!settings.english_terms || settings.language == "en") return true;
    const std::string file = "text/terms.json";
    const std::vector<Term> terms = parse_terms(embedded(assets(), file).text(), file);
    text_.change([&](const std::string& key, const std::string& words) {
        return is_prose(key) ? with_english(words, terms, settings.language) : words;
    });
    return true;
}

float App::scale_of_window(int width, int height, float least) {
    const float fitting = std::min(static_cast<float>(width) / 1920, static_cast<float>(height) / 1080);
    return quantised(std::clamp(fitting, least, 4.0F));
}

bool App::prepare(const Display& display) {
    const float fitting =
        scale_of_window(static_cast<int>(display.width), static_cast<int>(display.height), display.least_scale);
    const float wanted = (display.fixed_scale > 0 ? display.fixed_scale : fitting * state_.chrome.settings.scale) *
                         (state_.chrome.lecture.on ? lecture_factor : 1.0F);
    const bool new_words = take_language();
    const bool new_fonts =
        theme_.font(Font::body) == nullptr || std::abs(theme_.scale - wanted) > 0.01F || new_words || glyphs_.pending();
    const bool new_style = new_fonts || theme_.kind != state_.chrome.settings.theme;
    theme_.kind = state_.chrome.settings.theme;
    theme_.palette = palette_of(theme_.kind);
    theme_.scale = wanted;
    if (new_fonts) build_fonts(theme_, text_, &glyphs_);
    if (new_style) apply_style(theme_);
    return new_fonts;
}

void App::open(const std::vector<std::filesystem::path>& paths) {
    for (const auto& path : paths) {
        if (path.extension() == session_ending) {
            state_.chrome.take_away.open_asked = path;
        } else if (is_lesson(path)) {
            choose_lesson(path.string());
        } else if (is_model(path)) {
            const bool configuration = path.extension() == ".json" && !is_folder(path);
            state_.experiment.model = {configuration ? path.parent_path() : path, {}};
            state_.experiment.what_ifs.clear();
        } else {
            state_.experiment.image = {{}, path};
        }
    }
    state_.chrome.dialog = Dialog::none;
    if (state_.chrome.mode == Mode::learn) state_.chrome.mode = Mode::explore;
}

bool App::busy() const {
    const Lecture& lecture = state_.chrome.lecture;
    const bool clock = lecture.on && state_.chrome.settings.show_notes;
    const bool ticking = clock || state_.chrome.copied_until > ImGui::GetTime();
    const bool sliding = lecture.slide != (lecture.on ? 1.0F : 0.0F);
    return shown_.activity.stage != Stage::idle || state_.motion.playing || browser_.busy() || !shown_.result ||
           sliding || handout_ || export_ || measuring_.running || (ticking && std::time(nullptr) != drawn_at_);
}

bool App::take_full_screen_request() { return std::exchange(full_screen_, false); }

/// What the worker has done since the last frame: the one place where its results become visible.
void App::take_in(const Snapshot& now) {
    shown_ = now;
    if (now.failure && now.failure != told_ && now.failure->experiment == state_.experiment) {
        error_ = now.failure->message;
        focus_to_come_.reset();
        restoring_.reset();
        state_.experiment = now.result ? now.result->experiment : Experiment{{}, {sample_names().front(), {}}, {}};
    }
    told_ = now.failure;
}

void App::frame() {
    take_in(worker_.latest(workspace));
    probe_.begin_frame();
    textures_.begin_frame();
    drawn_at_ = std::time(nullptr);
    focus_.begin_frame();
    state_.selection.begin_frame();
    const bool there =
        shows_requested_model() && (!restoring_ || shown_.result->experiment.image == state_.experiment.image);
    if (there && focus_to_come_) take_restored_focus();
    if (shown_.result) state_.selection.clamp_to(shown_.result->model->config);
    take_measures();
    advance_lecture(ImGui::GetIO().DeltaTime);
    watch_handout();
    state_.motion.advance(state_.chrome.settings.motion ? ImGui::GetIO().DeltaTime : 1e9F);
    const int step = state_.selection.focus.step;
    keyboard();

    const bool lecturing = state_.chrome.lecture.on;
    draw_zones(ui(), zones());
    if (lecturing) lecture_overlay(ui(), state_.selection, state_.chrome);
    draw_dialogs(ui());
    if (std::exchange(state_.chrome.lecture_asked, false)) toggle_lecture();

    if (std::exchange(state_.chrome.export_asked, false)) open_export_dialog();
    take_away();
    undo_or_redo();
    if (state_.selection.focus.step != step) {
        enter_step();
        state_.chrome.mode = Mode::explore;
    }
    notice_answer();
    if (const std::string lesson = std::exchange(state_.chrome.learn_asked, {}); !lesson.empty()) {
        choose_runs(state_.learning, lesson);
        state_.chrome.mode = Mode::learn;
    }
    if (state_.chrome.mode == Mode::learn) carry_out_learning();
    worker_.request(workspace, state_.experiment);
}

/// Where everything is; in a lecture all but the stage slides out of the window.
App::Zones App::zones() const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float t = state_.chrome.lecture.slide, away = t * t * (3 - 2 * t);
    const float gap = theme_.px(10), top = theme_.px(64), bottom = theme_.px(132);
    // Where the window is narrow for its type, the stage gets more of what there is.
    const float left = std::min(theme_.px(280), size.x * 0.18F), right = std::min(theme_.px(390), size.x * 0.245F);
    Zones z;
    z.top = {0, -away * top, size.x, top - away * top};
    z.map = {gap - away * (left + gap), top, 0, size.y - gap};
    z.map.x1 = z.map.x0 + left;
    z.explanation = {size.x - gap - right + away * (right + gap), top, 0, size.y - gap};
    z.explanation.x1 = z.explanation.x0 + right;
    const float low = size.y - gap - bottom + away * (bottom + gap);
    z.stage = {z.map.x1 + gap, std::max(gap, z.top.y1), z.explanation.x0 - gap, low - gap - away * theme_.px(16)};
    z.tokens = {z.stage.x0, low, z.stage.x1, low + bottom / 2};
    z.time = {z.stage.x0, z.tokens.y1, z.stage.x1, low + bottom};
    return z;
}

void App::draw_zones(const Ui& ui, const Zones& zones) {
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoBringToFrontOnFocus;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    if (state_.chrome.transparent)
        for (const ImGuiCol part : {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_Border})
            ImGui::PushStyleColor(part, 0);
    ImGui::Begin("root", nullptr, flags);
    ImGui::PopStyleVar(3);
    const auto zone = [&](const char* id, const Rect& rect, bool framed, const std::function<void()>& content) {
        ImGui::SetCursorScreenPos({rect.x0, rect.y0});
        if (!rect.inset(1).overlaps({0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y})) return;
        begin_child({id, rect.width(), rect.height(), framed, framed,
                     framed ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse});
        focus_.begin_zone(id);
        begin_recording(id);
        if (also_ != nullptr && framed && !state_.chrome.transparent)
            also_->fill(rect, theme_.palette.panel, theme_.px(10));
        content();
        end_recording(id);
        ImGui::EndChild();
    };
    begin_recording("window");
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetColorU32(ImGuiCol_WindowBg));
    zone("zone.top", zones.top.inset(theme_.px(8)), false,
         [&] { top_bar(ui, shown_, state_.selection, state_.chrome); });
    ImGui::PopStyleColor();
    if (state_.chrome.mode == Mode::learn)
        draw_learning_zones(ui, zones, zone);
    else if (state_.chrome.mode == Mode::laboratory)
        draw_laboratory_zones(ui, zones, zone);
    else
        draw_explorer_zones(ui, zones, zone);
    end_recording("window");
    if (state_.chrome.transparent) ImGui::PopStyleColor(3);
    ImGui::End();
}

void App::draw_explorer_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    if (shown_.result)
        zone("zone.map", zones.map, true,
             [&] { map_panel(ui, *shown_.result, state_.selection, state_.experiment.what_ifs); });
    ImGui::PopStyleVar();
    zone("zone.stage", zones.stage, true, [&] { draw_stage(ui); });
    if (shown_.result) {
        zone("zone.explanation", zones.explanation, true, [&] {
            explanation_panel({ui, *shown_.result, state_.selection}, state_.experiment.what_ifs, state_.chrome);
        });
        zone("zone.bottom", {zones.tokens.x0, zones.tokens.y0, zones.time.x1, zones.time.y1}, true, [&] {
            begin_child({"tokens", 0, theme_.px(56), false, false, 0});
            token_strip(ui, *shown_.result, state_.selection, state_.experiment.what_ifs);
            ImGui::EndChild();
            time_line(ui, state_.selection, state_.motion);
        });
    }
    if (shown_.result && state_.chrome.lecture.on && state_.chrome.lecture.slide == 1.0F)
        lecture_cards({ui, *shown_.result, state_.selection}, state_.chrome);
}

void App::draw_stage(const Ui& ui) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    probe_.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, state_.selection.focus.step);
    if (shown_.result) {
        const Step& step = curriculum()[static_cast<std::size_t>(state_.selection.focus.step)];
        const std::string& title = step_text(ui, step, "title");
        canvas.text({at.x, at.y}, title, {Font::title, theme_.palette.text, Align::left});
        const Settings& settings = state_.chrome.settings;
        if (settings.language != "en" && settings.english_terms)
            canvas.text({at.x + canvas.measure(title, Font::title).x + theme_.px(14), at.y + theme_.px(9)},
                        english_("step." + std::string(step.id) + ".title"),
                        {Font::body, theme_.palette.muted, Align::left});
        const bool waits = step.moves && state_.motion.time == 0.0F && !state_.motion.playing;
        const std::string times =
            waits ? text_("time.waits") : text_("stage.times", {{"forward", number_text(shown_.result->forward_ms)}});
        if (room.x > theme_.px(700) && !state_.chrome.lecture.on)
            canvas.text({at.x + room.x, at.y + theme_.px(8)}, times,
                        {Font::caption, theme_.palette.muted, Align::right});
        const Lecture& lecture = state_.chrome.lecture;
        const bool beside = lecture.on && lecture.slide == 1.0F && !lecture.equation;  // once the panel is gone
        const float equation_width = beside ? room.x * 0.36F : 0;
        const Rect sentence{at.x, at.y + theme_.px(42), at.x + room.x - equation_width, at.y + theme_.px(120)};
        if (equation_width > 0)
            equation_if_it_fits({ui, *shown_.result, state_.selection}, {at.x + room.x - equation_width + theme_.px(20),
                                                                         at.y, at.x + room.x, at.y + theme_.px(80)});
        const float height = rich_text(
            canvas, ui, sentence, {step_text(ui, step, "sentence"), Font::body, theme_.palette.muted, Align::left});
        const Rect area{at.x, sentence.y0 + height + theme_.px(18), at.x + room.x, at.y + room.y};
        const Scene scene{ui, *shown_.result, canvas, area, state_.motion.time};
        step.view(scene, state_.selection, state_.experiment.what_ifs);
    }
    draw_error(ui);
    draw_waiting(ui);
    if (shown_.result && shown_.activity.stage == Stage::idle && shown_.result->experiment == state_.experiment)
        probe_.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

/// What is being done and how far, over the old picture, which stays.
void App::draw_waiting(const Ui& ui) {
    const bool first = !shown_.result;
    if (shown_.activity.stage == Stage::idle || (!first && shown_.activity.seconds < wait_before_progress)) return;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.fill({low.x, low.y, low.x + size.x, low.y + size.y}, theme_.palette.panel.with_alpha(0.6F));
    const float width = std::min(theme_.px(520), size.x * 0.8F), height = theme_.px(110);
    ImGui::SetCursorScreenPos({low.x + (size.x - width) / 2, low.y + (size.y - height) / 2});
    begin_child({"waiting", width, height, true, true, 0});
    const Waiting waiting{"waiting", text_(stage_key(shown_.activity.stage)),
                          static_cast<float>(shown_.activity.fraction), first ? "" : text_("waiting.cancel")};
    if (progress_bar(ui, waiting)) {
        worker_.cancel(workspace);
        state_.experiment = shown_.result->experiment;
        focus_to_come_.reset();
        restoring_.reset();
    }
    ImGui::EndChild();
}

/// Stays until it is read; what was open stays open.
void App::draw_error(const Ui& ui) {
    if (error_.empty()) return;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float width = std::min(theme_.px(760), size.x - theme_.px(60)), height = theme_.px(190);
    ImGui::SetCursorScreenPos({low.x + (size.x - width) / 2, low.y + theme_.px(80)});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
    begin_child({"error.frame", width, height, false, true, ImGuiWindowFlags_NoScrollbar});
    ImGui::PopStyleColor();
    if (error_card(ui, {"error", text_("error.title"), error_, {}, text_("error.dismiss")}) != CardClick::none)
        error_.clear();
    ImGui::EndChild();
}

void App::draw_dialogs(const Ui& ui) {
    Chrome& chrome = state_.chrome;
    switch (chrome.dialog) {
        case Dialog::none: break;
        case Dialog::open_image:
            if (const auto image = browser_.images(ui, chrome)) state_.experiment.image = *image;
            break;
        case Dialog::open_model:
            if (const auto model = browser_.models(ui, chrome)) {
                state_.experiment.model = *model;
                state_.experiment.what_ifs.clear();
            }
            break;
        case Dialog::find: find_dialog({ui, shown_.result.get()}, state_.selection, chrome, state_.experiment); break;
        case Dialog::help: help_dialog(ui, chrome); break;
        case Dialog::photographs: photographs_dialog(ui, chrome); break;
        case Dialog::language: language_dialog(ui, chrome); break;
        case Dialog::take_away:
            if (shown_.result)
                export_dialog(ui,
                              shown_measures(*shown_.result, state_.selection.focus, chrome.mode == Mode::laboratory),
                              chrome);
            break;
        case Dialog::recover: recover_dialog(ui, chrome); break;
        case Dialog::lessons: take_lesson(lessons_dialog(ui, chrome)); break;
    }
}

/// Text first: the motion waits at its beginning until it is asked for.
void App::enter_step() {
    const bool still = !state_.chrome.settings.motion;
    state_.motion = {still ? 1.0F : 0.0F, false};
    state_.selection.focus.cell.reset();
    state_.chrome.answer_shown = false;
    arrived_ = {state_.experiment, state_.selection.focus};
}

/// The question of a step is answered when its learner has done something and what it asks for holds.
void App::notice_answer() {
    const Step& step = curriculum()[static_cast<std::size_t>(state_.selection.focus.step)];
    if (!shown_.result || step.answered == nullptr) return;
    if (arrived_ == History::Moment{state_.experiment, state_.selection.focus}) return;
    if (step.answered(*shown_.result, state_.selection, state_.experiment.what_ifs))
        state_.chrome.settings.answered.insert(std::string(step.id));
}

bool App::shows_requested_model() const {
    return shown_.result && shown_.result->experiment.model == state_.experiment.model;
}

/// A focus inside another model waits until that model is there.
void App::go_to(const History::Moment& moment) {
    if (!(moment.focus.lab == state_.selection.focus.lab)) state_.chrome.mode = Mode::laboratory;  // it is seen
    state_.experiment = moment.experiment;
    focus_to_come_ = moment.focus;
    if (shows_requested_model()) take_restored_focus();
}

void App::undo_or_redo() {
    Chrome& chrome = state_.chrome;
    if (chrome.undo && history_.can_undo())
        go_to(history_.undo());
    else if (chrome.redo && history_.can_redo())
        go_to(history_.redo());
    else if (shows_requested_model() && !focus_to_come_)
        history_.record({state_.experiment, state_.selection.focus}, ImGui::GetTime());
    chrome.undo = chrome.redo = false;
    chrome.can_undo = history_.can_undo();
    chrome.can_redo = history_.can_redo();
}

}  // namespace vitrine
