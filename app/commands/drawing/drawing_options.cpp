#include <algorithm>
#include <utility>

#include "app/commands/help.h"
#include "app/commands/options.h"
#include "app/exports/screen.h"
#include "app/frame/layout.h"
#include "app/lecture/lesson.h"
#include "app/ui/languages.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/words_table.h"
#include "core/base/names.h"
#include "core/measures/catalogue.h"
#include "core/measures/pair_measures.h"
#include "core/measures/sweep.h"
#include "core/measures/text/text_catalogue.h"
#include "core/training/presets.h"

namespace vitrine {

namespace {

/// Adds --step and --lab, of which one may be given.
template <class Options>
std::pair<CLI::Option*, CLI::Option*> add_step_or_lab(CLI::App& c, Options& o) {
    CLI::Option* const step = c.add_option("--step", o.step, "The step's id; vitrine info lists them");
    CLI::Option* const lab = c.add_option("--lab", o.lab, "Instead of a step: an instrument of the laboratory")
                                 ->check(CLI::IsMember(names_of(instrument_names)))
                                 ->excludes(step);
    return {step, lab};
}

/// The values of --text: chapters of the Text room and instruments of its laboratory.
std::vector<std::string> text_places() {
    std::vector<std::string> names = names_of(text_chapter_names);
    const std::vector<std::string> instruments = names_of(text_instrument_names);
    names.insert(names.end(), instruments.begin(), instruments.end());
    return names;
}

std::vector<std::string> names_of_pictures() {
    std::vector<std::string> names;
    for (const PictureFormat& format : picture_formats()) names.emplace_back(format.name);
    return names;
}

/// Names of lessons for a handout: "tour, sentences, …, or a lesson file".
std::string lesson_words() {
    std::string words;
    for (const std::string& lesson : bundled_lessons()) words += lesson + ", ";
    return words + "or a lesson file";
}

std::vector<std::string> experiment_ids() {
    std::vector<std::string> ids;
    for (const Preset<Pictures>& preset : presets<Pictures>()) ids.emplace_back(preset.id);
    for (const Preset<Texts>& preset : presets<Texts>()) ids.emplace_back(preset.id);
    return ids;
}

std::vector<std::string> export_formats() {
    std::vector<std::string> names = names_of_pictures();
    for (const std::string& name : names_of(table_format_names)) names.push_back(name);
    return names;
}

void add_beside(CLI::App& command, SnapshotOptions& o) {
    command.add_option("--beside", o.beside,
                       "Another image, drawn side by side with the first one, without its what-ifs");
    command.add_option("--beside-model", o.beside_model.path,
                       "Another model, drawn side by side: its folder, file or bundled name");
    add_source_words(command, o.beside_model, "beside-");
    command
        .add_option("--beside-what-if", o.beside_what_ifs, "What is changed in the run on the right, as for --what-if")
        ->delimiter(',');
    command.add_flag("--difference", o.difference, "Side by side: draw the difference of both runs as well");
}

/// Adds the options of the image and of its run.
void add_run(CLI::App& c, SnapshotOptions& o) {
    c.add_option("IMAGE", o.image, image_words);
    add_session(c, o.session);
    add_model(c, o.model);
    add_memory(c, o.model);
    add_colours(c, o.model);
    add_what_ifs(c, o.what_ifs);
}

/// Adds the options that choose block, head and token.
void add_cell(CLI::App& c, SnapshotOptions& o) {
    c.add_option("--block", o.block, "Block, from 1 (default: 1, or the one that the step opens on)");
    c.add_option("--head", o.head, "Head, from 0 (default: 0, or the one that the step opens on)");
    c.add_option("--token", o.token, "Query token, from 0, the class token")->capture_default_str();
}

void add_picture(CLI::App& command, int& times, bool& transparent, FigureLook& figure) {
    command
        .add_option("--times", times, "Pixels in the file for each pixel on the screen, 1 to 4: sharper, not smaller")
        ->check(CLI::Range(1, 4))
        ->capture_default_str();
    command.add_flag("--transparent", transparent, "Leave the background transparent, for slides");
    command.add_flag("--bare", figure.bare, "Draw the figure alone: no title, controls or frame");
    command.add_flag("--title", figure.title, "Draw the title above a bare figure, as on the screen");
    command.add_flag("--caption", figure.caption, "Add a line below a bare figure that says what it shows");
    command.add_flag("--outlines", figure.outlines, "In SVG, draw text as outlines, which need no font");
}

}  // namespace

void add_settings(CLI::App& command, std::vector<std::string>& settings) {
    std::string names;
    for (const std::string& name : focus_names()) names += (names.empty() ? "" : ", ") + name;
    command.add_option("--set", settings, "Comma-separated NAME=VALUE settings of the view; names: " + names)
        ->delimiter(',');
}

void add_snapshot(CLI::App& app, SnapshotOptions& o) {
    CLI::App& c =
        *app.add_subcommand("snapshot", "Draw a step as the window shows it, to a PNG file, without a display");
    add_run(c, o);
    add_beside(c, o);
    const auto [step, lab] = add_step_or_lab(c, o);
    CLI::Option* const exercise = c.add_option("--exercise", o.exercise, "Instead of a step: an exercise, not started")
                                      ->check(CLI::IsMember(names_of(exercise_names)))
                                      ->excludes(step)
                                      ->excludes(lab);
    c.add_flag("--solved", o.solved, "With --exercise: with the mistake repaired")->needs(exercise);
    c.add_option(
         "--chosen", o.chosen,
         "With --exercise, or a session that shows one: what was chosen, PREDICTION[,LINE[,REPAIR]], each from 0")
        ->delimiter(',')
        ->expected(1, 3)
        ->check(CLI::Range(0, 1000));
    CLI::Option* const text = c.add_option("--text", o.text,
                                           "Instead of a step: a chapter of the Text room, or an instrument of its "
                                           "laboratory")
                                  ->check(CLI::IsMember(text_places()))
                                  ->excludes(step)
                                  ->excludes(lab)
                                  ->excludes(exercise);
    c.add_option("--words", o.words, "With --text: the text typed there, instead of the first sample")->needs(text);
    add_settings(c, o.settings);
    c.add_option("--learn", o.learn, "Instead of a step: the Train room after this many seconds of training")
        ->check(CLI::Range(0.0, 3600.0))
        ->excludes(step)
        ->excludes(lab)
        ->excludes(exercise)
        ->excludes(text);
    c.add_option(
         "--run", o.runs,
         "With --learn, once or twice: what to train, such as deep,no-norm,no-skips; words: tiny, standard, deep, "
         "post-norm, no-norm, no-skips, no-positions, relu, elu, adamw, dropout, few (pictures), picturebook; or nets "
         "alone, the Vision Transformer against a convolutional net")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* const pair = c.add_option("--experiment", o.experiment, "With --learn: the two runs of an experiment")
                                  ->check(CLI::IsMember(experiment_ids()))
                                  ->needs("--learn")
                                  ->excludes("--run");
    c.add_option("--task", o.task, "With --learn: train a text Transformer for this task instead")
        ->check(CLI::IsMember(names_of(text_task_names)))
        ->needs("--learn")
        ->excludes("--run")
        ->excludes(pair);
    c.add_flag("--recorded", o.recorded, "With --experiment: show its recording, at the end")->needs(pair);
    add_cell(c, o);
    c.add_flag("--solo", o.solo, "Show the head alone, large");
    c.add_option("--size", o.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
    c.add_option("--scale", o.scale, "Size of type and controls (default: as in a window of this size)")
        ->check(CLI::Range(0.5, 12.0));
    c.add_option("--theme", o.theme, "dark or light (default: dark; light with --transparent, since slides are white)")
        ->check(CLI::IsMember({"dark", "light"}));
    c.add_option("--lang", o.language, "Language of the interface")
        ->check(CLI::IsMember(language_codes()))
        ->capture_default_str();
    c.add_flag("--lecture", o.lecture, "Show it as the audience of a lecture sees it");
    c.add_flag("--from-zero", o.from_zero, "Count from 0 in the picture's words; options count as always");
    c.add_option("--time", o.time, "Moment of the step's animation, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    c.add_option("--part", o.part, "Which part of the window")
        ->check(CLI::IsMember(window_parts()))
        ->capture_default_str();
    add_picture(c, o.times, o.transparent, o.figure);
    c.add_option("--out", o.out,
                 "The PNG file to write, or SVG if it ends in .svg: with real text, or with --outlines as shapes")
        ->required();
    add_force(c, o.force);
    add_threads(c, o.threads);
}

void add_describe(CLI::App& app, SnapshotOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "describe", "Print what a screen reader says of a step: title, sentence, equation, numbers, prediction");
    add_run(c, o);
    const auto [step, lab] = add_step_or_lab(c, o);
    CLI::Option* const text = c.add_option("--text", o.text, "Instead of a step: a chapter of the Text room")
                                  ->check(CLI::IsMember(names_of(text_chapter_names)))
                                  ->excludes(step)
                                  ->excludes(lab);
    c.add_option("--words", o.words, "With --text: the text typed there, instead of the first sample")->needs(text);
    add_settings(c, o.settings);
    add_cell(c, o);
    c.add_option("--lang", o.language, "Language of the text")
        ->check(CLI::IsMember(language_codes()))
        ->capture_default_str();
    c.add_flag("--from-zero", o.from_zero, "Count from 0 in the text; options count as always");
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
}

namespace {

/// The footer of the help of `export`: a line for each measure of the catalogues.
std::string measures_in_words() {
    std::string words = "Measures, with their shapes:";
    const auto add = [&](const auto& entry) {
        std::string line = "  " + std::string(entry.name) + " ";
        line.resize(std::max(line.size(), footer_names), ' ');
        words += "\n" + line + entry.shape + " " + entry.words;
    };
    for (const MeasureEntry& entry : measure_catalogue()) add(entry);
    words += "\nWith --over-all, of many images:";
    add(PairEntry{"pruning", "(L·h + 1)", "share of correct answers as heads are removed, least important first"});
    words += "\nWith --patch-from, --against or --against-model, of two runs:";
    for (const PairEntry& entry : pair_catalogue()) add(entry);
    words += "\nOf models with a text tower, beside all:";
    for (const WordsMeasure& entry : words_measures) add(entry);
    words += "\n\nMeasures of texts (--text), with their axes:";
    for (const TextMeasureEntry& e : text_measure_catalogue())
        words += "\n  " + e.name + std::string(e.name.size() < 18 ? 18 - e.name.size() : 0, ' ') + " (" + e.axes +
                 ") " + e.words;
    return words;
}

/// Groups the options added by `add` under a heading of the help.
template <class Add>
void grouped(CLI::App& command, const char* heading, Add add) {
    std::vector<CLI::Option*> before = command.get_options();
    add();
    for (CLI::Option* const option : command.get_options())
        if (std::ranges::find(before, option) == before.end() && !option->get_positional()) option->group(heading);
}

}  // namespace

void add_export(CLI::App& app, ExportOptions& o) {
    CLI::App& c = *app.add_subcommand("export", "Write measures of images as pictures or data, one file each");
    c.footer(measures_in_words());
    c.add_option("IMAGE", o.images, images_words);
    grouped(c, "What is computed", [&] {
        c.add_option("--what", o.measures,
                     "Comma-separated measures, listed below, or tensors by their names in a dump (block.2.q); all: "
                     "every measure")
            ->delimiter(',')
            ->required();
        add_model(c, o.model);
        add_memory(c, o.model);
        add_colours(c, o.model);
        add_what_ifs(c, o.what_ifs);
        add_session(c, o.session);
        add_settings(c, o.settings);
        CLI::Option* const from = c.add_option(
            "--patch-from", o.patch_from,
            "For --what patching: the image (with --text, the sentence) whose numbers replace the run's, one position "
            "at a time");
        c.add_option("--site", o.site,
                     "For --what patching: site to patch; " + listed(names_of(patch_site_names)) + ", before W_O")
            ->check(CLI::IsMember(names_of(patch_site_names)))
            ->capture_default_str();
        c.add_option("--ablate", o.ablate,
                     "For --what importance: replacement of a removed part; zero, or mean over the tokens")
            ->check(CLI::IsMember({"zero", "mean"}))
            ->capture_default_str();
        c.add_option("--ranking", o.ranking,
                     "For --what pruning: measure of a head's importance, removal or gradient; the least important "
                     "head is removed first")
            ->check(CLI::IsMember(names_of(head_ranking_names)))
            ->capture_default_str();
        c.add_option("--against", o.against,
                     "Another image: also write each measure's difference from its run, and cka between layers")
            ->excludes(from);
        c.add_option("--against-model", o.against_model, "Another model to compare with, alone or with --against")
            ->excludes(from);
        CLI::Option* const text = c.add_option("--text", o.task,
                                               "Read sentences instead of images, one a word of the command line or a "
                                               "line of a list, with the text Transformer of this task")
                                      ->check(CLI::IsMember(names_of(text_task_names)));
        c.add_option("--to", o.to, "With --text translate: ja from English, en from Japanese")
            ->check(CLI::IsMember(names_of(text_language_names)))
            ->capture_default_str()
            ->needs(text);
        for (const char* const of_images : {"--heads", "--image-size", "--labels", "--eps", "--memory", "--colour",
                                            "--what-if", "--session", "--set", "--against", "--against-model"})
            text->excludes(of_images);
        add_threads(c, o.threads);
    });
    grouped(c, "What is written", [&] {
        c.add_option("--out,-o", o.out,
                     "The folder to write to; created if it does not exist. One image writes OUT/MEASURE.npy; several, "
                     "a folder, a list or - write OUT/NAME/MEASURE.npy")
            ->required();
        c.add_option(
             "--format", o.format,
             "For numbers " + listed(names_of(table_format_names)) + ", for pictures " + listed(names_of_pictures()))
            ->check(CLI::IsMember(export_formats()))
            ->capture_default_str();
        c.add_flag("--each", o.each, "Write OUT/NAME/… for a single image, too");
        CLI::Option* const stack = c.add_flag(
            "--stack", o.stack,
            "Write one array for all images, OUT/MEASURE.npy, whose first axis is the image, and OUT/images.csv");
        CLI::Option* const resume =
            c.add_flag("--resume", o.resume,
                       "Keep the files of an earlier export of the same run, even a killed one; compute the rest");
        c.add_flag("--over-all", o.over_all,
                   "Write mean and standard deviation over all images instead, OUT/MEASURE_mean.npy and "
                   "OUT/MEASURE_sd.npy; a folder may have a subfolder for each class")
            ->excludes(stack)
            ->excludes(resume)
            ->excludes("--each");
        add_force(c, o.force,
                  "Also overwrite files that Vitrine did not write, and replace the measures of another run (another "
                  "model, image or setting) in the folder");
        c.add_flag("--json", o.json, "Print a JSON line for each image: its folder and files, or its error");
        add_quiet(c, o.quiet);
    });
    grouped(c, "Pictures", [&] {
        c.add_option("--size", o.size, "Size of the window from which pictures are cut, WIDTHxHEIGHT")
            ->capture_default_str();
        c.add_option("--theme", o.theme, "dark or light")
            ->check(CLI::IsMember({"dark", "light"}))
            ->capture_default_str();
        c.add_option("--lang", o.language, "Language of the words")
            ->check(CLI::IsMember(language_codes()))
            ->capture_default_str();
        add_picture(c, o.times, o.transparent, o.figure);
    });
}

void add_sweep(CLI::App& app, SweepOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "sweep",
        "Remove every head, MLP, block, patch or edge in turn; write all changes of the answer as one archive");
    c.add_option("IMAGE", o.images, images_words)->required();
    add_model(c, o.model);
    add_memory(c, o.model);
    add_colours(c, o.model);
    CLI::Option* const over = c.add_option("--over", o.over,
                                           "Parts to remove, one at a time: " + listed(names_of(swept_parts_names)) +
                                               "; edges are those from the token that the head reads, in one block")
                                  ->check(CLI::IsMember(names_of(swept_parts_names)));
    add_what_ifs(c, o.what_ifs);
    c.get_option("--what-if")
        ->description(
            "Instead of --over: comma-separated what-ifs, listed by vitrine trace --help, in which * means "
            "every number: head:*.*, mlp:*x0.5, edge:3.*:0:*")
        ->excludes(over);
    c.add_option("--ablate", o.ablate,
                 "Replacement of a part: zero; mean, over the tokens of the run (of a patch: the image's mean patch); "
                 "resample, its numbers in a run of another image of the list")
        ->check(CLI::IsMember(names_of(ablation_names)))
        ->capture_default_str();
    c.add_option("--mean-over", o.mean_over,
                 "With --ablate mean: a folder of images, over whose runs the mean is taken instead");
    c.add_option("--block", o.block, "With --over edges: the block (default: the last)")->check(above_zero());
    c.add_option("--seed", o.seed, "With --ablate resample: seed for drawing the other images")->capture_default_str();
    c.add_option("--out,-o", o.out, "The archive to write, FILE.npz")->required();
    c.add_flag("--resume", o.resume, "Continue a sweep of the same images and edits that was killed");
    add_force(c, o.force);
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_quiet(c, o.quiet);
}

void add_handout(CLI::App& app, HandoutOptions& o) {
    CLI::App& c = *app.add_subcommand("handout", "Write a lesson's pictures and words to one HTML file");
    c.add_option("LESSON", o.lesson, lesson_words())->required();
    add_model(c, o.model);
    add_memory(c, o.model);
    add_colours(c, o.model);
    c.add_option("--lang", o.language, "Language of the interface")
        ->check(CLI::IsMember(language_codes()))
        ->capture_default_str();
    c.add_option("--out", o.out, "The HTML file to write")->required();
    c.add_flag("--notes", o.notes, "Include the speaker's notes: for the lecturer, not for the audience");
    c.add_flag("--answers", o.answers, "Include the answers to the questions");
    add_force(c, o.force);
    add_threads(c, o.threads);
    add_quiet(c, o.quiet);
}

}  // namespace vitrine
