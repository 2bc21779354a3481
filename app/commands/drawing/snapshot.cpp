#include <cstdio>
#include <sstream>

#include "app/chapters/step.h"
#include "app/chapters/steps/entering.h"
#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/text_settings.h"
#include "app/exports/output_folder.h"
#include "app/exports/screen.h"
#include "app/exports/stage_text.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/library/library.h"
#include "app/platform/threads.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/linked.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"

namespace vitrine {

namespace {

void check_index(const char* option, int value, int first, int last) {
    if (value < first || value > last)
        throw UsageError(std::string(option) + " " + std::to_string(value) + ": this model has " +
                         std::to_string(first) + " to " + std::to_string(last));
}

/// Applies a word of --run; false if it is unknown.
bool take_word(const std::string& word, LearningChoice& c) {
    if (word == "tiny") return c.size = LearningSize::tiny, true;
    if (word == "standard") return c.size = LearningSize::standard, true;
    if (word == "deep") return c.size = LearningSize::deep, true;
    if (word == "post-norm") return c.norm = Norm::after, true;
    if (word == "no-norm") return c.norm = Norm::none, true;
    if (word == "no-skips") return c.skips = false, true;
    if (word == "no-positions") return c.positions = false, true;
    if (word == "relu") return c.activation = Activation::relu, true;
    if (word == "elu") return c.activation = Activation::elu, true;
    if (word == "picturebook") return c.scenes = Scenes::picturebook, true;
    if (word == "adamw") return choose_optimiser(c, Optimiser::adamw), true;
    if (word == "dropout") return c.dropout = 0.2F, true;
    if (word == "few") return c.distinct = 1000, c.pictures = counted_pictures, true;
    return false;
}

void choose_runs(const std::vector<std::string>& runs, LearningState& state) {
    if (runs.size() > state.choices.size()) throw UsageError("--run: there are at most two; leave one out");
    state.study = runs == std::vector<std::string>{"nets"};
    for (std::size_t i = 0; i < runs.size() && !state.study; ++i) {
        std::istringstream words(runs[i]);
        for (std::string word; std::getline(words, word, ',');)
            if (!take_word(word, state.choices[i]))
                throw UsageError("--run " + runs[i] + ": '" + word +
                                 "' is not a word it knows; vitrine snapshot --help lists them");
    }
    state.choices[1].scenes = state.choices[0].scenes;  // both are shown with the same pictures
    state.two = runs.size() == 2;
}

/// Opens on a place of the room whose places an option names.
const Places& show_place(Opening& opening, const char* option, const std::string& place) {
    opening.state.room = room_with_places(option).id;
    const Places& places = answers_of(opening.state.room).places;
    places.look(place, {opening.selection.focus, opening.text_experiment});
    return places;
}

Opening state_for(const SnapshotOptions& o) {
    Opening opening;
    const bool steps = !o.learn && o.lab.empty() && o.exercise.empty() && o.text.empty();
    if (!o.text.empty() && o.image.empty() && !o.what_ifs.empty())
        throw UsageError(
            "--what-if: changes the run of an image, and none is named; write --set text.what_ifs=WORDS, such "
            "as text.what_ifs=no-scale");
    if (steps && o.step.empty())
        throw UsageError(
            "--step: name a step, or give --lab, --exercise, --text or --learn; vitrine info lists the steps");
    opening.selection.focus.step = steps ? step_index(o.step) : 0;
    if (o.learn) {
        opening.state.room = room_with_places("learn").id;
        choose_runs(o.runs, opening.state.learning);
        if (!o.experiment.empty()) choose_runs(opening.state.learning, o.experiment);
        if (!o.task.empty()) choose_runs(opening.state.learning, o.task);
        opening.state.learning.text.pace = 0;  // as fast as possible
        if (o.recorded && opening.state.learning.texts)
            throw UsageError("--recorded: " + o.experiment +
                             " trains texts, which takes seconds and has no recording; leave it out");
        opening.state.learning.recorded = o.recorded;
        opening.state.learning.played = 1;
    }
    if (opening.selection.focus.step < 0)
        throw UsageError("--step " + o.step + ": there is no such step; vitrine info lists them");
    const auto model = open_model(o.model.source());
    check_index("--block", o.block.value_or(1), 1, model->config.blocks);
    check_index("--head", o.head.value_or(0), 0, model->config.heads - 1);
    check_index("--token", o.token, 0, model->config.tokens() - 1);
    Focus& focus = opening.selection.focus;
    const MutableView view{focus, opening.text_experiment};
    focus.block = o.block.value_or(1);
    focus.head = o.head.value_or(0);
    focus.token = o.token;
    focus.solo = o.solo;
    take_settings(o.settings, view);
    check_settings(o.settings, view, model->config);
    if (!o.lab.empty()) show_place(opening, "lab", o.lab);
    if (!o.exercise.empty()) {
        const Places& places = show_place(opening, "exercise", o.exercise);
        if (o.solved)
            places.choose(places.solution(focus, model->config), focus, model->config, opening.state.settings);
    }
    if (!o.text.empty()) {
        opening.state.room = room_with_places("text").id;
        if (const auto chapter = value_in(text_chapter_names, o.text))
            TextDraft{opening.text_experiment, focus.text}.enter(*chapter);
        if (const auto instrument = value_in(text_instrument_names, o.text))
            focus.text.lab.open = true, focus.text.lab.instrument = *instrument;
        take_settings(o.settings, view);  // among them the task, whose text the words replace
        if (o.words) {
            TextDraft{opening.text_experiment, focus.text}.read(*o.words);
            take_settings(o.settings, view);  // again, for choices within the new text
        }
    }
    check_text_settings(o.settings, view);
    const bool no_image = o.image.empty();  // Text and Train need none
    opening.experiment = {o.model.source(), no_image ? first_opening().experiment.image : image_source(o.image),
                          parse_what_ifs(o.what_ifs, model->config)};
    opening.motion = {static_cast<float>(o.time), false};
    return opening;
}

/// Makes the choices of `--chosen` in the shown exercise. Throws UsageError for none shown or an unknown choice.
void take_chosen(const std::vector<int>& chosen, Opening& opening) {
    if (chosen.empty()) return;
    const auto choose = answers_of(opening.state.room).places.choose;
    if (choose == nullptr)
        throw UsageError("--chosen: needs an exercise; give --exercise, or a session that shows one");
    if (const std::optional<int> wrong = choose(chosen, opening.selection.focus,
                                                open_model(opening.experiment.model)->config, opening.state.settings))
        throw UsageError("--chosen: " + std::to_string(*wrong) + " is not a choice there; count from 0");
}

/// Adds the run on the right: the left one without its what-ifs, changed by the options --beside….
void open_beside(const SnapshotOptions& o, Opening& opening) {
    const bool other_model = !o.beside_model.path.empty() || o.beside_model.said != ModelSource();
    if (o.beside.empty() && !other_model && o.beside_what_ifs.empty()) {
        if (o.difference)
            throw UsageError("--difference: needs two runs; give --beside, --beside-model or --beside-what-if");
        return;
    }
    if (!answers_of(opening.state.room).around.halves)
        throw UsageError("--beside: only steps and the laboratory show two runs side by side");
    OtherHalf other{opening.experiment, opening.text_experiment, opening.selection.focus};
    other.side_by_side.difference = o.difference;
    other.experiment.what_ifs.clear();
    if (other_model) {
        other.experiment.model = o.beside_model.source(opening.experiment.model);
        const auto here = open_model(opening.experiment.model), there = open_model(other.experiment.model);
        other.focus.token = token_like(opening.selection.focus.token, here->config, there->config);
        other.focus.key = token_like(opening.selection.focus.key, here->config, there->config);
    }
    if (!o.beside.empty()) other.experiment.image = image_source(o.beside);
    if (!o.beside_what_ifs.empty())
        other.experiment.what_ifs = parse_what_ifs(o.beside_what_ifs, open_model(other.experiment.model)->config);
    opening.other = std::move(other);
}

/// The state of the session, changed by --set.
Opening state_of_session(const SnapshotOptions& o) {
    const Session session = load_session(o.session);
    const auto what_ifs = [](const Session& of) { return what_ifs_of(of, open_model(of.model)->config); };
    Opening opening = opening_of(session, what_ifs(session),
                                 session.other ? what_ifs(other_of(session)) : std::vector<Intervention>());
    if (o.settings.empty()) return opening;
    const MutableView view{opening.selection.focus, opening.text_experiment};
    take_settings(o.settings, view);
    check_settings(o.settings, view, open_model(session.model)->config);
    check_text_settings(o.settings, view);
    return opening;
}

void check_is_named(const char* command, const SnapshotOptions& o) {
    const bool needs_none = !o.text.empty() || (o.learn && o.session.empty());
    if (needs_none ? !o.session.empty() : o.image.empty() == o.session.empty())
        throw UsageError(std::string(command) + ": name an image, or give --session");
}

/// The state that the options describe: content and appearance.
Opening shown_by(const SnapshotOptions& o) {
    Opening opening = o.session.empty() ? state_for(o) : state_of_session(o);
    open_beside(o, opening);
    Settings settings;
    const bool light = o.theme.empty() ? o.transparent : o.theme == "light";
    settings.theme = light ? ThemeKind::light : ThemeKind::dark;
    settings.language = o.language;
    settings.count_from = o.from_zero ? 0 : 1;
    o.model.change(settings);
    return for_picture(std::move(opening), settings, o.lecture);
}

/// Draws the state that the options describe; a step that selects a head or key on entering shows that one, unless the
/// options choose a view.
void draw_shown(Screen& screen, const SnapshotOptions& o, Opening& opening) {
    screen.draw(opening);
    const bool chosen = o.block || o.head || o.token != 0 || !o.settings.empty();
    const auto& run = screen.shell().shown().result;
    if (o.step.empty() || chosen || !run) return;
    Focus& focus = opening.selection.focus;
    const Focus before = focus;
    look_on_entering(focus.step, *run, focus);
    if (focus != before) screen.draw(opening);
}

}  // namespace

void check_pixels(const Size& size, int times) {
    if (size.width * times > most_pixels || size.height * times > most_pixels)
        throw UsageError("--times " + std::to_string(times) + ": the window would be wider or higher than " +
                         std::to_string(most_pixels) + " pixels; choose fewer, or a smaller --size");
}

Size parse_size(const std::string& words) {
    Size size;
    const std::size_t cross = std::min(words.find('x'), words.size());
    size.width = number_from<int>(words.substr(0, cross)).value_or(0);
    size.height = number_from<int>(std::string_view(words).substr(std::min(cross + 1, words.size()))).value_or(0);
    if (size.width < 640 || size.height < 360 || size.width > 16384 || size.height > 16384)
        throw UsageError("--size " + words + ": write WIDTHxHEIGHT in pixels, from 640x360 to 16384x16384");
    return size;
}

int describe_command(const SnapshotOptions& o) {
    if (o.threads > 0) limit_threads(o.threads);
    check_is_named("describe", o);
    const Size size = parse_size(o.size);
    Screen screen({size.width, size.height});
    Opening opening = shown_by(o);
    draw_shown(screen, o, opening);
    const std::string text = stage_text(screen.shell().context());
    if (o.json)
        print_json({{"text", text}});
    else
        std::fputs(text.c_str(), stdout);
    return 0;
}

int snapshot_command(const SnapshotOptions& o) {
    if (o.threads > 0) limit_threads(o.threads);
    const Size size = parse_size(o.size);
    check_is_named("snapshot", o);
    check_pixels(size, o.times);
    check_is_name("--out", o.out);
    Screen screen({size.width, size.height, o.scale, o.times, o.transparent, o.figure});
    Opening opening = shown_by(o);
    take_chosen(o.chosen, opening);
    OutputGuard guard = guard_of(o.force, opening.experiment.model, opening.experiment.image);
    guard.reads(o.session);
    guard.check(o.out);
    const PictureFormat& format = picture_format_of(o.out);
    draw_shown(screen, o, opening);
    if (o.learn) {
        screen.learn(*o.learn);
        screen.draw(opening);
    }
    format.take(screen, o.part)(o.out);
    return 0;
}

}  // namespace vitrine
