#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lecture/lesson.h"

namespace vitrine {

/// A lesson's file as it stands there: what comes before the first stop, and each stop's own lines with the remarks
/// right above them. Changing one leaves all others as their author wrote them.
class LessonText {
public:
    /// `lesson` was read from this text.
    LessonText(std::string_view text, const Lesson& lesson);

    std::string text() const;
    int stops() const { return static_cast<int>(stops_.size()); }

    void set_title(const std::string& language, const std::string& words);
    void add(const std::string& stop);
    void remove(int stop);
    /// So many places on, or back; within the lesson.
    void move(int stop, int by);
    /// Its name in a language; without words it has its place's.
    void name_stop(int stop, const std::string& language, const std::string& words);
    /// Its notes in a language; without words it has none there.
    void set_notes(int stop, const std::string& language, const std::string& words);
    /// Its question in a language; of no words: it asks nothing; none: it asks what its place does.
    void set_question(int stop, const std::string& language, const std::optional<std::string>& words);
    /// Its answer in a language; without words it has none there.
    void set_answer(int stop, const std::string& language, const std::string& words);
    /// Without words nothing is planned.
    void set_minutes(int stop, const std::string& number);

private:
    std::string head_;
    std::vector<std::string> stops_;
};

/// A stop as a lesson's file says it; an image below `folder` by its path from there.
std::string text_of(const LessonStop& stop, const std::filesystem::path& folder);

/// The beginning of a new lesson: its title below a remark of any number of lines.
std::string empty_lesson(const std::string& title, std::string_view remark = {});

/// Writes a lesson's file, whole or not at all; asks first that the text is a lesson. Throws Error, also where another
/// kind of file is there.
void write_lesson(const std::filesystem::path& file, const std::string& text);

}  // namespace vitrine
