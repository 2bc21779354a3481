#include <gtest/gtest.h>

#include <cmath>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/ui/widgets/number.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"
#include "tests/ui/told_answers.h"

// What the chapters before the blocks answer; test_answers.cpp has the blocks.

namespace vitrine {
namespace {

TEST(Answers, ImageNamesTheLevelThatBecomesZeroAndAsksForAPixelOfIt) {
    Harness h;
    const std::string answer = answer_of(h, "image");
    expect_says(answer, 255.0 * static_cast<double>(h.result().model->preprocessing.mean[0]));
    const Tensor3& x = h.result().baseline.embedding->image;
    std::size_t nearest = 0, farthest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(x.data()[i]) < std::abs(x.data()[nearest])) nearest = i;
        if (std::abs(x.data()[i]) > std::abs(x.data()[farthest])) farthest = i;
    }
    expect_says(answer, std::abs(static_cast<double>(x.data()[nearest])));
    const auto choose = [&](std::size_t i) {
        const std::size_t columns = x.shape()[2];
        h.change().focus().cell =
            Cell{Quantity::image, 0, 0, static_cast<int>(i / columns), static_cast<int>(i % columns)};
    };
    choose(farthest);
    EXPECT_FALSE(done(h)) << "a pixel far from 0";
    choose(nearest);
    EXPECT_TRUE(done(h));
}

TEST(Answers, PatchesAsksForTheEndOfARow) {
    Harness h;
    const Config& c = h.result().model->config;
    const int columns = c.image_width / c.patch_size, rows = c.image_height / c.patch_size;
    const std::string answer = answer_of(h, "patches");
    for (const int number : {columns, columns + 1}) expect_says(answer, "number " + std::to_string(number));
    expect_says(answer, std::to_string(columns) + " positions");
    for (const int token : {0, 1, columns - 1, columns + 1, rows * columns - 1, rows * columns}) {
        h.change().focus().token = token;
        EXPECT_FALSE(done(h)) << token;
    }
    h.change().focus().token = 3 * columns;
    EXPECT_TRUE(done(h)) << "the end of another row will do";
}

TEST(Answers, PatchEmbeddingFindsTheFilterThatAnswersMost) {
    Harness h;
    go_to(h, "patch_embedding");
    const Model& model = *h.result().model;
    const Config& c = model.config;
    h.change().focus().token = 20;
    const Tensor3& image = h.result().baseline.embedding->image;
    const int patch = 19, top = patch / c.grid_width() * c.patch_size, left = patch % c.grid_width() * c.patch_size;
    const LinearWeights& e = model.weights.patch_embedding;
    int best = 0;
    double most = 0, value = 0;
    for (int filter = 0; filter < c.embedding_dim; ++filter) {
        double sum = static_cast<double>(e.bias(static_cast<std::size_t>(filter)));
        std::size_t i = static_cast<std::size_t>(filter) * static_cast<std::size_t>(c.patch_dim());
        for (int channel = 0; channel < c.channels; ++channel)
            for (int y = 0; y < c.patch_size; ++y)
                for (int x = 0; x < c.patch_size; ++x)
                    sum +=
                        static_cast<double>(e.weight(i++)) *
                        static_cast<double>(image(static_cast<std::size_t>(channel), static_cast<std::size_t>(top + y),
                                                  static_cast<std::size_t>(left + x)));
        if (std::abs(sum) > most) most = std::abs(value = sum), best = filter;
    }
    const std::string answer = answer_of(h, "patch_embedding");
    expect_says(answer, "filter " + std::to_string(best + 1));
    expect_says(answer, value);
    h.change().focus().feature = (best + 1) % c.embedding_dim;
    EXPECT_FALSE(done(h));
    h.change().focus().feature = best;
    EXPECT_TRUE(done(h));
}

TEST(Answers, ClassTokenComparesTheClassTokensOfTwoPictures) {
    for (const char* const sample : {"cat", "house", "fish"}) {
        Harness h(Harness::with_image(sample));
        const Model& model = *h.result().model;
        const std::vector<std::string> names = sample_names({});
        const std::string other = names[sample == names[0] ? 1 : 0];
        const Trace trace = forward(
            model, preprocess(open_image({"pictograms:" + other, {}})->full, model.preprocessing, model.config).pixels);
        Numbers alike;
        for (int l = 0; l <= model.config.blocks; ++l)
            alike.push_back(cosine_of(row(h.result().trace.z(l), 0), row(trace.z(l), 0)));
        EXPECT_NEAR(alike[0], 1, 1e-6) << "both begin as the same vector";
        std::size_t best = 1;
        for (std::size_t l = 2; l < alike.size(); ++l)
            if (alike[l - 1] - alike[l] > alike[best - 1] - alike[best]) best = l;
        const std::string answer = answer_of(h, "class_token");
        expect_says(answer, "block " + std::to_string(best));
        expect_says(answer, alike[best - 1]);
        expect_says(answer, alike[best]);
        expect_says(answer, other);
        h.change().focus().block = best == 1 ? 2 : 1;
        EXPECT_FALSE(done(h));
        h.change().focus().block = static_cast<int>(best);
        EXPECT_TRUE(done(h));
    }
}

TEST(Answers, ClassTokensAreComparedWithTheSameWhatIfs) {
    Harness h;
    go_to(h, "class_token");
    switch_on(h, {remove_positions(), remove_mlp(1)});
    const Model& model = *h.result().model;
    const auto other = open_image({"pictograms:" + h.result().other->sample, {}});
    const Trace trace = forward(model, preprocess(other->full, model.preprocessing, model.config).pixels, {},
                                h.result().experiment.what_ifs);
    for (int level = 0; level <= model.config.blocks; ++level)
        EXPECT_EQ(row(h.result().other->read, static_cast<std::size_t>(level)), row(trace.z(level), 0));
    switch_on(h, {});
    EXPECT_NE(row(h.result().other->read, 1), row(trace.z(1), 0)) << "and without, once they are gone";
}

TEST(Answers, PositionsComparesThisPictureWithAndWithoutPlaceAndOrder) {
    Harness h;
    EXPECT_EQ(answer_of(h, "position_embedding").find('%'), std::string::npos) << "nothing was tried yet";
    switch_on(h, {remove_positions()});
    const Tensor2 in_order = h.result().trace.head->probabilities;
    EXPECT_FALSE(done(h)) << "half of what it asks";
    switch_on(h, {remove_positions(), shuffle_tokens()});
    EXPECT_TRUE(done(h));
    const Tensor2 &before = h.result().baseline.head->probabilities, &after = h.result().trace.head->probabilities;
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after(0, i), in_order(0, i), 1e-4) << "an unordered set";
    const int best = first_largest(row(before, 0));
    const std::string answer = answer_of(h, "position_embedding");
    expect_says(answer, probability_text(static_cast<double>(before(0, static_cast<std::size_t>(best)))));
    expect_says(answer, probability_text(static_cast<double>(after(0, static_cast<std::size_t>(best)))));
}

}  // namespace
}  // namespace vitrine
