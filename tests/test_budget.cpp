#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/base/error.h"
#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"
#include "core/vit/what_ifs.h"
#include "tests/example_edits.h"
#include "tests/lively_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

Config six_blocks() {
    Config c = small_measured();
    c.blocks = 6;
    return c;
}

std::shared_ptr<const Model> six_block_model() { return std::make_shared<Model>(lively_model(six_blocks(), 4)); }

/// Numbers of a tensor, wherever they come from.
std::vector<float> numbers_of(const NamedTensor& t) {
    std::size_t count = 1;
    for (const std::size_t n : t.shape) count *= n;
    const std::shared_ptr<const float> made = t.make ? t.make() : nullptr;
    const float* const data = t.make ? made.get() : t.data;
    return {data, data + count};
}

void expect_same_bits(const Trace& got, const Trace& expected, const std::string& what) {
    const std::vector<NamedTensor> a = named_tensors(got), b = named_tensors(expected);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::vector<float> left = numbers_of(a[i]), right = numbers_of(b[i]);
        ASSERT_EQ(left.size(), right.size()) << a[i].name;
        EXPECT_EQ(std::memcmp(left.data(), right.data(), left.size() * sizeof(float)), 0) << what << ": " << a[i].name;
    }
}

TEST(Budget, ARunWithinItHasTheBitsOfTheRunWithout) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace whole = forward(*model, image);
    for (const int kept : {2, 3, 6}) {
        const Trace within = forward_within(model, kept, image);
        EXPECT_EQ(within.budget.has_value(), kept < 6) << "with room for all blocks all are kept";
        expect_same_bits(within, whole, std::to_string(kept) + " blocks");
        for (int block = 6; block >= 1; --block)
            EXPECT_EQ(within.block(block)->attention, whole.block(block)->attention) << "in any order";
    }
}

TEST(Budget, EveryWhatIfHasTheSameBits) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace whole = forward(*model, image), within = forward_within(model, 2, image);
    for (const Intervention& i : example_edits()) {
        const std::vector<Intervention> list{i};
        const Trace changed = what_if(*model, within, list);
        EXPECT_TRUE(changed.budget.has_value());
        expect_same_bits(changed, what_if(*model, whole, list), describe(i));
    }
}

TEST(Budget, EveryMeasureHasTheSameNumbers) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace whole = forward(*model, image), within = forward_within(model, 2, image);
    for (const MeasureEntry& entry : measure_catalogue()) {
        const Table a = measure({*model, within}, entry.name), b = measure({*model, whole}, entry.name);
        EXPECT_EQ(a.values, b.values) << entry.name;
    }
}

TEST(Budget, HoldsNoMoreBlocksThanItSays) {
    const auto model = six_block_model();
    const Trace within = forward_within(model, 2, wavy_picture(model->config));
    std::vector<std::weak_ptr<const BlockTrace>> seen;
    for (int block = 1; block <= 6; ++block) {
        seen.push_back(within.block(block));
        EXPECT_LE(std::count_if(seen.begin(), seen.end(), [](const auto& b) { return !b.expired(); }), 2);
    }
    EXPECT_EQ(within.block(6), within.block(6)) << "the newest is not computed again";
    const auto held = within.block(1);
    within.block(2), within.block(3), within.block(4);
    EXPECT_EQ(within.block(1), held) << "nor one that a reader holds";
}

TEST(Budget, SharedBlocksAreKnownAlthoughTheyAreComputedAgain) {
    const auto model = six_block_model();
    const Trace within = forward_within(model, 2, wavy_picture(model->config));
    const Trace changed = what_if(*model, within, std::vector{parse_intervention("mlp:4", model->config)});
    EXPECT_TRUE(shares_block(changed, within, 3));
    EXPECT_FALSE(shares_block(changed, within, 4));
}

TEST(Budget, TwoThreadsMayReadOneRun) {
    const auto model = six_block_model();
    const Trace whole = forward(*model, wavy_picture(model->config));
    const Trace within = forward_within(model, 2, wavy_picture(model->config));
    const auto read = [&](int first) {
        for (int i = 0; i < 30; ++i) {
            const int block = (first + i * 5) % 6 + 1;
            EXPECT_EQ(within.block(block)->scores, whole.block(block)->scores);
        }
    };
    std::thread other(read, 1);
    read(4);
    other.join();
}

TEST(Budget, ItsLeastIsSaidAndItsMostIsAllBlocks) {
    const auto model = six_block_model();
    constexpr double gigabyte = 1 << 30;
    EXPECT_EQ(blocks_within(*model, gigabyte), 6);
    try {
        blocks_within(*model, 1000);
        FAIL() << "two blocks do not fit into a kilobyte";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("give at least 1M"), std::string::npos) << e.what();
    }
}

TEST(Budget, TheWindowTakesOneWhereAWholeRunAndItsWhatIfDoNotFit) {
    const auto model = six_block_model();
    constexpr double gigabyte = 1 << 30;
    EXPECT_FALSE(blocks_in_free_memory(*model, gigabyte));
    const double least = 1 << 16;
    const std::optional<int> kept = blocks_in_free_memory(*model, least);
    ASSERT_TRUE(kept);
    EXPECT_GE(*kept, 2);
    EXPECT_LE(*kept, 6);
    EXPECT_THROW(blocks_in_free_memory(*model, 4096), Error);
}

TEST(Budget, ADumpWithinItHasTheSameBytes) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const TestFolder folder;
    write_safetensors(folder / "whole.safetensors", named_tensors(forward(*model, image)), {});
    write_safetensors(folder / "within.safetensors", named_tensors(forward_within(model, 2, image)), {});
    const auto bytes = [](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_EQ(bytes(folder / "whole.safetensors"), bytes(folder / "within.safetensors"));
}

}  // namespace
}  // namespace vitrine
