#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lecture/lesson.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/room.h"
#include "app/workspace/settings.h"
#include "tests/files.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/own_lessons.h"
#include "tests/ui/text_room.h"

// Walks over all screens of a room, with the variants of each; a test looks at every one of them.

namespace vitrine {

inline const ImVec2 walked_size = {1280, 720};

/// What a test does at a screen.
using Visit = std::function<void(Harness& h, const std::string& where)>;

/// The four bundled models of texts.
struct TextSubject {
    TextTask task;
    TextLanguage to;
};
inline constexpr TextSubject text_subjects[] = {{TextTask::translate, TextLanguage::japanese},
                                                {TextTask::translate, TextLanguage::english},
                                                {TextTask::sentiment, TextLanguage::japanese},
                                                {TextTask::story, TextLanguage::japanese}};
inline std::string name_of(const TextSubject& subject) {
    return std::string(name_of(subject.task)) + " to " + name_of(subject.to);
}

/// A chapter with its switches, one at a time.
inline void walk_switches(Harness& h, const std::string& where, const Visit& visit) {
    constexpr std::string_view beginning = "text.switch.";
    const auto items = h.app->probe().items();
    for (const auto& [id, item] : items) {
        if (!id.starts_with(beginning)) continue;
        h.change().text().experiment.what_ifs = {id.substr(beginning.size())};
        h.settle();
        visit(h, where + " with " + id);
    }
    h.change().text().experiment.what_ifs.clear();
    h.settle();
}

/// A chapter with each choice that its figure offers.
inline void walk_choices_of_chapter(Harness& h, const std::string& where, const Visit& visit) {
    const TextLook before = h.focus().text;
    const TextExperiment experiment = h.app->workspace().text_experiment;
    const auto with = [&](const std::string& what, const std::function<void(TextDraft)>& choose) {
        choose(h.change().text());
        h.settle();
        if (!(h.focus().text == before && h.app->workspace().text_experiment == experiment))
            visit(h, where + " with " + what);
        h.change().text().look = before;
        h.change().text().experiment = experiment;
        h.settle();
    };
    with("a head", [](TextDraft t) { t.look.head = 1; });
    with("words chosen", [](TextDraft t) { t.look.source = t.look.target = 1; });
    if (attention_of_chapter(before.chapter)) with("a matrix", [](TextDraft t) { t.look.matrix = true; });
    if (before.chapter == TextChapter::embedding) with("its model", [](TextDraft t) { t.look.learned = true; });
    if (before.chapter == TextChapter::loss) with("smoothing", [](TextDraft t) { t.look.smoothing = 0.1F; });
    if (!is_about_choices(before.chapter)) return;
    with("beams", [](TextDraft t) { t.experiment.method = DecodingMethod::beam; });
    with("random words", [](TextDraft t) { t.experiment.method = DecodingMethod::sample; });
    const std::vector<std::string> own = text(h).run.output;
    if (!own.empty()) with("a word chosen by hand", [&](TextDraft t) { t.experiment.forced = {own.front()}; });
}

inline void walk_text_chapters(const TextSubject& subject, const Visit& visit) {
    Harness h(in_the_text_room(), walked_size);
    for (const auto& [chapter, name] : text_chapter_names) {
        enter(h, chapter);
        if (!is_about(chapter, subject.task)) continue;
        h.change().text().choose(subject.task, subject.to);
        h.settle();
        const std::string where = "text " + std::string(name) + ", " + name_of(subject);
        visit(h, where);
        walk_switches(h, where, visit);
        walk_choices_of_chapter(h, where, visit);
        if (!h.shows("text.swap.0")) continue;
        h.tap("text.swap.0");
        visit(h, where + " with another word");
        h.change().text().experiment.swap = {};
    }
}

inline void walk_text_instruments(const TextSubject& subject, const Visit& visit) {
    Harness h(in_the_text_room(), walked_size);
    h.change().text().choose(subject.task, subject.to);
    for (const auto& [instrument, name] : text_instrument_names)
        for (const auto& [kind, attention] : text_attention_names) {
            TextLaboratory lab;
            lab.open = true;
            lab.instrument = instrument;
            lab.kind = kind;
            lab.level = kind == TextAttention::encoder ? 1 : 0;
            lab.cover = kind == TextAttention::encoder ? WordCover::nothing : WordCover::unknown;
            h.change().text().look.lab = lab;
            h.settle();
            visit(h, "text lab " + std::string(name) + " of " + attention + ", " + name_of(subject));
        }
}

/// The laboratory of pictures with every choice of an instrument that changes its picture.
inline void walk_instruments(const Visit& visit) {
    Harness h(laboratory(Instrument::heads), walked_size);
    const auto with = [&](const std::string& what, const std::function<void(Focus&)>& choose) {
        choose(h.change().focus());
        h.settle();
        visit(h, "lab " + what);
    };
    for (const auto& [order, name] : head_order_names)
        with(std::string("heads by ") + name, [&](Focus& f) { f.lab.order = order; });
    for (const auto& [scope, name] : scope_names)
        with(std::string("heads, scale of ") + name, [&](Focus& f) { f.scope = scope; });
    for (const auto& [combine, name] : combine_names)
        with(std::string("compare ") + name, [&](Focus& f) {
            f.lab.instrument = Instrument::compare;
            f.lab.picks = {{1, 0, {}}, {2, 3, 12}};
            f.lab.combine = combine;
        });
    with("statistics of entropy", [](Focus& f) {
        f.lab.instrument = Instrument::statistics;
        f.lab.statistic = "entropy";
    });
    for (const auto& [method, name] : depth_method_names)
        with(name, [&](Focus& f) {
            f.lab.instrument = Instrument::depth;
            f.lab.method = method;
        });
    for (const auto& [figure, name] : token_figure_names)
        with(std::string("tokens ") + name, [&](Focus& f) {
            f.lab.instrument = Instrument::tokens;
            f.lab.figure = figure;
        });
    with("lens of a patch", [](Focus& f) {
        f.lab.instrument = Instrument::lens;
        f.token = 20;
    });
    with("ledger of a lead", [](Focus& f) {
        f.lab.instrument = Instrument::ledger;
        f.lab.against = 1;
        f.lab.unfolded = 2;
    });
    for (const auto& [watched, name] : watched_names)
        with(std::string("occlusion ") + name, [&](Focus& f) {
            f.lab.instrument = Instrument::occlusion;
            f.lab.watched = watched;
        });
    for (const auto& [figure, name] : cause_figure_names)
        with(std::string("causes ") + name, [&](Focus& f) {
            f.lab.instrument = Instrument::causes;
            f.lab.cause = figure;
        });
    with("causes insertion", [](Focus& f) {
        f.lab.cause = CauseFigure::perturbation;
        f.lab.way = Perturbation::insertion;
    });
    with("words without a text tower", [](Focus& f) { f.lab.instrument = Instrument::words; });
}

inline void walk_words(const Visit& visit) {
    for (const char* const kind : {"clip", "siglip"}) {
        Opening opening = laboratory(Instrument::words);
        opening.experiment.model = {golden_folder / "words" / kind, {}};
        Harness h(std::move(opening), walked_size);
        visit(h, std::string("words of ") + kind);
        h.change().focus().lab.texts = "";
        h.settle();
        visit(h, "no words");
    }
}

/// Every instrument with another run beside it.
inline void walk_instruments_of_two_runs(const Visit& visit) {
    Harness h(laboratory(Instrument::heads), {1920, 1080});
    h.press(Key::d, Key::ctrl);
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    for (const auto& [instrument, name] : instrument_names) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        visit(h, std::string("two runs in lab ") + name);
    }
    h.change().focus().lab.instrument = Instrument::causes;
    h.change().focus().lab.cause = CauseFigure::patching;
    for (const auto& [site, name] : patch_site_names) {
        h.change().focus().lab.site = site;
        h.settle();
        visit(h, std::string("two runs patched at ") + name);
    }
}

/// Runs before their first step, after it, in training and as recorded.
inline void walk_runs(Harness& h, const std::string& runs, const Visit& visit) {
    h.app->ask(command::WatchLearning{runs});
    h.settle();
    visit(h, "runs of " + runs);
    h.press(Key::period);
    h.wait_until([&] { return has_begun_to_learn(h.app->context()); });
    h.settle();
    visit(h, "runs of " + runs + " after a step");
    h.change()->learning.own = h.change()->learning.text.own = true;
    h.settle();
    visit(h, "controls of " + runs);
    h.press(Key::space);
    h.frame(30);
    visit(h, "runs of " + runs + " in training");
    h.press(Key::space);
    h.settle();
    if (!h.shows("learn.recorded_runs")) return;
    h.app->ask(command::Do{"learn.recorded_runs"});
    h.settle();
    h.change()->learning.played = 1;
    h.settle();
    visit(h, "recorded runs of " + runs);
    h.app->ask(command::Do{"learn.recorded_runs"});
    h.settle();
}

inline void walk_training(bool texts, const Visit& visit) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    Harness h(std::move(opening), walked_size);
    for (const std::string& runs : runs_to_choose()) {
        LearningState chosen;
        choose_runs(chosen, runs);
        if (chosen.texts == texts) walk_runs(h, runs, visit);
    }
    EXPECT_FALSE(h.app->may_close()) << "runs are not saved";
    h.frame(3);
    visit(h, "closing");
}

/// Every task of every exercise, after a wrong answer where there can be one.
inline void walk_exercises(const Visit& visit) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "exercise";
    Harness h(std::move(opening), walked_size);
    for (const auto& [exercise, name] : exercise_names) {
        h.change().focus().exercise = exercise;
        h.settle();
        const Listing listing = listing_of(exercise, h.result().model->config);
        const int wrong_prediction = (row_of(exercise).prediction + 1) % predictions_offered,
                  wrong_repair = (listing.right + 1) % repairs_offered;
        const ExerciseProgress all[] = {{-1, -1, -1},
                                        {wrong_prediction, -1, -1},
                                        {wrong_prediction, 0, -1},
                                        {wrong_prediction, listing.wrong, -1},
                                        {wrong_prediction, listing.wrong, wrong_repair},
                                        {row_of(exercise).prediction, listing.wrong, listing.right}};
        for (const ExerciseProgress& progress : all) {
            h.change()->settings.exercises[name] = progress;
            h.settle();
            visit(h, "exercise " + std::string(name) + " at line " + std::to_string(progress.line) + ", repair " +
                         std::to_string(progress.repair));
        }
    }
}

/// The editor of lessons, at a stop with each kind of question.
inline void walk_lesson_editor(const Visit& visit) {
    const TestFolder folder;
    write(folder / "three.lesson", three_stops);
    Harness h(Harness::with_image("cat"), walked_size);
    h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true}, {"HDMI-1", {1920, 0, 1280, 720}, {}, false}};
    h.app->ask(command::ChangeLesson{"open", 0, (folder / "three.lesson").string()});
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    visit(h, "a lesson's first stop");
    h.app->ask(command::ChangeLesson{"question", 0, "How many?"});
    h.app->ask(command::ChangeLesson{"choices", 0, "three\n* four"});
    h.settle();
    visit(h, "a lesson with a question of its own");
    h.tap("lesson.question_none");
    visit(h, "a lesson with a stop without a question");
    h.tap("lesson.stop.2");
    visit(h, "a lesson's last stop");
    h.app->ask(command::ShowDialog{"lessons"});
    h.settle();
    visit(h, "the list of lessons");
}

/// All stops of a lesson, in a window and full screen, with its question and its answer.
inline void walk_stops(const std::string& lesson, const std::string& language, const Visit& visit) {
    Opening opening;
    opening.state.settings.language = language;
    Harness h(std::move(opening), walked_size);
    h.app->ask(command::OpenLesson{lesson});
    h.settle();
    h.frame(40);
    Lecture& lecture = h.door().state.lecture;
    const std::size_t stops = lecture.lesson->stops.size();
    for (const bool full_screen : {false, true}) {
        h.app->take_in(arrival::FullScreen{full_screen});
        h.app->ask(command::Do{"lecture.first"});
        for (std::size_t stop = 0; stop < stops; ++stop) {
            if (stop > 0) h.app->ask(command::Do{"lecture.next_stop"});
            h.settle();
            const std::string where = lesson + ", stop " + std::to_string(stop + 1) + ", " + language;
            lecture.peek = !full_screen;
            h.frame(4);
            visit(h, where);
            for (const Alone alone : {Alone::question, Alone::answer}) {
                if (!full_screen) break;
                lecture.alone = alone;
                h.frame(4);
                visit(h, where + (alone == Alone::question ? ", its question" : ", its answer"));
            }
            lecture.alone = Alone::nothing;
        }
    }
}

/// Every dialog that needs nothing to be there.
inline void walk_dialogs(const Visit& visit) {
    for (const char* const dialog :
         {"open_image", "open_model", "find",         "help",    "language",     "lessons",
          "lesson",     "get_model",  "take_away",    "recover", "open_session", "open_lesson",
          "start",      "save_as",    "references",   "own",     "own_folder",   "image_folder",
          "camera",     "glossary",   "text_samples", "closing"}) {
        Harness h(Harness::with_image("cat"), walked_size);
        h.app->ask(command::ShowDialog{dialog});
        h.settle();
        visit(h, std::string("dialog ") + dialog);
    }
}

}  // namespace vitrine
