#include "app/lecture/lesson_text.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "app/library/library.h"
#include "app/rooms/room_parts.h"
#include "core/base/error.h"
#include "core/base/output_file.h"

namespace vitrine {

namespace {

constexpr std::size_t line_width = 110;

std::vector<std::string> lines_in(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r\n") == std::string::npos; }
bool is_indented(const std::string& line) { return !is_blank(line) && (line[0] == ' ' || line[0] == '\t'); }

/// The key before the colon of an unindented line.
std::string key_of_line(const std::string& line) {
    if (is_indented(line) || line.empty() || line[0] == '#') return {};
    const std::string key = line.substr(0, line.find(':'));
    return key.substr(0, key.find_last_not_of(" \t") + 1);
}

/// Wraps the words after a beginning, with later lines indented; no wrapped line begins with a remark sign or the mark
/// of a new line.
std::string wrapped_line(const std::string& beginning, const std::string& words) {
    std::string text = beginning, line = text;
    std::size_t at = 0;
    while ((at = words.find_first_not_of(" \t\r", at)) != std::string::npos) {
        const std::size_t end = std::min(words.find_first_of(" \t\r", at), words.size());
        const std::string word = words.substr(at, end - at);
        const bool breaks = line.size() + 1 + word.size() > line_width && word[0] != '#' && word != own_line;
        const std::string between = breaks ? "\n  " : " ";
        text += between + word;
        line = breaks ? "  " + word : line + " " + word;
        at = end;
    }
    return text + "\n";
}

/// A key with its text; each new line of the text begins with `own_line`, so that it is parsed as a new line.
std::string wrapped(const std::string& key, const std::string& words) {
    std::string text, beginning = key + ":";
    const std::size_t first = std::min(words.find_first_not_of(" \t\r\n"), words.size());
    std::istringstream lines(words.substr(first, words.find_last_not_of(" \t\r\n") + 1 - first));
    for (std::string line; std::getline(lines, line); beginning = "  " + std::string(own_line))
        text += wrapped_line(beginning, line);
    return text.empty() ? beginning + "\n" : text;
}

/// The block without the lines of a key and their continuations; `at` is set to their position, or to the end if there
/// were none.
std::string without_key(const std::string& block, const std::string& key, std::size_t& at) {
    std::string left;
    bool cut = false;
    std::size_t end_of_words = 0;
    at = std::string::npos;
    for (const std::string& line : lines_in(block)) {
        if (key_of_line(line) == key) {
            cut = true;
            if (at == std::string::npos) at = left.size();
            continue;
        }
        if (cut && is_indented(line)) continue;
        cut = false;
        left += line;
        if (!is_blank(line)) end_of_words = left.size();
    }
    if (at == std::string::npos) at = end_of_words;
    return left;
}

/// Treatment of a key without words.
enum class Blank { goes, stays };

/// The block with another value of the key.
std::string with_key(const std::string& block, const std::string& key, const std::string& words,
                     Blank blank = Blank::goes) {
    std::size_t at = 0;
    std::string left = without_key(block, key, at);
    if (is_blank(words) && blank == Blank::goes) return left;
    if (at > 0 && left[at - 1] != '\n') left.insert(at++, "\n");
    return left.insert(at, wrapped(key, words));
}

std::string key_in(const char* key, const std::string& language) {
    return language.empty() ? key : std::string(key) + "." + language;
}

std::string ended_line(std::string text) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    return text;
}

/// True for the keys of a stop that do not say what it shows.
bool is_word_of_stop(std::string_view key) {
    constexpr std::array<std::string_view, 6> words = {"title", "notes", "question", "choice", "answer", "minutes"};
    return std::ranges::find(words, key) != words.end();
}

/// Ends the block with an empty line.
std::string ended(std::string block) {
    block = ended_line(std::move(block));
    return block.ends_with("\n\n") ? block : block + "\n";
}

}  // namespace

LessonText::LessonText(std::string_view text, const Lesson& lesson) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // byte order mark, added by some editors
    if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
    const std::vector<std::string> lines = lines_in(text);
    std::vector<std::size_t> begins;
    for (const LessonStop& stop : lesson.stops) {
        auto at = static_cast<std::size_t>(stop.line - 1);
        while (at > 0 && lines[at - 1][0] == '#') --at;
        begins.push_back(at);
    }
    begins.push_back(lines.size());
    const auto joined = [&](std::size_t from, std::size_t to) {
        std::string block;
        for (std::size_t i = from; i < to; ++i) block += lines[i];
        return block;
    };
    head_ = joined(0, begins.front());
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) stops_.push_back(joined(begins[i], begins[i + 1]));
}

std::string LessonText::text() const {
    std::string text = head_;
    for (const std::string& stop : stops_) text += stop;
    return text;
}

void LessonText::set_title(const std::string& language, const std::string& words) {
    if (!is_blank(words)) head_ = with_key(head_, key_in("lesson", language), words);  // a lesson must have one
}

void LessonText::add(const std::string& stop) {
    if (!stops_.empty())
        stops_.back() = ended(stops_.back());
    else
        head_ = ended(head_);
    stops_.push_back(stop);
}

void LessonText::remove(int stop) { stops_.erase(stops_.begin() + stop); }

void LessonText::move(int stop, int by) {
    const int to = std::clamp(stop + by, 0, stops() - 1);
    for (std::string& block : stops_) block = ended(block);
    const auto from = stops_.begin() + stop, place = stops_.begin() + to;
    if (to > stop)
        std::rotate(from, from + 1, place + 1);
    else
        std::rotate(place, from, from + 1);
}

void LessonText::set_view(int stop, const std::string& view) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    std::string above, words;
    bool stays = true, below = false;
    for (const std::string& line : lines_in(block)) {
        const std::string key = key_of_line(line);
        if (!key.empty()) {
            below = true;
            stays = is_word_of_stop(key.substr(0, key.find('.')));
        } else if (!is_indented(line)) {
            stays = true;  // a remark or an empty line
        }
        if (stays) (below ? words : above) += line;
    }
    block = above + view + words;
}

void LessonText::set_notes(int stop, const std::string& language, const std::string& words) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    block = with_key(block, key_in("notes", language), words);
}

void LessonText::name_stop(int stop, const std::string& language, const std::string& words) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    block = with_key(block, key_in("title", language), words);
}

void LessonText::set_question(int stop, const std::string& language, const std::optional<std::string>& words) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    block = with_key(block, key_in("question", language), words.value_or(""), words ? Blank::stays : Blank::goes);
}

void LessonText::set_choices(int stop, const std::string& language, const std::string& lines) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    const std::string key = key_in("choice", language);
    std::size_t at = 0;
    block = without_key(block, key, at);
    std::string all;
    for (const std::string& line : lines_in(lines))
        if (!is_blank(line)) all += wrapped(key, line);
    if (at > 0 && block[at - 1] != '\n') block.insert(at++, "\n");
    block.insert(at, all);
}

void LessonText::set_answer(int stop, const std::string& language, const std::string& words) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    block = with_key(block, key_in("answer", language), words);
}

void LessonText::set_minutes(int stop, const std::string& number) {
    std::string& block = stops_[static_cast<std::size_t>(stop)];
    block = with_key(block, "minutes", number);
}

std::string text_of(const LessonStop& stop, const std::filesystem::path& folder) {
    std::string text = std::string(answers_of(stop.room).places.word) + ": " + stop.id + "\n";
    const auto line = [&](const char* key, const std::string& words) {
        text += std::string(key) + ": " + words + "\n";
    };
    const auto number = [&](const char* key, const std::optional<int>& value) {
        if (value) line(key, std::to_string(*value));
    };
    const auto file = [&](const std::filesystem::path& path) {
        const std::filesystem::path below = path.lexically_relative(folder);
        return (below.empty() || *below.begin() == ".." ? path : below).string();
    };
    const auto image = [&](const char* key, const std::optional<ImageSource>& source) {
        if (source) line(key, source->path.empty() ? source->sample : file(source->path));
    };
    const auto list = [&](const char* key, const std::vector<std::string>& words) {
        std::string all;
        for (const std::string& one : words) all += (all.empty() ? "" : ", ") + one;
        if (!all.empty()) line(key, all);
    };
    image("image", stop.image);
    if (const auto& beside = stop.beside) {
        image("beside", beside->image);
        if (const auto& model = beside->model)
            line("beside-model", model->path.empty() ? bundled_model(model->bundled).name : file(model->path));
        list("beside-what-if", beside->what_ifs);
    }
    text += lines_of(stop.text);
    number("block", stop.block);
    number("head", stop.head);
    number("token", stop.token);
    number("key", stop.key);
    if (stop.solo) line("solo", "yes");
    if (stop.recorded) line("recorded", "yes");
    std::string parts = stop.defaults ? "defaults" : "";
    for (const auto& [name, value] : stop.set) parts += (parts.empty() ? "" : ", ") + name + "=" + value;
    if (!parts.empty()) line("set", parts);
    list("what-if", stop.what_ifs);
    for (const auto& [language, words] : stop.title) text += wrapped(key_in("title", language), words);
    for (const auto& [language, words] : stop.question) text += wrapped(key_in("question", language), words);
    for (const auto& [language, choices] : stop.choices)
        for (const LessonChoice& choice : choices)
            text += wrapped(key_in("choice", language),
                            (choice.right ? std::string(right_choice) + " " : std::string()) + choice.words);
    for (const auto& [language, words] : stop.answer) text += wrapped(key_in("answer", language), words);
    for (const auto& [language, words] : stop.notes) text += wrapped(key_in("notes", language), words);
    return text;
}

std::string empty_lesson(const std::string& title, std::string_view remark) {
    std::string text;
    for (const std::string& line : lines_in(remark)) text += "# " + ended_line(line);
    return text + wrapped("lesson", title);
}

void write_lesson(const std::filesystem::path& file, const std::string& text) {
    const auto read = [&](const std::string& words) {
        return parse_lesson(words, file.filename().string(), file.parent_path());
    };
    read(text);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        try {
            read(read_lesson_file(file));
        } catch (const Error&) {
            throw Error(file.string() +
                        ": this file exists and cannot be read as a lesson; correct it or move it away");
        }
    }
    std::filesystem::create_directories(file.parent_path(), ignored);
    replace_file(file, text);
}

}  // namespace vitrine
