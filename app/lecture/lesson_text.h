#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lecture/lesson.h"

namespace vitrine {

/// A lesson's file as text: the part before the first stop, and each stop's lines with the remarks above them. A change
/// leaves all other lines as their author wrote them.
class LessonText {
public:
    /// `lesson` must have been parsed from this text.
    LessonText(std::string_view text, const Lesson& lesson);

    std::string text() const;
    int stops() const { return static_cast<int>(stops_.size()); }

    void set_title(const std::string& language, const std::string& words);
    void add(const std::string& stop);
    void remove(int stop);
    /// Moves a stop by a number of places, within the lesson.
    void move(int stop, int by);
    /// Replaces what a stop shows: all its lines but remarks, title, notes, question, choices, answer and minutes.
    void set_view(int stop, const std::string& view);
    /// Sets its name in a language; empty words restore the place's name.
    void name_stop(int stop, const std::string& language, const std::string& words);
    /// Sets its notes in a language; empty words remove them.
    void set_notes(int stop, const std::string& language, const std::string& words);
    /// Sets its question in a language; empty words: no question; none: the place's question.
    void set_question(int stop, const std::string& language, const std::optional<std::string>& words);
    /// Sets the choices of its question in a language, a line each, the right one marked; no words remove them.
    void set_choices(int stop, const std::string& language, const std::string& lines);
    /// Sets its answer in a language; empty words remove it.
    void set_answer(int stop, const std::string& language, const std::string& words);
    /// Sets its planned minutes; an empty number removes them.
    void set_minutes(int stop, const std::string& number);

private:
    std::string head_;
    std::vector<std::string> stops_;
};

/// A stop in the format of a lesson's file; an image below `folder` has a relative path.
std::string text_of(const LessonStop& stop, const std::filesystem::path& folder);

/// The head of a new lesson: a remark of any number of lines, then its title.
std::string empty_lesson(const std::string& title, std::string_view remark = {});

/// Writes a lesson's file atomically, after checking that the text is a lesson. Throws Error, also if the file exists
/// and is not a lesson.
void write_lesson(const std::filesystem::path& file, const std::string& text);

}  // namespace vitrine
