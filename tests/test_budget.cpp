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
#include "core/vit/token_weights.h"
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
        const Trace within = forward_within(budget_of(model, kept), image);
        expect_same_bits(within, whole, std::to_string(kept) + " blocks");
        for (int block = 6; block >= 1; --block)
            EXPECT_EQ(within.block(block)->attention, whole.block(block)->attention) << "in any order";
    }
}

TEST(Budget, EveryWhatIfHasTheSameBits) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace whole = forward(*model, image), within = forward_within(budget_of(model, 2), image);
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
    const Trace whole = forward(*model, image), within = forward_within(budget_of(model, 5), image);
    for (const MeasureEntry& entry : measure_catalogue()) {
        const Table a = measure({*model, within}, entry.name), b = measure({*model, whole}, entry.name);
        EXPECT_EQ(a.values, b.values) << entry.name;
    }
    for (const char* const tensor : {"z.0", "z.3", "block.3.q", "block.6.mlp.out", "head.ln"}) {
        const Table a = measure({*model, within}, tensor);
        EXPECT_EQ(a.values, measure({*model, whole}, tensor).values) << tensor;
        EXPECT_FALSE(a.values.empty()) << tensor;
    }
}

TEST(Budget, HoldsNoMoreBlocksThanItSays) {
    const auto model = six_block_model();
    const Trace within = forward_within(budget_of(model, 2), wavy_picture(model->config));
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
    const Trace within = forward_within(budget_of(model, 2), wavy_picture(model->config));
    const Trace changed = what_if(*model, within, std::vector{parse_intervention("mlp:4", model->config)});
    EXPECT_TRUE(shares_block(changed, within, 3));
    EXPECT_FALSE(shares_block(changed, within, 4));
}

TEST(Budget, TwoThreadsMayReadOneRun) {
    const auto model = six_block_model();
    const Trace whole = forward(*model, wavy_picture(model->config));
    const Trace within = forward_within(budget_of(model, 2), wavy_picture(model->config));
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
    EXPECT_FALSE(blocks_within(*model, gigabyte, one_run));
    const RunNeeds needs = needs_of_runs(model->config, one_run), both = needs_of_runs(model->config, run_and_what_if);
    EXPECT_GT(both.all, needs.all) << "a what-if has blocks of its own";
    EXPECT_EQ(blocks_within(*model, needs.least, one_run), 2);
    EXPECT_FALSE(blocks_within(*model, needs.all, one_run));
    EXPECT_EQ(blocks_within(*model, needs.all, run_and_what_if), 6);
    EXPECT_THROW(blocks_within(*model, needs.least, shown_run), Error) << "a window looks at two and computes a third";
    try {
        blocks_within(*model, 1000, one_run);
        FAIL() << "two blocks do not fit into a kilobyte";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("give at least 1M"), std::string::npos) << e.what();
    }
}

TEST(Budget, TheWindowTakesOneWhereAWholeRunAndItsWhatIfDoNotFit) {
    const auto model = six_block_model();
    constexpr double gigabyte = 1 << 30;
    EXPECT_FALSE(blocks_in_free_memory(*model, shown_run, gigabyte));
    const double least = 2 * needs_of_runs(model->config, shown_run).least;  // half of what is free
    const std::optional<int> kept = blocks_in_free_memory(*model, shown_run, least);
    EXPECT_EQ(kept, 3);
    EXPECT_THROW(blocks_in_free_memory(*model, shown_run, least - 1), Error);
}

TEST(Budget, IsSaidInWordsOrAsAnAmount) {
    EXPECT_EQ(run_memory_of("automatic"), RunMemory());
    EXPECT_EQ(run_memory_of("all"), (RunMemory{RunMemory::Kind::all, 0}));
    EXPECT_EQ(run_memory_of("320M"), (RunMemory{RunMemory::Kind::amount, 320.0 * (1 << 20)}));
    EXPECT_EQ(run_memory_of("1.5G"), (RunMemory{RunMemory::Kind::amount, 1.5 * (1 << 30)}));
    for (const char* const word : {"", "M", "320", "-1M", "0G", "infG", "320MB", "some"})
        EXPECT_FALSE(run_memory_of(word)) << word;
    const auto model = six_block_model();
    EXPECT_FALSE(blocks_in(*model, {RunMemory::Kind::all, 0}, shown_run));
    const double least = needs_of_runs(model->config, shown_run).least;
    EXPECT_EQ(blocks_in(*model, {RunMemory::Kind::amount, least}, shown_run), 3);
}

TEST(Budget, WorkBesideTheBlocksTakesTheirRoomOrIsRefusedWithItsLeast) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace within = forward_within(budget_of(model, 4), image);
    {
        const RoomBesideBlocks room(within, {1, 1}, "a test");
        std::vector<std::weak_ptr<const BlockTrace>> seen;
        for (int number = 1; number <= 6; ++number) {
            seen.push_back(within.block(number));
            EXPECT_LE(std::ranges::count_if(seen, [](const auto& b) { return !b.expired(); }), 2);
        }
        try {
            const RoomBesideBlocks more(within, {4, 0}, "a test");
            FAIL() << "four blocks' worth do not fit beside one";
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("too little for a test; give at least"), std::string::npos)
                << e.what();
        }
    }
    std::vector<std::shared_ptr<const BlockTrace>> held;
    for (int number = 1; number <= 4; ++number) held.push_back(within.block(number));
    for (int number = 1; number <= 4; ++number)
        EXPECT_EQ(within.block(number), held[static_cast<std::size_t>(number - 1)]);
    const RoomBesideBlocks nothing(forward(*model, image), {1000, 1000}, "a run that keeps all blocks");
}

TEST(Budget, ABlockThatIsThereIsHandedOutWhileAnotherIsComputed) {
    BlockCache<int> cache(2);
    BlockCache<int>::Entry there{[] { return std::make_shared<const int>(1); }};
    const auto one = cache.get(there);
    BlockCache<int>::Entry computed{[&] {
        EXPECT_EQ(cache.there(there), one) << "who draws does not wait";
        return std::make_shared<const int>(2);
    }};
    EXPECT_EQ(cache.there(computed), nullptr);
    EXPECT_EQ(*cache.get(computed), 2);
    EXPECT_EQ(*cache.there(computed), 2);
}

TEST(Budget, KeepsTheWeightsOfATokenInAllBlocks) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const Trace whole = forward(*model, image), within = forward_within(budget_of(model, 2), image);
    const Trace changed = what_if(*model, within, std::vector{parse_intervention("mlp:4", model->config)});
    const TokenWeights row{1, false}, column{1, true};
    EXPECT_TRUE(has_weights(whole, row));
    EXPECT_FALSE(has_weights(within, row));
    keep_weights(within, {row, column});
    EXPECT_TRUE(has_weights(within, row));
    EXPECT_TRUE(has_weights(within, column));
    EXPECT_FALSE(has_weights(changed, row)) << "its later blocks have others";
    const NoPassHere draws;
    const int before = NoPassHere::broken();
    for (int block = 1; block <= 6; ++block)
        for (int head = 0; head < model->config.heads; ++head)
            for (const TokenWeights which : {row, column})
                EXPECT_EQ(weights_of_head(within, block, head, which), weights_of_head(whole, block, head, which));
    EXPECT_EQ(NoPassHere::broken(), before);
    within.block(1), within.block(2), within.block(3);
    EXPECT_GT(NoPassHere::broken(), before) << "a block that this thread computes is noticed";
}

TEST(Budget, AnswersInPassingAreThoseOfTheWholeRun) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const std::vector<Intervention> what_ifs{parse_intervention("mlp:4", model->config)};
    EXPECT_EQ(forward_in_passing(*model, image, {}, what_ifs).head->logits,
              forward(*model, image, {}, what_ifs).head->logits);
}

TEST(Budget, ALedgerOfManyTokensReadsEachBlockOnce) {
    Config c = six_blocks();
    c.readout = Readout::mean;
    const auto model = std::make_shared<Model>(lively_model(c, 4));
    const Tensor3 image = wavy_picture(c);
    const Trace within = forward_within(budget_of(model, 3), image);
    const NoPassHere counts;
    const int before = NoPassHere::broken();
    const Table ledger = measure({*model, within}, "ledger");
    EXPECT_LE(NoPassHere::broken() - before, c.blocks) << "not once for each patch";
    EXPECT_EQ(ledger.values, measure({*model, forward(*model, image)}, "ledger").values);
}

TEST(Budget, ADumpWithinItHasTheSameBytes) {
    const auto model = six_block_model();
    const Tensor3 image = wavy_picture(model->config);
    const TestFolder folder;
    write_safetensors(folder / "whole.safetensors", named_tensors(forward(*model, image)), {});
    write_safetensors(folder / "within.safetensors", named_tensors(forward_within(budget_of(model, 2), image)), {});
    const auto bytes = [](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_EQ(bytes(folder / "whole.safetensors"), bytes(folder / "within.safetensors"));
}

}  // namespace
}  // namespace vitrine
