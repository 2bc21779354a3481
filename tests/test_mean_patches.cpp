#include <gtest/gtest.h>

#include <variant>

#include "app/library/colours.h"
#include "app/library/image_set.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "core/base/error.h"
#include "core/measures/set_means.h"
#include "core/vit/forward.h"
#include "core/vit/what_ifs.h"
#include "tests/drawn_folder.h"
#include "tests/program.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

std::vector<Intervention> what_ifs_of(const Model& model, const std::string& word) {
    return {parse_intervention(word, model.config)};
}

std::vector<float> numbers_in(const std::vector<Intervention>& what_ifs) {
    return *std::get<SetMean>(what_ifs.front().edit).numbers;
}

/// What a sweep puts in a patch's place: the mean over whole runs.
std::vector<float> mean_by_runs(const Model& model, const std::string& folder) {
    SetMeans means(model.config);
    for (const ImageSource& source : image_set(folder, model).images)
        means.add(forward(model, preprocess(open_image(source)->full, model.preprocessing, model.config).pixels));
    return *std::get<Replace>(means.patch(1).edit).numbers;
}

TEST(MeanPatches, AreThoseOfWholeRunsOverAFolderOrOverTheDrawnPictures) {
    const TestFolder own;
    draw_into(own / "pictures", {0, 6}, 2, [](int, int) { return "."; });
    const auto model = open_model(small_model());
    MeanPatches known;
    for (const std::string& folder : {std::string(), (own / "pictures").string()}) {
        std::vector<Intervention> list = what_ifs_of(*model, "mean-set:2" + (folder.empty() ? "" : ":" + folder));
        fill_in_means(list, *model, Colours::stored, known);
        EXPECT_EQ(numbers_in(list), mean_by_runs(*model, folder)) << folder;
    }
    EXPECT_EQ(known.size(), 2U);
    EXPECT_NE(*known.begin()->second, *known.rbegin()->second);
}

TEST(MeanPatches, OfASetAreComputedOnceForAModel) {
    const auto model = open_model(small_model());
    MeanPatches known;
    std::vector<Intervention> first = what_ifs_of(*model, "mean-set:2"), second = what_ifs_of(*model, "mean-set:3-5");
    int reports = 0;
    fill_in_means(first, *model, Colours::stored, known, [&](double) { ++reports; });
    EXPECT_GT(reports, 1);
    reports = 0;
    fill_in_means(second, *model, Colours::stored, known, [&](double) { ++reports; });
    EXPECT_EQ(reports, 0);
    EXPECT_EQ(std::get<SetMean>(first.front().edit).numbers, std::get<SetMean>(second.front().edit).numbers);
}

TEST(MeanPatches, OfAFolderThatIsNotThereAreRefusedInASentence) {
    const auto model = open_model(small_model());
    MeanPatches known;
    std::vector<Intervention> list = what_ifs_of(*model, "mean-set:2:/nowhere/at all");
    try {
        fill_in_means(list, *model, Colours::stored, known);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "/nowhere/at all: this folder of images is not there; choose another one");
    }
    EXPECT_EQ(known.size(), 0U) << "it is tried again";
}

TEST(MeanPatches, AreReadByTracesExportsAndSnapshotsAndHashedInTheManifest) {
    const TestFolder own;
    draw_into(own / "some, pictures", {0, 6}, 2, [](int, int) { return "."; });
    const std::string folder = (own / "some%2C pictures").string();
    const std::string plain = run(std::string("trace cat --json") + with_small_model).out,
                      what_if = "trace cat --json --what-if 'mean-set:1-64:" + folder + "'" + with_small_model;
    const Outcome changed = run(what_if);
    ASSERT_EQ(changed.status, 0) << changed.err;
    EXPECT_NE(changed.out.find("\"change\""), std::string::npos);
    EXPECT_NE(changed.out, plain);
    const std::string out = " --what ledger --out " + (own / "measures").string();
    const Outcome exported = run("export cat --what-if 'mean-set:3:" + folder + "'" + out + with_small_model);
    ASSERT_EQ(exported.status, 0) << exported.err;
    EXPECT_NE(read(own / "measures/manifest.json").find("\"mean_patches\""), std::string::npos);
    expect_failure("trace cat --what-if 'mean-set:3:" + folder + "/gone'" + with_small_model, 1, "is not there");
    expect_failure("snapshot cat --step patches --what-if 'mean-set:3:" + folder + "/gone' --out " +
                       (own / "x.png").string() + with_small_model,
                   1, "is not there");
}

}  // namespace
}  // namespace vitrine
