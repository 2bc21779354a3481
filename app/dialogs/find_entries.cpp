#include "app/dialogs/find_entries.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/chapters/step.h"
#include "app/frame/language.h"
#include "app/lecture/lecture.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/library/references.h"
#include "app/library/samples.h"
#include "app/platform/embedded.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/glossary.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/workspace/command.h"
#include "app/workspace/recent.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/text/text_samples.h"
#include "core/training/presets.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

/// The texts of all languages, cached.
const std::map<std::string, Text>& all_words() {
    static const std::map<std::string, Text> all = [] {
        std::map<std::string, Text> texts;
        for (const std::string& code : language_codes()) texts.emplace(code, load_text(code));
        return texts;
    }();
    return all;
}

using Synonyms = std::map<std::string, std::vector<std::string>>;

/// Synonyms by id, from assets/synonyms/<language>.json where it exists.
const std::vector<Synonyms>& all_synonyms() {
    static const std::vector<Synonyms> all = [] {
        std::vector<Synonyms> list;
        for (const Embedded& file : assets())
            if (file.name.starts_with("synonyms/")) list.push_back(nlohmann::json::parse(file.text()).get<Synonyms>());
        return list;
    }();
    return all;
}

Command look_at(const char* part, const std::string& value) { return command::Look{{{part, value}}}; }

/// The room that the commands open; empty if they stay in the open one.
std::string room_of(const std::vector<Command>& commands) {
    for (const Command& command : commands) {
        if (const auto* enter = std::get_if<command::EnterRoom>(&command)) return enter->id;
        if (std::holds_alternative<command::GoToChapter>(command)) return std::string(rooms().front().id);
        if (std::holds_alternative<command::WatchLearning>(command))
            for (const Room& room : rooms())
                if (answers_of(room.id).work.learning != nullptr) return std::string(room.id);
    }
    return {};
}

/// Collects entries with their names in all languages.
class Entries {
public:
    explicit Entries(const Frame& frame) : frame_(frame) {}

    /// An entry named by a text in every language, with `values` for its placeholders.
    using Values = std::initializer_list<std::pair<std::string_view, std::string>>;
    FindEntry& add(const std::string& id, const char* kind, const std::string& text, std::vector<Command> commands,
                   Values values = {}) {
        FindEntry& entry = add_named(id, kind, frame_.ui.text(text, values), std::move(commands));
        for (const auto& [code, words] : all_words())
            if (words.has(text)) entry.phrases.emplace_back(words(text, values), SearchField::other_name);
        return entry;
    }

    /// An entry with the same name in all languages.
    FindEntry& add_named(const std::string& id, const char* kind, const std::string& words,
                         std::vector<Command> commands) {
        list_.push_back({.id = id, .kind = kind, .words = words, .commands = std::move(commands)});
        FindEntry& entry = list_.back();
        entry.room = room_of(entry.commands);
        entry.phrases.emplace_back(words, SearchField::name);
        const std::string kind_text = "find.kind." + std::string(kind);
        for (const auto& [code, texts] : all_words()) entry.phrases.emplace_back(texts(kind_text), SearchField::kind);
        if (!entry.room.empty()) add_phrases(entry, "command.room." + entry.room, SearchField::kind);
        for (const Synonyms& synonyms : all_synonyms())
            if (const auto found = synonyms.find(id); found != synonyms.end())
                for (const std::string& word : found->second) entry.phrases.emplace_back(word, SearchField::synonym);
        return entry;
    }

    /// Sets the part of the room to which an entry belongs; `text` is the key of that part's name.
    FindEntry& within(FindEntry& entry, const std::string& text) {
        entry.within = frame_.ui.text(text);
        add_phrases(entry, text, SearchField::kind);
        return entry;
    }

    /// The entry of an id; null if there is none.
    FindEntry* find(const std::string& id) {
        const auto found = std::ranges::find(list_, id, &FindEntry::id);
        return found == list_.end() ? nullptr : &*found;
    }

    /// Adds a text to an entry as search phrase, in every language.
    static void add_phrases(FindEntry& entry, const std::string& text, SearchField field = SearchField::words) {
        for (const auto& [code, words] : all_words())
            if (words.has(text)) entry.phrases.emplace_back(words(text), field);
    }

    std::vector<FindEntry> take() { return std::move(list_); }
    const Frame& frame() const { return frame_; }

private:
    const Frame& frame_;
    std::vector<FindEntry> list_;
};

void add_steps(Entries& all) {
    for (const Step& step : curriculum()) {
        const std::string id = "step." + std::string(step.id);
        Entries::add_phrases(
            all.add(id, "step", id + ".title", {command::GoToChapter{std::string(step.id)}, command::Do{"panel.top"}}),
            id + ".sentence");
    }
}

/// Chapters, instruments and samples of the Text room.
void add_texts(Entries& all) {
    for (const Named<TextChapter>& row : text_chapter_names) {
        const std::string id = "text." + std::string(row.name);
        FindEntry& entry = all.add(id, "step", id + ".title",
                                   {command::Look{{{"text.chapter", row.name}, {"text.lab", "no"}}},
                                    command::EnterRoom{"text"}, command::Do{"panel.top"}});
        Entries::add_phrases(entry, id + ".sentence");
    }
    for (const Named<TextInstrument>& row : text_instrument_names) {
        const std::string id = "text.lab." + std::string(row.name);
        FindEntry& entry = all.add(id, "instrument", id + ".title",
                                   {command::Look{{{"text.lab", "yes"}, {"text.instrument", row.name}}},
                                    command::EnterRoom{"text"}, command::Do{"panel.top"}});
        Entries::add_phrases(entry, "text.lab.tab." + std::string(row.name), SearchField::other_name);
        Entries::add_phrases(entry, id + ".sentence");
    }
    for (const Named<TextPlace>& place : text_place_names) {
        const TextTask task = place.value == TextPlace::review  ? TextTask::sentiment
                              : place.value == TextPlace::story ? TextTask::story
                                                                : TextTask::translate;
        const TextLanguage to = place.value == TextPlace::to_english ? TextLanguage::english : TextLanguage::japanese;
        TextExperiment experiment = all.frame().text_experiment;
        TextLook look = all.frame().selection.focus.text;
        TextDraft{experiment, look}.choose(task, to);
        for (const TextSample& sample : text_samples(task, to))
            all.add_named("text.sample." + std::string(place.name) + "." + sample.name, "sentence", sample.source,
                          {command::Look{{{"text.chapter", name_of(look.chapter)},
                                          {"text.task", name_of(task)},
                                          {"text.to", name_of(to)},
                                          {"text." + std::string(place.name), sample.source},
                                          {"text.forced", ""},
                                          {"text.swap", "none"},
                                          {"text.source", "-1"},
                                          {"text.target", "-1"}}},
                           command::EnterRoom{"text"}});
    }
}

void add_instruments(Entries& all) {
    for (const Named<Instrument>& row : instrument_names) {
        const std::string name = row.name, id = "lab." + name;
        FindEntry& entry = all.add(id, "instrument", id + ".title", in_laboratory({{"lab.instrument", name}}));
        Entries::add_phrases(entry, "lab.tab." + name, SearchField::other_name);
        Entries::add_phrases(entry, id + ".sentence");
    }
    for (const Named<DepthMethod>& row : depth_method_names)
        all.within(all.add("lab." + std::string(row.name), "measure", "lab.method." + std::string(row.name),
                           in_laboratory({{"lab.instrument", "depth"}, {"lab.method", row.name}})),
                   "lab.tab.depth");
    for (const Named<TokenFigure>& row : token_figure_names)
        all.within(all.add("lab.tokens." + std::string(row.name), "measure", "lab.figure." + std::string(row.name),
                           in_laboratory({{"lab.instrument", "tokens"}, {"lab.figure", row.name}})),
                   "lab.tab.tokens");
    for (const Named<CauseFigure>& row : cause_figure_names)
        all.within(all.add("lab.causes." + std::string(row.name), "measure", "lab.cause." + std::string(row.name),
                           in_laboratory({{"lab.instrument", "causes"}, {"lab.cause", row.name}})),
                   "lab.tab.causes");
    for (const HeadStatistic& row : head_statistics_table()) {
        const std::string id = "statistic." + std::string(row.name);
        FindEntry& entry =
            all.add(id, "measure", id, in_laboratory({{"lab.instrument", "statistics"}, {"lab.statistic", row.name}}));
        all.within(entry, "lab.tab.statistics");
        Entries::add_phrases(entry, id + "_axis");
    }
}

/// Measures of `vitrine export` are found by name with the instrument that draws them; those without one lead to the
/// export dialog.
void add_measures(Entries& all) {
    static const std::map<std::string, std::string> drawn_by = {
        {"lens", "lab.lens"},
        {"lens_tokens", "lab.lens"},
        {"ledger", "lab.ledger"},
        {"occlusion", "lab.occlusion"},
        {"token_similarity", "lab.tokens.similarity"},
        {"importance_mlp", "lab.causes.importance"},
        {"importance_gradient", "lab.causes.importance"},
        {"perturbation_area", "lab.causes.perturbation"},
    };
    for (const MeasureEntry& row : measure_catalogue()) {
        const std::string name = row.name;
        const auto found = drawn_by.find(name);
        FindEntry* entry = found != drawn_by.end() ? all.find(found->second) : nullptr;
        for (const char* const place : {"lab.", "lab.tokens.", "lab.causes.", "statistic."})
            if (entry == nullptr) entry = all.find(place + name);
        if (entry == nullptr)
            entry = &all.add_named("measure." + name, "export", name, {command::ShowDialog{"take_away"}});
        entry->phrases.emplace_back(name, SearchField::other_name);
        entry->phrases.emplace_back(row.words, SearchField::words);
    }
}

void add_pictures_and_models(Entries& all) {
    for (const std::string& name : sample_names(all.frame().workspace.pictures()))
        all.add("sample." + name, "sample", "class." + name, {command::OpenImage{{name, {}}}});
    for (const BundledModel& model : bundled_models()) {
        const std::string name = "model." + std::string(model.name);
        Entries::add_phrases(all.add(name, "model", name, {command::OpenModel{source_of(model)}}), name + "_tip");
    }
}

void add_lessons_and_exercises(Entries& all) {
    for (const std::string& source : bundled_lessons()) {
        const Lesson lesson = load_lesson(source);
        const std::string& language = all.frame().state().settings.language;
        FindEntry& entry =
            all.add_named("lesson." + source, "lesson", lesson.title_in(language), {command::OpenLesson{source}});
        for (const std::string& code : language_codes())
            entry.phrases.emplace_back(lesson.title_in(code), SearchField::other_name);
    }
    for (const Named<Exercise>& row : exercise_names) {
        const std::string id = "exercise." + std::string(row.name);
        Entries::add_phrases(all.add(id, "exercise", id + ".title",
                                     {command::Look{{{"exercise", row.name}}}, command::EnterRoom{"exercise"}}),
                             id + ".task");
    }
}

/// Experiments: pairs of runs in training.
void add_experiments(Entries& all) {
    const auto add = [&](const std::string& id, const std::string& subject) {
        all.within(all.add("experiment." + id, "experiment", "learn.experiment." + id, {command::WatchLearning{id}}),
                   "learn.subject." + subject);
    };
    for (const Preset<Pictures>& preset : presets<Pictures>()) add(preset.id, "pictures");
    for (const Preset<Texts>& preset : presets<Texts>()) add(preset.id, name_of(preset.a.task));
}

void add_commands(Entries& all) {
    for (const CommandRow& row : all.frame().panel.table.rows()) {
        if (!row.found) continue;
        const std::string id = "command." + row.id;
        const bool setting = row.id.starts_with("setting.");
        FindEntry& entry = all.add(id, setting ? "setting" : "command", id, {command::Do{row.id}});
        entry.row = &row;
        for (const Chord& chord : row.keys) entry.phrases.emplace_back(chord_words(chord), SearchField::synonym);
        if (!row.keys.empty()) entry.key = chord_words(row.keys.front());
        if (*row.help != '\0') Entries::add_phrases(entry, row.help);
    }
    for (const Language& language : languages()) {
        FindEntry& entry = all.add_named("language." + language.code, "setting", language.name,
                                         {command::ChangeSettings{{{"language", '"' + language.code + '"'}}}});
        Entries::add_phrases(entry, "language.title", SearchField::kind);
    }
}

/// What-ifs for all blocks, each with the first chapter that offers it.
void add_what_ifs(Entries& all) {
    const Frame& frame = all.frame();
    const auto& result = frame.shown().result;
    if (!result) return;
    const Config& config = result->model->config;
    for (const Step& step : curriculum()) {
        if (step.switches == nullptr) continue;
        for (const Intervention& i : step.switches(*result, frame.selection.focus)) {
            const std::string word = to_word(i, config), id = "what_if." + word;
            if (i.where.block || all.find(id) != nullptr) continue;
            FindEntry& entry = all.add_named(id, "what_if", change_name(frame.ui, config, i),
                                             {command::GoToChapter{std::string(step.id)}});
            entry.what_if = word;
            all.within(entry, "step." + std::string(step.id) + ".title");
        }
    }
}

void add_words_and_papers(Entries& all) {
    for (const GlossaryTerm& term : glossary(all.frame().ui.text)) {
        const std::string id = "glossary." + term.id;
        Entries::add_phrases(all.add(id, "glossary", id, {command::LookUp{"glossary", term.term}}), id + ".words");
    }
    for (const Reference& r : references()) {
        FindEntry& entry = all.add_named("reference." + r.id, "reference", citation_of(r) + " · " + r.title,
                                         {command::LookUp{"references", r.title}});
        for (const std::string& author : r.authors) entry.phrases.emplace_back(author, SearchField::synonym);
        entry.phrases.emplace_back(identifier_of(r) + " " + r.venue, SearchField::words);
    }
}

void add_recent(Entries& all) {
    const Recents& recents = all.frame().state().recents;
    const auto add = [&](const std::filesystem::path& file, Command command) {
        const bool model = std::holds_alternative<command::OpenModel>(command);
        const std::string name = model ? name_of_checkpoint(file) : file.filename().string();
        FindEntry& entry = all.add_named("recent." + file.string(), "recent", name, {std::move(command)});
        entry.phrases.emplace_back(file.string(), SearchField::words);
    };
    for (const auto& file : recents.images) add(file, command::OpenImage{{{}, file}});
    for (const auto& file : recents.models) add(file, command::OpenModel{{file, {}}});
    for (const LessonRow& lesson : recents.lessons) add(lesson.source, command::OpenLesson{lesson.source});
    for (const KeptSession& session : recents.sessions) add(session.file, command::OpenSession{session.file});
}

/// Blocks, heads and tokens of the shown run.
void add_parts(Entries& all) {
    const auto& result = all.frame().shown().result;
    if (!result) return;
    const Config& c = result->model->config;
    const Ui& ui = all.frame().ui;
    const auto add = [&](const char* part, int i, int place) {
        const std::string value = std::to_string(i), text = "find." + std::string(part);
        all.add(std::string(part) + "." + value, "part", text, {look_at(part, value)}, {{part, ui.ordinal(place)}});
    };
    for (int b = 1; b <= c.blocks; ++b) add("block", b, b - 1);
    for (int h = 0; h < c.heads; ++h) add("head", h, h);
    for (int t = 0; t < c.tokens(); ++t)
        all.add("token." + std::to_string(t), "part", "find.token", {look_at("token", std::to_string(t))},
                {{"name", token_name(ui, *result, t)}});
}

}  // namespace

std::vector<FindEntry> find_entries(const Frame& frame) {
    Entries all(frame);
    add_steps(all);
    add_instruments(all);
    add_texts(all);
    add_pictures_and_models(all);
    add_commands(all);
    add_what_ifs(all);
    add_lessons_and_exercises(all);
    add_experiments(all);
    add_words_and_papers(all);
    add_measures(all);
    add_recent(all);
    add_parts(all);
    return all.take();
}

SearchIndex index_of(const std::vector<FindEntry>& entries) {
    SearchIndex index;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        for (const auto& [phrase, field] : entries[i].phrases) index.add(i, phrase, field);
        const std::string& kind = entries[i].kind;
        index.weigh(i, kind == "reference" ? 0.8 : kind == "glossary" ? 0.9 : 1);
    }
    return index;
}

std::vector<Command> commands_of(const FindEntry& entry, const Frame& frame) {
    std::vector<Command> commands = entry.commands;
    if (entry.what_if.empty()) return commands;
    WhatIfs all = frame.workspace.experiment.what_ifs;
    put(all, parse_intervention(entry.what_if, frame.workspace.config()));
    commands.emplace_back(command::SetWhatIfs{std::move(all)});
    return commands;
}

FindStamp find_stamp(const Frame& frame) {
    FindStamp stamp{frame.ui.text.stamp(),
                    frame.state().settings.count_from,
                    frame.shown().result ? frame.shown().result->model.get() : nullptr,
                    frame.selection.focus.text.chapter,
                    {}};
    const Recents& recents = frame.state().recents;
    for (const auto* const files : {&recents.images, &recents.models})
        for (const auto& file : *files) stamp.recent.push_back(file.string());
    for (const LessonRow& lesson : recents.lessons) stamp.recent.push_back(lesson.source);
    for (const KeptSession& session : recents.sessions) stamp.recent.push_back(session.file.string());
    return stamp;
}

}  // namespace vitrine
