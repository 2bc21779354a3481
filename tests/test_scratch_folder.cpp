#include <fstream>
#include <optional>

#include "app/platform/scratch_folder.h"
#include "core/base/error.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// Temporary files of this process go there, as long as it lives.
class Temporary {
public:
    explicit Temporary(const fs::path& folder) { setenv("TMPDIR", folder.c_str(), 1); }
    ~Temporary() { unsetenv("TMPDIR"); }
};

TEST(ScratchFolder, IsForItsOwnerAloneAndGoneWithAllThatLiesInIt) {
    const TestFolder shared;
    const Temporary temporary(shared.path());
    std::optional<ScratchFolder> first(std::in_place), second(std::in_place);
    EXPECT_NE(first->path(), second->path());
    EXPECT_EQ(first->path().parent_path(), shared.path());
    EXPECT_EQ(fs::status(first->path()).permissions(), fs::perms::owner_all);
    fs::create_directories(*first / "model");
    std::ofstream(*first / "model/file") << "x";
    first.reset();
    EXPECT_EQ(std::distance(fs::directory_iterator(shared.path()), {}), 1);
    EXPECT_TRUE(fs::exists(second->path()));
}

TEST(ScratchFolder, SaysWhereNoneCanBeMade) {
    const TestFolder shared;
    const Temporary temporary(shared / "none");
    EXPECT_THROW(ScratchFolder(), Error);
}

}  // namespace
}  // namespace vitrine
