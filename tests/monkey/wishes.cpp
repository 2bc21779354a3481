#include "tests/monkey/wishes.h"

#include <sstream>

#include "app/chapters/step.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/rooms/room.h"
#include "app/ui/languages.h"
#include "app/workspace/focus_words.h"
#include "core/base/error.h"
#include "core/measures/catalogue.h"
#include "core/text/text_what_ifs.h"
#include "core/vit/model.h"
#include "core/vit/what_ifs.h"
#include "tests/small_model.h"

namespace vitrine::monkey {

namespace {

// ---- what is looked at --------------------------------------------------------------------------------------------

/// What a part of the focus may be, from what it says to nonsense.
std::string allowed(const std::string& name) {
    try {
        Focus focus;
        TextExperiment text;
        set_focus({focus, text}, {name, "\1"});
    } catch (const Error& error) {
        const std::string words = error.what();
        return words.substr(words.find("write ") + 6);
    }
    return "";
}

std::string number_like(const std::string& range, Dice& dice) {
    static constexpr const char* usual[] = {"0", "1", "2", "3", "7", "12", "64", "1000", "999999999", "-1", "none"};
    static constexpr const char* shares[] = {"0", "0.02", "0.25", "0.5", "1", "0.9", "1e-6", "1e6"};
    return range.find("whole") == std::string::npos && dice.chance(0.5) ? dice.one_of(shares) : dice.one_of(usual);
}

std::string any_value(const std::string& name, const Config& c, Dice& dice) {
    const auto number = [&](int count) { return std::to_string(dice.below(count)); };
    if (name == "block" || name == "lab.first_block" || name == "lab.last_block") return number(c.blocks + 2);
    if (name == "token" || name == "key") return number(c.tokens() + 1);
    if (name == "head") return number(c.heads + 1);
    if (name == "cell")
        return "block." + number(c.blocks + 2) + "." +
               dice.one_of(std::vector<std::string>{"q", "heads", "attention", "msa", "mlp.out"}) + ":" +
               number(c.heads + 1) + "." + number(c.tokens() + 1) + "." + number(c.tokens() + 1);
    if (name == "lab.picks")
        return std::to_string(dice.between(1, c.blocks)) + "." + number(c.heads) + "+1.0@" + number(c.tokens());
    const std::string words = allowed(name);
    if (words == "yes or no") return dice.chance(0.5) ? "yes" : "no";
    if (words.find(" to ") != std::string::npos || words.find("number") != std::string::npos)
        return number_like(words, dice);
    std::vector<std::string> names;
    std::istringstream list(words);
    for (std::string word; std::getline(list, word, ',');) names.push_back(word.substr(word.front() == ' ' ? 1 : 0));
    return names.empty() ? "" : dice.one_of(names);
}

Command look(Window&, const Config& c, Dice& dice) {
    static const std::vector<std::string> names = focus_names();
    std::vector<FocusWord> words;
    for (int i = dice.between(1, 3); i > 0; --i) {
        const std::string& name = dice.one_of(names);
        words.emplace_back(name, any_value(name, c, dice));
    }
    return command::Look{words};
}

// ---- what-ifs -----------------------------------------------------------------------------------------------------

std::string any_patches(const Config& c, Dice& dice) {
    const int first = dice.between(1, c.patches());
    const std::string alone = std::to_string(first);
    return dice.chance(0.5) ? alone : alone + "-" + std::to_string(dice.between(first, c.patches()));
}

std::string any_what_if(const Config& c, Dice& dice) {
    const WhatIf& row = dice.one_of(what_if_table());
    std::string word = row.name;
    const std::string block = std::to_string(dice.between(1, c.blocks));
    switch (row.argument) {
        case Argument::none: break;
        case Argument::head: word += ":" + block + "." + std::to_string(dice.below(c.heads)); break;
        case Argument::set_of_images:
        case Argument::patches: word += ":" + any_patches(c, dice); break;
        case Argument::block: word += ":" + block; break;
        case Argument::unit: word += ":" + block + "." + std::to_string(dice.below(c.mlp_dim)); break;
        case Argument::edge:
            word += ":" + block + (dice.chance(0.5) ? "." + std::to_string(dice.below(c.heads)) : "") + ":" +
                    std::to_string(dice.below(c.tokens())) + ":" + std::to_string(dice.below(c.tokens()));
            break;
        case Argument::noise: word += ":" + any_patches(c, dice) + ":0.5" + (dice.chance(0.5) ? ":7" : ""); break;
        case Argument::pair:
            if (c.patches() < 2) return "positions";  // no other patch to swap with
            word += ":1:" + std::to_string(dice.between(2, c.patches()));
            break;
        case Argument::direction:
            word += ":" + block + ":" + std::to_string(dice.below(c.tokens())) + ":" +
                    std::to_string(dice.below(c.tokens())) + ":0.5";
            break;
        case Argument::count: word += ":" + std::to_string(dice.below(5)); break;
        case Argument::grid: word += ":" + std::to_string(dice.between(1, c.grid_width())); break;
        case Argument::seed: word += ":" + std::to_string(dice.between(1, 99)); break;
        case Argument::number: word += dice.chance(0.5) ? ":0.01" : ":3.5"; break;
        case Argument::activation: word += dice.chance(0.5) ? ":relu" : ":elu"; break;
        default: break;  // of texts
    }
    if (row.scaled && dice.chance(0.3)) word += "x0.5";
    return row.any_block && dice.chance(0.5) ? word + "@" + block : word;
}

Command what_ifs(Window&, const Config& c, Dice& dice) {
    std::vector<Intervention> list;
    for (int i = dice.below(5); i > 0; --i) {
        const Intervention one = parse_intervention(any_what_if(c, dice), c);
        if (dice.chance(0.95))
            put(list, one);
        else
            list.push_back(one);  // as a recording may say
    }
    return command::SetWhatIfs{list};
}

// ---- text ---------------------------------------------------------------------------------------------------------

std::string any_text(Dice& dice) {
    static constexpr const char* texts[] = {
        "The animal didn't cross the street because it was too tired.",
        "it",
        "",
        " \n\t ",
        "the the the the the the the the the the the the the the the the the the the",
        "猫が眠りました。",
        "動物が疲れすぎていたので、動物はその通りを渡りませんでした。",
        "the movie was not good . i liked it",
        "Tom has a red hat. Amy saw the red",
        "zebra [PAD] [EOS] \"?!",
        "\xe3\x81 \xff \xf0\x9d\x95\x8f e\xcc\x81"};
    return dice.one_of(texts);
}

std::string any_text_what_if(Dice& dice) {
    const WhatIf& row = dice.one_of(text_what_if_table());
    const std::string attention = dice.one_of(text_attention_names).name;
    const std::string block = std::to_string(dice.between(1, 3)), head = std::to_string(dice.below(5));
    switch (row.argument) {
        case Argument::none: return row.name;
        case Argument::number: return row.name + std::string(dice.chance(0.5) ? ":0.01" : ":3.5");
        case Argument::stack_block: return row.name + std::string(":") + attention + "." + block;
        case Argument::attention_head: return row.name + std::string(":") + attention + "." + block + "." + head;
        case Argument::every_head: return row.name + std::string(":") + head;
        default: return "";  // of pictures
    }
}

Command read(Window&, const Config& c, Dice& dice) {
    std::vector<FocusWord> words;
    const auto add = [&](const char* name) { words.emplace_back(name, any_value(name, c, dice)); };
    switch (dice.below(6)) {
        case 0:
            words.emplace_back("text." + std::string(dice.one_of(text_place_names).name), any_text(dice));
            add("text.task");
            break;
        case 1: {
            std::string list;
            for (int i = dice.below(4); i > 0; --i) list += any_text_what_if(dice) + " ";
            words.emplace_back("text.what_ifs", list);
            break;
        }
        case 2: words.emplace_back("text.swap", std::to_string(dice.below(20)) + ":" + any_text(dice)); break;
        case 3:
            words.emplace_back("text.forced", dice.chance(0.3) ? "" : any_text(dice));
            add("text.method");
            add("text.width");
            break;
        case 4:
            for (const char* const name : {"text.block", "text.head", "text.source", "text.target", "text.feature"})
                add(name);
            break;
        default: add("text.chapter"); break;
    }
    return command::Look{words};
}

// ---- the others ---------------------------------------------------------------------------------------------------

/// A drawn picture's word, which says its set or leaves it to the model.
std::string any_sample(Dice& dice) {
    const Scenes scenes = dice.chance(0.5) ? Scenes::pictograms : Scenes::picturebook;
    const std::string name = dice.one_of(sample_names({.pairs = true, .scenes = scenes}));
    return dice.chance(0.3) ? std::string(name_of(scenes)) + ":" + name : name;
}

Command open(Window& w, const Config& c, Dice& dice) {
    switch (dice.below(6)) {
        case 0:
        case 1: return command::OpenImage{{any_sample(dice), {}}};
        case 2: return command::OpenImage{{any_sample(dice) + ":" + std::to_string(dice.below(99)) + ":easy:64", {}}};
        case 3: return command::OpenModel{small_model()};
        case 4:
            return command::OpenModel{
                {dice.one_of(w.zoo().models()), dice.chance(0.3) ? std::optional(c.heads) : std::nullopt}};
        default: return command::OpenLesson{dice.chance(0.1) ? "" : dice.one_of(bundled_lessons())};
    }
}

Command go(Window& w, const Config&, Dice& dice) {
    switch (dice.below(4)) {
        case 0: return command::EnterRoom{std::string(dice.one_of(rooms()).id)};
        case 1: return command::ShowDialog{dice.chance(0.3) ? "" : dice.one_of(w.app().context().dialogs)};
        default: return command::GoToChapter{std::string(dice.one_of(curriculum()).id)};
    }
}

Command settings(Window&, const Config&, Dice& dice) {
    const auto quoted = [](const std::string& word) { return "\"" + word + "\""; };
    const auto flag = [&] { return std::string(dice.chance(0.5) ? "true" : "false"); };
    switch (dice.below(12)) {
        case 0: return command::ChangeSettings{{{"language", quoted(dice.one_of(language_codes()))}}};
        case 1: return command::ChangeSettings{{{"scale", std::to_string(0.4 + 2.7 * dice.real())}}};
        case 2: return command::ChangeSettings{{{"english_terms", flag()}}};
        case 3: return command::ChangeSettings{{{"folded", "[\"words\",\"code\"]"}, {"answered", "[]"}}};
        case 4:
            return command::ChangeSettings{{{"presenter", flag()}, {"plays", flag()}, {"lesson", quoted("attention")}}};
        case 5: return command::ChangeSettings{{{"scale", "[]"}, {"no", "1"}, {"x", "1e300"}}};  // mean nothing
        case 6:
        case 7: return command::ChangeSettings{{{"motion", flag()}}};
        default: return command::ChangeSettings{{{"theme", quoted(dice.chance(0.5) ? "light" : "dark")}}};
    }
}

/// Text Transformers now and then: another task, another run, another text.
void change_texts(LearningState& state, Dice& dice) {
    if (dice.chance(0.3)) {
        const auto task = dice.below(4);
        state.choose_subject(task == 3 ? std::nullopt : std::optional(text_task_names[task].value));
    }
    TextLearningState& text = state.text;
    TextChoice& c = text.choices[static_cast<std::size_t>(dice.below(2))];
    c.norm = dice.one_of(std::vector<Norm>{Norm::before, Norm::after, Norm::none});
    c.causal = dice.chance(0.8);
    c.heads = dice.chance(0.5) ? 1 : 8;
    c.blocks = dice.between(1, 3);
    c.sentences = dice.chance(0.5) ? 64 : 6400;
    text.two = dice.chance(0.3);
    text.own = dice.chance(0.7);
    text.pace = dice.one_of(std::vector<float>{0, 2, 40});
    if (dice.chance(0.3))
        text.type(dice.one_of(std::vector<std::string>{"", "the cat", "zebra \xe3\x81", "猫 は [PAD]"}));
    text.sample = dice.below(14);
}

Command learn(Window& w, const Config&, Dice& dice) {
    static constexpr const char* runs[] = {"plain",      "dropout",   "skips",     "norms",       "wiring",
                                           "activation", "positions", "optimiser", "nets",        "translate",
                                           "sentiment",  "story",     "mask",      "story_blocks"};
    switch (dice.below(6)) {
        case 5: return command::LearnOwnPictures{w.zoo().home()};
        case 0: return command::WatchLearning{dice.one_of(runs)};
        case 1: return command::OpenLearned{dice.between(-1, 2)};
        case 2: return command::SaveLearned{dice.between(-1, 2)};
        default: break;
    }
    LearningState state = w.app().state().learning;
    LearningChoice& c = state.choices[static_cast<std::size_t>(dice.below(2))];
    c.scenes = dice.chance(0.5) ? Scenes::pictograms : Scenes::picturebook;
    c.patch = dice.chance(0.5) ? 4 : 8;
    c.size = dice.chance(0.8) ? LearningSize::tiny : LearningSize::deep;
    c.norm = dice.one_of(std::vector<Norm>{Norm::before, Norm::after, Norm::none});
    c.dropout = dice.chance(0.5) ? 0 : 0.5F;
    c.batch = dice.chance(0.5) ? 1 : 16;
    c.distinct = dice.chance(0.5) ? 0 : 64;
    c.pictures = dice.chance(0.5) ? 0 : 500;
    state.study = dice.chance(0.1);
    state.two = dice.chance(0.5);
    state.edited = dice.below(2);
    state.block = dice.below(14);
    state.head = dice.chance(0.5) ? std::optional(dice.below(6)) : std::nullopt;
    state.scrub = dice.chance(0.5) ? std::optional(dice.real()) : std::nullopt;
    change_texts(state, dice);
    return command::ChangeLearning{to_json(state)};
}

Command lecture(Window&, const Config&, Dice& dice) {
    static constexpr const char* changes[] = {"title", "notes",  "minutes",   "view",
                                              "move",  "remove", "take_back", "nose"};
    switch (dice.below(6)) {
        case 5: return command::ChangeLesson{dice.one_of(changes), dice.below(9) - 1, dice.chance(0.5) ? "-2" : "1.5"};
        case 0: return command::SetNotes{"tour:1", "words\nand\tmore é"};
        case 1: return command::MoveTime{dice.real() * 1.2F - 0.1F, dice.chance(0.5)};
        case 2: return command::ChooseDrawing{any_sample(dice) + ":" + std::to_string(dice.below(9)) + ":hard:64"};
        default: return command::MovePen{{dice.real() * 1.2F - 0.1F, dice.real()}, dice.chance(0.2), 1.6F};
    }
}

}  // namespace

Command any_command(Window& w, Dice& dice) {
    using Make = Command (*)(Window&, const Config&, Dice&);
    static constexpr Make makes[] = {look, look, look, look,     what_ifs, what_ifs, read,
                                     open, go,   go,   settings, learn,    lecture,  read};
    static const Config bundled = open_model(small_model())->config;
    const Result* const result = w.app().context().result();
    return dice.one_of(makes)(w, result != nullptr ? result->model->config : bundled, dice);
}

std::vector<Command> way_to(Window& w, const std::string& place) {
    const bool of_text = place == "learn.text";
    const std::string room = of_text ? "learn" : place;
    std::vector<Command> way;
    if (w.app().state().room != room) way.push_back(command::EnterRoom{room});
    LearningState state = w.app().state().learning;
    if (of_text && !state.texts) {
        state.choose_subject(TextTask::translate);
        way.push_back(command::ChangeLearning{to_json(state)});
    }
    return way;
}

Command any_export(Window&, Dice& dice) {
    static constexpr const char* parts[] = {"window", "stage", "map", "explanation"};
    switch (dice.below(4)) {
        case 0: return command::ExportPicture{dice.one_of(parts), "png", 1, dice.chance(0.3)};
        case 1: return command::ExportNumbers{{measure_catalogue().front().name}, dice.chance(0.5) ? "csv" : "npy"};
        case 2: return command::WriteHandout{dice.one_of(bundled_lessons())};
        default: return command::ExportPicture{dice.one_of(parts), "svg", 1, dice.chance(0.3)};
    }
}

}  // namespace vitrine::monkey
