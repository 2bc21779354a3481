#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/files.h"
#include "tests/test_folder.h"

// Runs the real program, as a script would.

namespace vitrine {

struct Outcome {
    int status = 0;
    std::string out, err;
};

/// The folder in which a test process lets the program read and write.
inline const std::filesystem::path& program_folder() {
    static const TestFolder own;
    return own.path();
}

/// `before` precedes the program in the shell's line: "cd somewhere; ".
inline Outcome run(const std::string& words, const std::string& before = "") {
    const std::filesystem::path out = program_folder() / "stdout", err = program_folder() / "stderr";
    const std::string command =
        before + VITRINE_PROGRAM + " " + words + " >" + out.string() + " 2>" + err.string() + " </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read(out), read(err)};
}

inline void expect_failure(const std::string& words, int status, const std::string& part) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, status) << words;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << words << ": " << o.err;
    EXPECT_NE(o.err.find(part), std::string::npos) << words << ": " << o.err;
    EXPECT_TRUE(o.out.empty()) << words << ": " << o.out;
}

}  // namespace vitrine
