#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/lecture/lesson_writing.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {

/// A window with a folder of the test for its lessons.
class OwnLessons : public testing::Test {
protected:
    OwnLessons() { h.change()->settings.export_folder = folder.path().string(); }

    const Lecture& lecture() const { return h.app->state().lecture; }
    const Lesson& lesson() const { return *lecture().lesson; }
    std::filesystem::path written(const std::string& name, const std::string& words) const {
        write(folder / name, words);
        return folder / name;
    }
    void change(const std::string& what, int stop, const std::string& words) {
        h.app->ask(command::ChangeLesson{what, stop, words});
        h.settle();
    }
    /// A second of ImGui's time, after which files are checked again.
    void wait_a_second() { h.frame(70); }

    const TestFolder folder;
    Harness h;
};

inline constexpr const char* three_stops =
    "lesson: Three\n\n# one\nstep: image\nnotes: First.\n\nstep: heads\nnotes: Second.\n\n"
    "lab: ledger\nminutes: 2\n";

}  // namespace vitrine
