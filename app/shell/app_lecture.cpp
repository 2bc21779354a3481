#include <imgui.h>

#include <algorithm>
#include <cstdlib>

#include "app/platform/imgui_compat.h"
#include "app/platform/new_file.h"
#include "app/shell/app.h"
#include "core/error.h"

// Lecturing: the keys of a presenter, and the way through a lesson.

namespace vitrine {

namespace {

constexpr float slide_seconds = 0.25F;

void choose(Lecture& lecture, Pointer pointer) {
    lecture.pointer = lecture.pointer == pointer ? Pointer::arrow : pointer;
}

}  // namespace

void App::toggle_lecture() {
    Lecture& lecture = state_.chrome.lecture;
    lecture.on = !lecture.on;
    lecture.pointer = Pointer::arrow;
    lecture.black = lecture.editing = false;
    if (!lecture.on) return;
    lecture.began = ImGui::GetTime();
    state_.chrome.dialog = Dialog::none;
    if (lecture.lesson) go_to_stop(lecture.stop);
}

/// The zones slide away, or come back.
void App::advance_lecture(float seconds) {
    Lecture& lecture = state_.chrome.lecture;
    const float wanted = lecture.on ? 1.0F : 0.0F;
    const float most = state_.chrome.settings.motion ? seconds / slide_seconds : 1.0F;
    lecture.slide += std::clamp(wanted - lecture.slide, -most, most);
}

void App::choose_lesson(const std::string& source) {
    Chrome& chrome = state_.chrome;
    try {
        chrome.lecture.lesson = load_lesson(source);
    } catch (const Error& error) {
        error_ = error.what();
        return;
    }
    chrome.lecture.stop = 0;
    chrome.lecture.ink.clear();
    chrome.settings.lesson = source;
    chrome.lecture.on = false;
    toggle_lecture();
}

void App::go_to_stop(int stop) {
    Lecture& lecture = state_.chrome.lecture;
    if (!lecture.lesson || !shown_.result) return;
    const int last = static_cast<int>(lecture.lesson->stops.size()) - 1;
    lecture.stop = std::clamp(stop, 0, last);
    try {
        const Place to = place_of(*lecture.lesson, lecture.stop, {state_.experiment, state_.selection.focus},
                                  shown_.result->model->config);
        state_.experiment = to.experiment;
        state_.selection.focus = to.focus;
    } catch (const Error& error) {
        error_ = error.what();
    }
}

/// Next: first the step's motion, then its end if it is still under way, then the next step or stop.
void App::next_in_lecture() {
    Motion& motion = state_.motion;
    const Step& step = curriculum()[static_cast<std::size_t>(state_.selection.focus.step)];
    if (step.moves && motion.time < 1.0F) {
        if (motion.playing || motion.time > 0.0F)
            motion = {1.0F, false};
        else
            motion.play();
        return;
    }
    move_in_lecture(1);
}

void App::move_in_lecture(int by) {
    Lecture& lecture = state_.chrome.lecture;
    Focus& focus = state_.selection.focus;
    const int before = lecture.at(focus.step);
    lecture.editing = false;
    if (lecture.lesson)
        go_to_stop(lecture.stop + by);
    else
        focus.step = std::clamp(focus.step + by, 0, static_cast<int>(curriculum().size()) - 1);
    if (lecture.at(focus.step) != before) enter_step();
}

void App::take_lesson(const LessonChoice& choice) {
    if (!choice.start.empty()) return choose_lesson(choice.start);
    if (!choice.handout.empty()) return write_handout(choice.handout);
    if (!choice.without) return;
    state_.chrome.lecture.lesson.reset();
    state_.chrome.settings.lesson.clear();
    state_.chrome.lecture.on = false;
    toggle_lecture();
}

/// In another process, since it draws every stop on a screen of its own.
void App::write_handout(const std::string& lesson) {
    const std::string name = std::filesystem::path(lesson).stem().string();
    handout_file_ = home_folder() / ("vitrine-" + name + ".html");
    std::vector<std::string> words = {
        "handout", lesson, "--out", handout_file_.string(), "--lang", state_.chrome.settings.language};
    const ModelSource& model = state_.experiment.model;
    if (!model.path.empty()) words.insert(words.end(), {"--model", model.path.string()});
    if (model.heads) words.insert(words.end(), {"--heads", std::to_string(*model.heads)});
    handout_ = std::make_unique<ChildProcess>(words, program_);
    state_.chrome.handout_words = text_("lessons.writing");
}

void App::watch_handout() {
    if (!handout_) return;
    const auto end = handout_->poll();
    if (!end) return;
    handout_.reset();
    state_.chrome.handout_words = end->status == 0 ? text_("lessons.written", {{"file", handout_file_.string()}}) : "";
    if (end->status != 0) error_ = end->words;
}

/// A presenter's keys, of a keyboard or a remote. True where the key was one.
bool App::lecture_keys() {
    Lecture& lecture = state_.chrome.lecture;
    if (key_pressed(Key::escape)) {
        if (lecture.black || lecture.pointer != Pointer::arrow) {
            lecture.black = false;
            lecture.pointer = Pointer::arrow;
        } else {
            toggle_lecture();
        }
        return true;
    }
    if (key_pressed(Key::b) || key_pressed(Key::period)) return lecture.black = !lecture.black, true;
    if (lecture.black) return false;
    if (key_pressed(Key::space) || key_pressed(Key::right) || key_pressed(Key::page_down))
        return next_in_lecture(), true;
    if (key_pressed(Key::left) || key_pressed(Key::page_up)) return move_in_lecture(-1), true;
    if (key_pressed(Key::home)) return move_in_lecture(-1000), true;
    if (key_pressed(Key::end)) return move_in_lecture(1000), true;
    if (key_pressed(Key::p)) return choose(lecture, Pointer::pen), true;
    if (key_pressed(Key::e)) return choose(lecture, Pointer::eraser), true;
    if (key_pressed(Key::d)) return choose(lecture, Pointer::laser), true;
    if (key_pressed(Key::f)) return choose(lecture, Pointer::spotlight), true;
    if (key_pressed(Key::q)) return lecture.equation = !lecture.equation, true;
    if (key_pressed(Key::n)) return state_.chrome.settings.show_notes = !state_.chrome.settings.show_notes, true;
    if (key_pressed(Key::remove)) return lecture.ink_of(state_.selection.focus.step).clear(), true;
    return false;
}

}  // namespace vitrine
