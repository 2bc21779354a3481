#include "app/lecture/lesson.h"

#include <algorithm>
#include <array>
#include <functional>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/embedded.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/languages.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/files/image.h"
#include "core/vit/what_ifs.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr std::string_view keys =
    "step, lab, learn, exercise, text, image, beside, beside-model, beside-what-if, block, head, token, key, solo, "
    "set, what-if, minutes, title, "
    "question, "
    "choice, answer or notes; below runs that learn also recorded, below a text task, to, sentence, sample, written "
    "and swap";
constexpr float most_minutes = 600;
constexpr std::array<std::string_view, 5> stop_words = {"notes", "title", "question", "choice",
                                                        "answer"};  // with a language as suffix

const Places& places_of(const LessonStop& stop) { return answers_of(stop.room).places; }

// Parts of the focus with keywords of their own, not allowed in "set".
constexpr std::array has_own_word = {
    "block",        "head",       "token",       "key",           "solo",      "exercise",         "lab.instrument",
    "text.chapter", "text.task",  "text.to",     "text.block",    "text.head", "text.to_japanese", "text.to_english",
    "text.review",  "text.story", "text.forced", "text.what_ifs", "text.swap"};

// Words allowed instead of an index, for a part of the run with this role.
constexpr const char *decisive = "decisive", *heaviest = "heaviest";

std::string trimmed(std::string_view words) {
    const std::size_t first = words.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string(words.substr(first, words.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split_list(const std::string& words) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (start <= words.size()) {
        const std::size_t comma = std::min(words.find(',', start), words.size());
        if (std::string part = trimmed(std::string_view(words).substr(start, comma - start)); !part.empty())
            parts.push_back(std::move(part));
        start = comma + 1;
    }
    return parts;
}

/// Reads line by line; an indented line continues the text above it, as a new line if it begins with a mark.
class Reader {
public:
    Reader(const std::string& name, std::filesystem::path folder) : name_(name), folder_(std::move(folder)) {}

    Lesson read(std::string_view text) {
        constexpr std::string_view mark = "\xEF\xBB\xBF";  // byte order mark, added by some editors
        if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++line_;
            read_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (lesson_.title.empty()) throw Error(name_ + ": the lesson has no title; start it with a line \"lesson: …\"");
        if (lesson_.stops.empty()) throw Error(name_ + ": the lesson has no steps; add a line \"step: attention\"");
        check_choices();
        return std::move(lesson_);
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(name_ + ":" + std::to_string(line_) + ": " + why);
    }

    void read_line(std::string_view line) {
        const std::string words = trimmed(line);
        if (words.empty() || words.front() == '#') {
            continued_ = nullptr;
            return;
        }
        if (line.front() == ' ' || line.front() == '\t') {
            if (continued_ == nullptr) refuse("this line is indented but continues nothing; begin it at the margin");
            const bool own = words == own_line || words.starts_with(std::string(own_line) + " ");
            const bool joins = !own && !continued_->empty() && continued_->back() != '\n';
            *continued_ +=
                own ? "\n" + trimmed(std::string_view(words).substr(own_line.size())) : (joins ? " " : "") + words;
            return;
        }
        continued_ = nullptr;
        const std::size_t colon = words.find(':');
        if (colon == std::string::npos) refuse("write \"key: words\", where key is " + std::string(keys));
        std::string key = trimmed(words.substr(0, colon)), language;
        if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
            language = key.substr(dot + 1);
            key.resize(dot);
            if (!is_language(language))
                refuse("\"" + language + "\" is not a language of Vitrine; write " + language_list());
            const bool words_of_a_stop = std::ranges::find(stop_words, key) != stop_words.end();
            if (key != "lesson" && !words_of_a_stop) refuse("\"" + key + "\" has no languages; write \"" + key + ":\"");
        }
        take(key, language, trimmed(words.substr(colon + 1)));
    }

    void take(const std::string& key, const std::string& language, const std::string& value) {
        if (key == "lesson") {
            lesson_.title[language] = value;
            continued_ = &lesson_.title[language];
            return;
        }
        for (const Room& room : rooms())
            if (const char* const word = answers_of(room.id).places.word; word != nullptr && key == word)
                return begin_stop(room, value);
        if (lesson_.stops.empty()) refuse("\"" + key + "\" comes before the first \"step:\"; move it below");
        LessonStop& stop = lesson_.stops.back();
        if (takes_own_line(stop, key, value)) return;
        if (std::map<std::string, std::string>* const said = words_of(stop, key)) {
            (*said)[language] = value;
            continued_ = &(*said)[language];
        } else if (key == "choice") {
            add_choice(stop.choices[language], value);
        } else if (key == "image") {
            stop.image = image(value);
        } else if (key.starts_with("beside")) {
            take_beside(stop, key, value);
        } else if (key == "solo") {
            stop.solo = yes_or_no(key, value);
        } else if (key == "recorded") {
            stop.recorded = yes_or_no(key, value);
            if (const auto recorded = places_of(stop).is_recorded; recorded == nullptr || !recorded(stop.id))
                refuse("there is no recording of \"" + stop.id + "\"; recorded goes below experiments of \"learn:\"");
        } else if (key == "set") {
            for (const std::string& word : split_list(value)) set(stop, word);
        } else if (key == "what-if") {
            stop.what_ifs = split_list(value);
            stop.roles.without = std::erase(stop.what_ifs, std::string("head:") + decisive) > 0;
        } else if (key == "minutes") {
            stop.minutes = minutes(value);
        } else if (key == "head" && value == decisive) {
            stop.roles.look = true;
        } else if (key == "key" && value == heaviest) {
            stop.roles.key = true;
        } else if (std::optional<int>* const number = number_of(stop, key)) {
            *number = whole_number(key, value);
        } else {
            refuse("\"" + key + "\" is not a word of a lesson; write " + std::string(keys));
        }
    }

    /// Takes a difference of the run in the right half.
    void take_beside(LessonStop& stop, const std::string& key, const std::string& value) const {
        const RoomAnswers& room = answers_of(stop.room);
        if (!room.around.halves || room.work.run == nullptr)
            refuse(key + " shows a second run at a step or an instrument; move it to one");
        StopBeside beside = stop.beside.value_or(StopBeside());
        if (key == "beside")
            beside.image = image(value);
        else if (key == "beside-model")
            beside.model = model(value);
        else if (key == "beside-what-if")
            beside.what_ifs = split_list(value);
        else
            refuse("\"" + key + "\" is not a word of a lesson; write " + std::string(keys));
        stop.beside = std::move(beside);
    }

    /// Adds a choice of the question; the correct one begins with `right_choice`.
    void add_choice(std::vector<LessonChoice>& choices, const std::string& value) {
        if (choices.size() == most_choices)
            refuse("a question has at most " + std::to_string(most_choices) + " choices; leave one out");
        LessonChoice choice;
        choice.right = value.starts_with(right_choice);
        choice.words = trimmed(std::string_view(value).substr(choice.right ? right_choice.size() : 0));
        if (choice.words.empty()) refuse("write the words of this choice after \"choice:\"");
        for (const LessonChoice& other : choices)
            if (choice.right && other.right)
                refuse("another choice is marked as the right one; mark one of them with \"" +
                       std::string(right_choice) + "\"");
        choices.push_back(std::move(choice));
        continued_ = &choices.back().words;
    }

    /// Throws Error if a list of choices has no correct one.
    void check_choices() const {
        for (const LessonStop& stop : lesson_.stops)
            for (const auto& [language, choices] : stop.choices)
                if (std::ranges::none_of(choices, &LessonChoice::right))
                    throw Error(name_ + ":" + std::to_string(stop.line) +
                                ": no choice of this stop is the right one; begin its words with \"" +
                                std::string(right_choice) + "\"");
    }

    bool takes_own_line(LessonStop& stop, const std::string& key, const std::string& value) const {
        const auto take_line = places_of(stop).take_line;
        if (take_line == nullptr) {
            if (is_word_of_text_stops(key)) refuse("\"" + key + "\" has a meaning only below a line \"text: …\"");
            return false;
        }
        try {
            return take_line(stop, key, value);
        } catch (const Error& error) {
            refuse(error.what());
        }
    }

    void begin_stop(const Room& room, const std::string& id) {
        const Places& places = answers_of(room.id).places;
        const std::vector<std::string> all = places.all();
        if (std::find(all.begin(), all.end(), id) == all.end())
            refuse("there is no " + std::string(places.what) + " \"" + id + "\"; write " + listed(all));
        Focus there;
        there.step = lesson_.stops.empty() ? 0 : lesson_.stops.back().step;
        TextExperiment texts;
        if (places.look != nullptr) places.look(id, {there, texts});
        LessonStop stop;
        stop.room = room.id;
        stop.id = id;
        stop.step = there.step;
        stop.line = line_;
        lesson_.stops.push_back(std::move(stop));
    }

    /// "defaults", or a part of the focus as for `--set`.
    void set(LessonStop& stop, const std::string& word) const {
        if (word == "defaults") {
            stop.defaults = true;
            return;
        }
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) refuse("set is \"defaults\" or \"name=value\", not \"" + word + "\"");
        FocusWord part{trimmed(word.substr(0, equals)), trimmed(word.substr(equals + 1))};
        if (has_line_of_its_own(part.first))
            refuse("\"" + part.first + "\" has its own line; set is only for what has none");
        try {
            Focus anywhere;
            TextExperiment any_text;
            set_focus({anywhere, any_text}, part);
        } catch (const Error& error) {
            refuse(error.what());
        }
        stop.set.push_back(std::move(part));
    }

    bool yes_or_no(const std::string& key, const std::string& value) const {
        if (value != "yes" && value != "no") refuse(key + " must be yes or no, not \"" + value + "\"");
        return value == "yes";
    }

    float minutes(const std::string& value) const {
        const std::optional<float> number = number_from<float>(value);
        if (!number || !(*number > 0 && *number <= most_minutes))
            refuse("minutes must be a number above 0, such as 1.5, not \"" + value + "\"");
        return *number;
    }

    static std::map<std::string, std::string>* words_of(LessonStop& stop, const std::string& key) {
        if (key == "notes") return &stop.notes;
        if (key == "title") return &stop.title;
        if (key == "question") return &stop.question;
        if (key == "answer") return &stop.answer;
        return nullptr;
    }

    static std::optional<int>* number_of(LessonStop& stop, const std::string& key) {
        if (key == "block") return &stop.block;
        if (key == "head") return &stop.head;
        if (key == "token") return &stop.token;
        if (key == "key") return &stop.key;
        return nullptr;
    }

    int whole_number(const std::string& key, const std::string& value) const {
        const std::optional<int> number = number_from<int>(value);
        if (!number || *number < 0) refuse(key + " must be a whole number, not \"" + value + "\"");
        return *number;
    }

    /// A sample's name, or a file relative to the lesson.
    ImageSource image(const std::string& value) const {
        if (is_sample(value)) return {value, {}};
        const std::filesystem::path path = folder_ / value;
        std::error_code unreachable;  // a name too long or a loop of links also counts as missing
        if (!std::filesystem::exists(path, unreachable))
            refuse("there is no image " + path.string() + "; correct its name");
        return {{}, path};
    }

    /// A bundled model's name, or a file or folder relative to the lesson.
    ModelSource model(const std::string& value) const {
        for (const BundledModel& bundled : bundled_models())
            if (value == bundled.name) return source_of(bundled);
        const std::filesystem::path path = folder_ / value;
        std::error_code unreachable;
        if (!std::filesystem::exists(path, unreachable))
            refuse("there is no model " + path.string() + "; correct its name");
        ModelSource source;
        source.path = path;
        return source;
    }

    std::string name_;
    std::filesystem::path folder_;
    Lesson lesson_;
    std::string* continued_ = nullptr;  // the text continued by an indented line
    int line_ = 0;
};

template <class Words>
const Words& in_language(const std::map<std::string, Words>& words, const std::string& language) {
    static const Words none;
    for (const std::string& wanted : {language, std::string(), std::string("en")})
        if (const auto found = words.find(wanted); found != words.end()) return found->second;
    return words.empty() ? none : words.begin()->second;
}

/// Resets all that a room's stops can set to the values of a new window, except parts with lines of their own.
void set_defaults(Place& place, const Places& places) {
    Focus fresh;
    TextExperiment fresh_text;
    fresh.step = place.focus.step;
    for (const char* const name : has_own_word)
        set_focus({fresh, fresh_text}, {name, focus_word({place.focus, place.text_experiment}, name)});
    if (places.start_over != nullptr)
        return places.start_over({place.focus, place.text_experiment}, {fresh, fresh_text});
    fresh.text = place.focus.text;
    place.focus = fresh;
}

}  // namespace

float Lesson::minutes(std::optional<int> last) const {
    float sum = 0;
    for (int i = 0; i < static_cast<int>(stops.size()) && i <= last.value_or(i); ++i)
        sum += stops[static_cast<std::size_t>(i)].minutes.value_or(0);
    return sum;
}

std::string Lesson::title_in(const std::string& language) const { return in_language(title, language); }

std::string own_title(const LessonStop& stop, const std::string& language) { return in_language(stop.title, language); }

std::string own_notes(const LessonStop& stop, const std::string& language) { return in_language(stop.notes, language); }

std::optional<std::string> own_question(const LessonStop& stop, const std::string& language) {
    if (stop.question.empty()) return std::nullopt;
    return in_language(stop.question, language);
}

const std::vector<LessonChoice>& own_choices(const LessonStop& stop, const std::string& language) {
    return in_language(stop.choices, language);
}

int Lesson::unplanned() const {
    return static_cast<int>(std::ranges::count_if(stops, [](const LessonStop& stop) { return !stop.minutes; }));
}

std::string own_answer(const LessonStop& stop, const std::string& language) {
    return in_language(stop.answer, language);
}

Lesson parse_lesson(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
    return Reader(name, folder).read(text);
}

bool has_line_of_its_own(const std::string& part) {
    return std::find(has_own_word.begin(), has_own_word.end(), part) != has_own_word.end();
}

const std::vector<std::string>& bundled_lessons() {
    static const std::vector<std::string> names = {"tour",          "sentences", "translation", "attention",
                                                   "normalisation", "repair",    "heads"};
    return names;
}

bool is_bundled_lesson(const std::string& source) {
    const auto& names = bundled_lessons();
    return std::find(names.begin(), names.end(), source) != names.end();
}

std::string read_lesson_file(const std::filesystem::path& file) {
    const std::vector<std::uint8_t> bytes = read_file(file);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    constexpr std::size_t most = 1 << 20;
    if (text.size() > most || text.find('\0') != std::string::npos)
        throw Error(file.string() +
                    ": this is not a lesson; choose a short text file with a line such as \"step: attention\"");
    return text;
}

Lesson load_lesson(const std::string& source) {
    Lesson lesson;
    if (is_bundled_lesson(source)) {
        const std::string file = "lessons/" + source + ".txt";
        lesson = parse_lesson(embedded(assets(), file).text(), file, {});
    } else {
        const std::filesystem::path path = source;
        lesson = parse_lesson(read_lesson_file(path), path.filename().string(), path.parent_path());
    }
    lesson.source = source;
    return lesson;
}

Place place_of(const Lesson& lesson, int index, const Place& from, const Config& config) {
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(index)];
    const auto refuse = [&](const std::string& why) {
        throw Error(lesson.source + ":" + std::to_string(stop.line) + ": " + why);
    };
    const auto take = [&](const char* what, std::optional<int> number, int& into, int first, int last) {
        if (!number) return;
        if (*number < first || *number > last)
            refuse("this step needs " + std::string(what) + " " + std::to_string(*number) + ", but the model has " +
                   std::to_string(first) + " to " + std::to_string(last) +
                   "; open another model or correct the lesson");
        into = *number;
    };
    const Places& places = places_of(stop);
    Place to = from;
    to.room = stop.room;
    to.runs.clear();
    to.roles = stop.roles;
    to.focus.step = stop.step;
    take("block", stop.block, to.focus.block, 1, config.blocks);
    take("head", stop.head, to.focus.head, 0, config.heads - 1);
    take("token", stop.token, to.focus.token, 0, config.tokens() - 1);
    take("key", stop.key, to.focus.key, 0, config.tokens() - 1);
    to.focus.solo = stop.solo;
    to.focus.looked_at = false;  // unless the stop sets it
    to.focus.cell.reset();
    if (stop.defaults) set_defaults(to, places);
    try {
        if (places.arrive != nullptr)
            places.arrive(stop, to);
        else if (places.look != nullptr)
            places.look(stop.id, {to.focus, to.text_experiment});
    } catch (const Error& error) {
        refuse(error.what());
    }
    for (const FocusWord& word : stop.set) set_focus({to.focus, to.text_experiment}, word);
    if (stop.image) to.experiment.image = *stop.image;
    to.experiment.what_ifs.clear();
    for (const std::string& word : stop.what_ifs) {
        try {
            put(to.experiment.what_ifs, parse_intervention(word, config));
        } catch (const Error& error) {
            refuse(error.what());
        }
    }
    return to;
}

Place place_before(const Lesson& lesson, int stop, Place from, const Config& config) {
    for (int earlier = 0; earlier < stop; ++earlier) {
        try {
            from = place_of(lesson, earlier, from, config);
        } catch (const Error&) {  // reported when that stop is shown
        }
    }
    return from;
}

}  // namespace vitrine
