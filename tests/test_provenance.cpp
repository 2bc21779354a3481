#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/base/random.h"
#include "core/transformer/edits.h"
#include "core/transformer/intervention.h"
#include "core/vit/forward.h"
#include "core/vit/provenance.h"
#include "core/vit/what_ifs.h"
#include "tests/edited_cells.h"
#include "tests/example_edits.h"
#include "tests/token_models.h"

namespace vitrine {
namespace {

/// Uneven sizes, so that no two axes can be mistaken for one another.
Config small_config() {
    Config c;
    c.image_height = 24;
    c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 2;
    c.mlp_dim = 20;
    c.classes = 5;
    return c;
}

Model shown_model() { return random_model(small_config(), 11); }

Tensor3 small_image() {
    Tensor3 image = tensor3(3, 24, 16);
    Random random(5);
    for (float& x : image) x = random.normal();
    return image;
}

/// Calls f(record, cell) for some cells of every tensor.
template <class F>
void for_cells(const std::vector<Intervention>& what_ifs, F f, const Config& config = small_config()) {
    const Model model = random_model(config, 11);
    const Trace trace = what_if(model, forward(model, small_image()), what_ifs);
    const Record record{model, trace, what_ifs};
    Random random(3);
    for (int q = 0; q < static_cast<int>(Quantity::count); ++q)
        for (int block = 0; block <= 2; ++block) {
            const auto quantity = static_cast<Quantity>(q);
            const int head = random.below(3);
            if (!exists(record, {quantity, block, head, 0, 0})) continue;
            const CellMatrix m = matrix_of(record, quantity, block, head);
            for (int i = 0; i < 12; ++i)
                f(record, Cell{quantity, block, head, random.below(m.rows), random.below(m.columns)});
        }
}

TEST(Provenance, EveryNumberOfARunIsRecomputedFromItsSourcesAlone) {
    std::set<Rule> rules;
    for_cells({}, [&](const Record& record, const Cell& cell) {
        const Derivation d = derive(record, cell);
        rules.insert(d.rule);
        EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result))) << name_of(cell.quantity, cell.block);
    });
    EXPECT_EQ(rules.size(), 9U);  // every rule was at work
}

TEST(Provenance, HoldsUnderEveryWhatIfThatChangesHowANumberIsComputed) {
    for (const Intervention& i :
         {normalise(Norm::after), normalise(Norm::none), normalise(Norm::after, 2), shuffle_tokens(4), without_skips(),
          without_skips(2), without_scaling(), without_scaling(2), temperature(0.5F), temperature(3, 1), key_is_query(),
          value_is_query(1), activate_with(Activation::elu, 2), remove_positions()})
        for_cells({i}, [&](const Record& record, const Cell& cell) {
            if (cell.quantity == Quantity::patch_embedding && cell.row < 0) return;
            const Derivation d = derive(record, cell);
            EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result)))
                << name_of(cell.quantity, cell.block) << " with " << to_word(i, record.model.config);
        });
}

TEST(Provenance, HoldsUnderEveryKindOfEdit) {
    for (const Intervention& i : example_edits())
        for_cells({i}, [&](const Record& record, const Cell& cell) {
            const Derivation d = derive(record, cell);
            if (acts_on(record.what_ifs, cell) || !std::isfinite(d.value)) return;
            EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result)))
                << name_of(cell.quantity, cell.block) << " with " << describe(i);
        });
}

TEST(Provenance, FindsAPatchBehindTwoShuffles) {
    for_cells({shuffle_tokens(4), shuffle_tokens(7)}, [&](const Record& record, const Cell& cell) {
        const Derivation d = derive(record, cell);
        EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result))) << name_of(cell.quantity, cell.block);
    });
}

TEST(Provenance, HoldsForEveryReadoutWithAndWithoutAClassToken) {
    for (const Readout readout : {Readout::mean, Readout::last})
        for (const bool class_token : {true, false}) {
            Config c = small_config();
            c.readout = readout;
            if (!class_token) c.leading.clear();
            int heads = 0;
            for_cells(
                {},
                [&](const Record& record, const Cell& cell) {
                    const Derivation d = derive(record, cell);
                    EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result)))
                        << name_of(cell.quantity, cell.block) << ", " << name_of(readout);
                    heads += cell.quantity == Quantity::head_ln ? 1 : 0;
                },
                c);
            EXPECT_GT(heads, 0);
        }
}

TEST(Provenance, HoldsForEveryKindOfTokenWithAndWithoutAPosition) {
    for (const std::vector<Intervention>& what_ifs : {std::vector<Intervention>{}, {remove_positions()}}) {
        Config c = small_config();
        c.leading = with_every_kind_of_token().leading;
        std::set<Quantity> seen;
        for_cells(
            what_ifs,
            [&](const Record& record, const Cell& cell) {
                const Derivation d = derive(record, cell);
                EXPECT_NEAR(d.result, d.value, 2e-5 * std::max(1.0, std::abs(d.result)))
                    << name_of(cell.quantity, cell.block) << " row " << cell.row;
                for (const Source& s : sources_of(record, cell)) seen.insert(s.region.quantity);
            },
            c);
        for (const Quantity q : {Quantity::class_token, Quantity::distillation_token, Quantity::register_tokens})
            EXPECT_TRUE(seen.contains(q)) << name_of(q, 0) << " is where a token's number comes from";
    }
}

TEST(Provenance, ANumberThatAWhatIfEditsDiffersFromWhatItsSourcesGive) {
    const Model model = shown_model();
    const std::vector<Intervention> what_ifs = {remove_head(1, 2)};
    const Trace trace = what_if(model, forward(model, small_image()), what_ifs);
    const Derivation d = derive({model, trace, what_ifs}, {Quantity::heads, 1, 2, 3, 1});
    EXPECT_EQ(d.value, 0.0F);
    EXPECT_NE(d.result, 0.0);
}

TEST(Provenance, SourcesLieInsideTheirTensorsAndOnlyLearnedNumbersAndPixelsHaveNone) {
    for_cells({}, [&](const Record& record, const Cell& cell) {
        const std::vector<Source> sources = sources_of(record, cell);
        const bool given = cell.quantity == Quantity::image || cell.quantity == Quantity::position ||
                           cell.quantity >= Quantity::patch_weight;
        EXPECT_EQ(sources.empty(), given) << name_of(cell.quantity, cell.block);
        for (const Source& s : sources) {
            const Region& r = s.region;
            EXPECT_TRUE(exists(record, {r.quantity, r.block, r.head, r.first_row, r.first_column}));
            EXPECT_TRUE(exists(record, {r.quantity, r.block, r.head, r.last_row - 1, r.last_column - 1}));
        }
    });
}

TEST(Provenance, CellsOutsideTheModelDoNotExist) {
    const Model model = shown_model();
    const Trace trace = forward(model, small_image());
    const Record record{model, trace, {}};
    EXPECT_TRUE(exists(record, {Quantity::q, 1, 2, 6, 3}));
    for (const Cell& cell :
         {Cell{Quantity::q, 0, 0, 0, 0}, Cell{Quantity::q, 3, 0, 0, 0}, Cell{Quantity::q, 1, 3, 0, 0},
          Cell{Quantity::q, 1, 0, 7, 0}, Cell{Quantity::q, 1, 0, 0, 4}, Cell{Quantity::z, -1, 0, 0, 0}})
        EXPECT_FALSE(exists(record, cell));
}

TEST(Provenance, EveryTensorIsFoundByItsName) {
    for (int q = 0; q < static_cast<int>(Quantity::count); ++q) {
        const auto quantity = static_cast<Quantity>(q);
        const std::string name = name_of(quantity, 12);
        const std::optional<NamedQuantity> found = quantity_named(name);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->quantity, quantity) << name;
        EXPECT_EQ(found->block, name.find("12") == std::string::npos ? 0 : 12) << name;
    }
    for (const char* const wrong : {"", "block", "block.3", "block.3.nose", "block.x.q", "z", "z.", "block.03.q", "q"})
        EXPECT_FALSE(quantity_named(wrong)) << wrong;
}

}  // namespace
}  // namespace vitrine
