#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/files/image.h"
#include "tests/fuzz/targets.h"

namespace vitrine {
namespace {

const std::filesystem::path fuzz_folder = VITRINE_SOURCE "/tests/fuzz";

/// The names of what lies in a folder, without their endings.
std::set<std::string> names_in(const char* folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(fuzz_folder / folder))
        names.insert(entry.path().stem().string());
    return names;
}

TEST(FuzzSeeds, EveryTargetHasAFileSeedsAndWords) {
    std::set<std::string> names;
    for (const fuzz::Target& target : fuzz::targets) names.insert(target.name);
    for (const char* const folder : {"targets", "seeds", "words"}) EXPECT_EQ(names_in(folder), names) << folder;
}

/// What fuzzing has found becomes a seed: this goes through all of them without a fuzzer.
class FuzzSeeds : public testing::TestWithParam<fuzz::Target> {};

TEST_P(FuzzSeeds, AreReadOrRefused) {
    for (const auto& seed : std::filesystem::directory_iterator(fuzz_folder / "seeds" / GetParam().name)) {
        SCOPED_TRACE(seed.path().string());
        GetParam().run(read_file(seed.path()));
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzSeeds, testing::ValuesIn(fuzz::targets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace vitrine
