#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/training/linear_probe.h"
#include "core/training/own_pictures.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/forward.h"
#include "tests/drawn_folder.h"
#include "tests/files.h"
#include "tests/golden_files.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// Eight points of three classes in three features.
ProbeFeatures eight_points() {
    const std::vector<float> x = {1, 2,    0.5F, 0.3F, -1,    2,    2,    0.1F, -1,    -1,    0.4F,  0.2F,
                                  0, 1.5F, 1,    -2,   -0.5F, 0.7F, 0.8F, 0.8F, -0.3F, -0.4F, -1.2F, -0.9F};
    ProbeFeatures features{tensor2(8, 3), {0, 1, 2, 0, 1, 2, 0, 1}};
    std::ranges::copy(x, features.x.begin());
    return features;
}

std::shared_ptr<const Model> pictogram_model() { return std::make_shared<Model>(load_model(small_model_folder())); }

/// A class's folder.
std::string named(int label, int) { return label == 6 ? "cat" : label == 1 ? "house" : "tree"; }

std::string complaint_about(const fs::path& folder) {
    try {
        check_own_pictures(own_pictures_in(folder), folder);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// ---- softmax regression ---------------------------------------------------------------------------------------------

// torch.optim.LBFGS on torch.nn.functional.cross_entropy(x̂ Wᵀ + b, y) + 0.05/2 (W ** 2).sum() in float64, folded.
TEST(LinearProbe, TheRegressionIsPyTorchsOptimum) {
    const SoftmaxRegression fit = fit_softmax(eight_points(), 3, 0.05);
    const std::vector<double> weight = {-0.255713, 0.960896,  -0.540959, 0.222943, -0.544905,
                                        0.679285,  0.0327691, -0.415991, -0.138326};
    const std::vector<double> bias = {-0.15858, 0.196968, -0.0383887};
    EXPECT_NEAR(fit.loss, 0.8423087858, 1e-5);
    for (std::size_t i = 0; i < weight.size(); ++i) EXPECT_NEAR(fit.weight[i], weight[i], 1e-3) << i;
    for (std::size_t i = 0; i < bias.size(); ++i) EXPECT_NEAR(fit.bias[i], bias[i], 1e-3) << i;
}

TEST(LinearProbe, WhatIsFarApartIsToldApart) {
    ProbeFeatures features{tensor2(40, 5), {}};
    Random random(5);
    for (std::size_t i = 0; i < 40; ++i) {
        features.labels.push_back(static_cast<int>(i % 4));
        for (std::size_t d = 0; d < 5; ++d) features.x(i, d) = 0.2F * random.normal() + (d == i % 4 ? 100.0F : 0.0F);
    }
    EXPECT_EQ(score(fit_softmax(features, 4, 0.01), features).correct, 40);
}

TEST(LinearProbe, MoreDecayMakesSmallerWeights) {
    const auto length = [](const SoftmaxRegression& fit) {
        double squares = 0;
        for (const float w : fit.weight) squares += static_cast<double>(w) * static_cast<double>(w);
        return squares;
    };
    EXPECT_GT(length(fit_softmax(eight_points(), 3, 0.01)), 4 * length(fit_softmax(eight_points(), 3, 1)));
}

TEST(LinearProbe, ChanceIsTheBinomialTail) {
    EXPECT_NEAR(chance_of({10, 10}, 0.5), std::pow(0.5, 10), 1e-12);
    EXPECT_NEAR(chance_of({5, 10}, 0.5), 0.623046875, 1e-9);
    EXPECT_NEAR(chance_of({0, 7}, 0.3), 1, 1e-9);
    EXPECT_EQ(chance_of({7, 7}, 1), 1) << "one class alone proves nothing";
}

// ---- pictures of one's own ------------------------------------------------------------------------------------------

TEST(OwnPictures, ASubfolderIsAClass) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1}, 2, [](int label, int) { return label == 6 ? "my cat" : "house"; });
    write(folder / "house" / "notes.txt", "no picture");
    write(folder / "house" / ".hidden.png", "no picture");
    fs::create_directories(folder / "empty");
    const OwnPictures found = own_pictures_in(folder.path());
    EXPECT_EQ(found.labels, (std::vector<std::string>{"house", "my cat"}));
    EXPECT_EQ(found.counts(), (std::vector<int>{2, 2}));
}

TEST(OwnPictures, AFolderHasANameWithAndWithoutASlash) {
    for (const char* const path :
         {"/data/my things", "/data/my things/", "/data/./my things/.", "/data/x/../my things//"})
        EXPECT_EQ(name_of_folder(path), "my things") << path;
    EXPECT_EQ(name_of_folder("."), fs::current_path().filename());
    EXPECT_EQ(name_of_folder("/"), "pictures");
}

TEST(OwnPictures, AFolderWhoseNameIsNoUtf8IsAClassAllTheSame) {
    const TestFolder folder;
    draw_into(folder.path() / "\xE9t\xE9", {6, 1}, 4, [](int label, int) { return label == 6 ? "cat\xFF" : "house"; });
    const OwnPictures pictures = own_pictures_in(folder.path() / "\xE9t\xE9");
    EXPECT_EQ(pictures.labels, (std::vector<std::string>{"cat\uFFFD", "house"}));
    EXPECT_TRUE(fs::exists(pictures.files.front().path)) << "its path is the folder's own";
    EXPECT_EQ(name_of_folder(folder.path() / "\xE9t\xE9"), "\uFFFDt\uFFFD");
}

TEST(OwnPictures, TooLittleIsASentence) {
    const TestFolder folder;
    EXPECT_NE(complaint_about(folder.path()).find("no subfolder contains pictures"), std::string::npos);
    draw_into(folder.path(), {6}, 4, [](int, int) { return "cat"; });
    EXPECT_NE(complaint_about(folder.path()).find("of one class (cat)"), std::string::npos);
    draw_into(folder.path(), {1}, 3, [](int, int) { return "house"; });
    EXPECT_NE(complaint_about(folder.path()).find("the class house has 3 pictures"), std::string::npos);
    draw_into(folder.path(), {1}, 4, [](int, int) { return "house"; });
    EXPECT_EQ(complaint_about(folder.path()), "");
}

// ---- the probe ------------------------------------------------------------------------------------------------------

TEST(LinearProbe, ClassesThatTheModelKnowsAreLearnedFromAFewPictures) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1, 7}, 12, [](int label, int) { return "class " + std::to_string(label); });
    write(folder / "class 1" / "broken.png", "no picture");
    const LinearProbe probe = learn_probe(pictogram_model(), own_pictures_in(folder.path()), "mine", {.threads = 2});
    EXPECT_EQ(probe.learned.count, 27);
    EXPECT_EQ(probe.held_out.count, 9);
    EXPECT_GE(probe.held_out.correct, 8);
    EXPECT_TRUE(probe.beats_chance());
    ASSERT_EQ(probe.broken.size(), 1U);
    EXPECT_NE(probe.broken[0].find("broken.png"), std::string::npos);
}

TEST(LinearProbe, TheNewHeadNamesWhatItLearned) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1}, 8, [](int label, int) { return label == 6 ? "cat" : "house"; });
    const OwnPictures pictures = own_pictures_in(folder.path());
    const LinearProbe probe = learn_probe(pictogram_model(), pictures, "mine", {.threads = 1});
    EXPECT_EQ(probe.model->provenance.name, "mine");
    int right = 0;
    for (const OwnPictures::File& file : pictures.files) {
        const Image image = load_image(file.path);
        const Trace run =
            forward(*probe.model, preprocess(image, probe.model->preprocessing, probe.model->config).pixels);
        ASSERT_EQ(run.head->logits.shape()[1], 2U);
        const int best = run.head->logits(0, 0) > run.head->logits(0, 1) ? 0 : 1;
        EXPECT_EQ(probe.model->config.label(file.label), file.path.parent_path().filename());
        right += best == file.label ? 1 : 0;
    }
    EXPECT_EQ(right, probe.learned.correct + probe.held_out.correct) << "the model is what was scored";
}

TEST(LinearProbe, WithFoldsEachPictureIsHeldOutOnceAndAnswered) {
    const TestFolder folder;
    draw_into(folder.path(), {0, 6}, 6, [](int label, int) { return std::to_string(label); });
    const OwnPictures pictures = own_pictures_in(folder.path());
    const LinearProbe probe = learn_probe(pictogram_model(), pictures, "mine", {.threads = 1, .folds = 3});
    ASSERT_EQ(probe.answers.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(probe.answers[i].file, i);
        EXPECT_EQ(probe.answers[i].label, pictures.files[i].label);
    }
    ASSERT_EQ(probe.folds.size(), 3U);
    int correct = 0;
    for (const ProbeScore& fold : probe.folds) {
        EXPECT_EQ(fold.count, 4) << "two of each class";
        correct += fold.correct;
    }
    EXPECT_EQ(correct, probe.held_out.correct);
    EXPECT_EQ(probe.learned.count, 12) << "the head itself learns from all";
}

TEST(LinearProbe, ReadsAnyLayerAndTheMeanOfThePatches) {
    const TestFolder folder;
    draw_into(folder.path(), {0, 6}, 8, [](int label, int) { return std::to_string(label); });
    const OwnPictures pictures = own_pictures_in(folder.path());
    const auto model = pictogram_model();
    const auto probe = [&](std::optional<int> layer, std::optional<Readout> read) {
        return learn_probe(model, pictures, "mine", {.threads = 1, .layer = layer, .read = read});
    };
    const LinearProbe usual = probe({}, {}), last = probe(model->config.blocks, Readout::class_token);
    for (std::size_t i = 0; i < usual.answers.size(); ++i)
        EXPECT_NEAR(usual.answers[i].probability, last.answers[i].probability, 1e-4) << "the same features";
    const LinearProbe first = probe(0, Readout::class_token);
    for (const ProbeAnswer& a : first.answers)
        EXPECT_NEAR(a.probability, 0.5, 1e-3) << "before the first block the class token has seen no picture";
    const LinearProbe mean = probe({}, Readout::mean);
    EXPECT_EQ(mean.model->config.readout, Readout::mean);
    const Image image = load_image(pictures.files[mean.answers[0].file].path);
    const Trace trace = forward(*mean.model, preprocess(image, mean.model->preprocessing, mean.model->config).pixels);
    EXPECT_NEAR(trace.head->probabilities(0, static_cast<std::size_t>(mean.answers[0].said)),
                mean.answers[0].probability, 1e-4)
        << "the model that is saved says the same";
    EXPECT_THROW(probe(model->config.blocks + 1, {}), Error);
}

// As computed from the roots of (p − s)² = z² p (1 − p) / n.
/// The new head of every kind of head reads what it learned from, and says the same when it runs as a model.
TEST(LinearProbe, TheHeadOfEveryFamilyLearnsAndIsAModel) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1}, 8, named);
    const OwnPictures pictures = own_pictures_in(folder.path());
    for (const char* const name : {"hf_dinov2_head", "hf_dinov2_registers", "hf_deit_distilled", "timm_map", "hf_ijepa",
                                   "timm_average", "hf_clip", "hf_siglip_bare"})
        for (const std::optional<Readout> read : {std::optional<Readout>(), std::optional(Readout::mean)}) {
            SCOPED_TRACE(name);
            const auto model = std::make_shared<Model>(load_model(golden_folder / "families" / name));
            const LinearProbe probe = learn_probe(model, pictures, "mine", {.threads = 1, .read = read});
            EXPECT_EQ(probe.model->config.features, 0);
            for (const ProbeAnswer& answer : probe.answers) {
                const Image image = load_image(pictures.files[answer.file].path);
                const Trace trace =
                    forward(*probe.model, preprocess(image, probe.model->preprocessing, probe.model->config).pixels);
                EXPECT_NEAR(trace.head->probabilities(0, static_cast<std::size_t>(answer.said)), answer.probability,
                            1e-3);
            }
            const TestFolder kept;
            save_model(*probe.model, kept.path(), Precision::f32);
            EXPECT_EQ(load_model(kept.path()).config.readout, probe.model->config.readout);
        }
}

TEST(OwnPictures, AFolderForTestingIsHeldOut) {
    const TestFolder folder;
    draw_into(folder.path() / "train", {6, 1}, 6, named);
    draw_into(folder.path() / "val", {6, 1}, 3, named);
    const OwnPictures pictures = own_pictures_in(folder.path());
    EXPECT_EQ(pictures.labels, (std::vector<std::string>{"cat", "house"}));
    EXPECT_EQ(pictures.files.size(), 18U);
    EXPECT_TRUE(pictures.has_own_test());
    EXPECT_EQ(complaint_about(folder.path()), "");
    const LinearProbe probe = learn_probe(pictogram_model(), pictures, "mine", {.threads = 1});
    EXPECT_EQ(probe.learned.count, 12);
    ASSERT_EQ(probe.answers.size(), 6U);
    for (const ProbeAnswer& answer : probe.answers) EXPECT_TRUE(pictures.files[answer.file].held_out);
    EXPECT_THROW(learn_probe(pictogram_model(), pictures, "mine", {.threads = 1, .folds = 3}), Error);
    draw_into(folder.path() / "val", {2}, 3, named);
    EXPECT_NE(complaint_about(folder.path()).find("the class tree has 0 pictures"), std::string::npos);
}

TEST(LinearProbe, TheIntervalIsWilsons) {
    EXPECT_NEAR(interval_of({8, 10}).first, 0.4901625, 1e-6);
    EXPECT_NEAR(interval_of({8, 10}).second, 0.9433178, 1e-6);
    EXPECT_EQ(interval_of({0, 10}).first, 0);
    EXPECT_EQ(interval_of({0, 0}).second, 1);
}

TEST(LinearProbe, ClassesThatPicturesDoNotShowStayAtChance) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1, 7, 2}, 16, [](int label, int i) { return (label + i) % 2 == 0 ? "red" : "blue"; });
    const LinearProbe probe = learn_probe(pictogram_model(), own_pictures_in(folder.path()), "mine", {.threads = 2});
    EXPECT_FALSE(probe.beats_chance()) << probe.held_out.correct << " of " << probe.held_out.count;
}

TEST(LinearProbe, SaysWhetherEnoughIsHeldOutToSayAnything) {
    const auto few = [](int correct, int count, double commonest) {
        LinearProbe probe;
        probe.held_out = {correct, count};
        probe.commonest = commonest;
        return probe.too_few_to_say();
    };
    EXPECT_TRUE(few(4, 4, 0.5)) << "one of sixteen who toss coins does that";
    EXPECT_TRUE(few(0, 2, 0.5));
    EXPECT_FALSE(few(5, 5, 0.5));
    EXPECT_FALSE(few(3, 6, 0.5)) << "six right would have told";
    EXPECT_FALSE(few(4, 4, 0.25));
}

TEST(LinearProbe, CanBeStopped) {
    const TestFolder folder;
    draw_into(folder.path(), {6, 1}, 8, [](int label, int) { return std::to_string(label); });
    const auto stop = [](double fraction) {
        if (fraction > 0.2) throw Cancelled();
    };
    EXPECT_THROW(learn_probe(pictogram_model(), own_pictures_in(folder.path()), "mine", {.threads = 1}, stop),
                 Cancelled);
}

}  // namespace
}  // namespace vitrine
