#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/chapters/step.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/room_parts.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/text_room.h"

// Captions of exported figures name what the figure depends on, and nothing else.

namespace vitrine {
namespace {

/// The figure alone as SVG: what an export without a caption would hold.
std::string figure_of(Harness& h) {
    h.door().state.figure = {.bare = true};
    h.frame(2);
    h.app->record("stage");
    h.frame(1);
    return h.app->take_recording();
}

TEST(FigureAlone, AsksForNoClick) {
    for (const char* const step : {"patches", "patch_embedding", "scores", "loss"}) {
        Harness h;
        go_to(h, step);
        const std::string figure = figure_of(h);
        EXPECT_GT(figure.size(), 1000U) << step;
        for (const char* const hint : {"lick", "below;"})
            EXPECT_EQ(figure.find(hint), std::string::npos) << step << " holds an instruction";
    }
}

std::string caption_in(Harness& h) {
    const AppContext& context = h.app->context();
    Probe probe;
    TextureCache textures;
    Ui ui{context.theme, context.text, probe, textures};
    ui.counted_from = context.state.settings.count_from;
    std::string all;
    for (const std::string& part :
         answers_of(context.state.room).taking.caption({ui, context.workspace(), context.workspace().selection}))
        all += (all.empty() ? "" : " · ") + part;
    return all;
}

/// Whether the figure differs after a change of the view.
template <class Change>
bool changes(Harness& h, const std::string& before, const Change& change) {
    const Focus kept = h.focus();
    change(h.change().focus());
    h.settle();
    const std::string after = figure_of(h);
    h.change().focus() = kept;
    h.settle();
    return before != after;
}

void expect_dependencies(Harness& h, const DependsOn& depends, const std::string& where) {
    const std::string before = figure_of(h);
    EXPECT_EQ(changes(h, before, [](Focus& f) { f.block = f.block % 4 + 1; }), depends.block || depends.level)
        << where << " by block";
    EXPECT_EQ(changes(h, before, [](Focus& f) { f.head = (f.head + 1) % 4; }), depends.head) << where << " by head";
    const bool by_token = changes(h, before, [](Focus& f) { f.token += 5; });
    EXPECT_EQ(by_token, depends.token || where == "image") << where << " by token: the image only marks a patch";
    const std::string words = caption_in(h);
    EXPECT_EQ(words.find("Block ") != std::string::npos, depends.block) << where << ": " << words;
    EXPECT_EQ(words.find("Head ") != std::string::npos, depends.head) << where << ": " << words;
    EXPECT_NE(words.find(h.result().model->provenance.name), std::string::npos) << where << ": " << words;
}

TEST(FigureCaptions, OfStepsNameWhatTheFigureDependsOn) {
    Opening opening = Harness::with_image("cat");
    opening.selection.focus.token = 20;
    Harness h(std::move(opening), {1600, 900});
    for (const Step& step : curriculum()) {
        h.change().focus().step = step_index(step.id);
        h.change()->motion.time = 1;
        h.settle();
        expect_dependencies(h, step.own.depends, std::string(step.id));
    }
}

TEST(FigureCaptions, OfInstrumentsNameWhatTheFigureDependsOn) {
    Harness h(laboratory(Instrument::heads), {1600, 900});
    h.change().focus().token = 20;
    const auto expect_of = [&](const auto& choose) {
        Laboratory to;
        choose(to);
        h.change().focus().lab = to;
        h.settle();
        const InstrumentRow& row = row_of(to.instrument);
        expect_dependencies(h, row.depends == nullptr ? DependsOn{} : row.depends(to), subject_of(to));
    };
    for (const Instrument instrument :
         {Instrument::heads, Instrument::statistics, Instrument::lens, Instrument::ledger, Instrument::occlusion})
        expect_of([&](Laboratory& to) { to.instrument = instrument; });
    for (const auto& [method, name] : depth_method_names)
        expect_of([&](Laboratory& to) { to.instrument = Instrument::depth, to.method = method; });
    for (const auto& [figure, name] : token_figure_names)
        expect_of([&](Laboratory& to) { to.instrument = Instrument::tokens, to.figure = figure; });
}

TEST(FigureCaptions, OfARolloutSayWhichBlocksAndHowTheirHeadsBecomeOne) {
    Harness h(laboratory(Instrument::depth), {1600, 900});
    EXPECT_NE(caption_in(h).find("class token · blocks ℓ = 1 to 4 · mean of the heads · α = 0.500 · cat"),
              std::string::npos)
        << caption_in(h);
    h.change().focus().lab.rollout = {HeadFusion::max, 0, 0.2F, 2, 4};
    h.settle();
    EXPECT_NE(
        caption_in(h).find("blocks ℓ = 2 to 4 · maximum of the heads · smallest 20.0 % of the weights dropped · "),
        std::string::npos)
        << caption_in(h);
    EXPECT_EQ(caption_in(h).find("Head 1"), std::string::npos) << caption_in(h);
    h.change().focus().lab.method = DepthMethod::relevance;
    h.settle();
    EXPECT_NE(caption_in(h).find("for cat · blocks ℓ = 2 to 4 · cat"), std::string::npos) << caption_in(h);
}

TEST(FigureCaptions, OfTextsNameTheTextAndNoImage) {
    Harness h(in_the_text_room(TextChapter::self_attention), {1600, 900});
    EXPECT_EQ(caption_in(h),
              "Block 2 · mean of the heads · “" + experiment(h).text_in(TextChapter::self_attention) + "” · EN → JA");
    h.change().focus().text.head = 2;
    h.settle();
    EXPECT_NE(caption_in(h).find("head 3"), std::string::npos) << caption_in(h);
    enter(h, TextChapter::loss);
    EXPECT_EQ(caption_in(h).find("Block"), std::string::npos) << caption_in(h);
    h.change().focus().text.lab.open = true;
    h.change().focus().text.lab.instrument = TextInstrument::rollout;
    h.settle();
    EXPECT_NE(caption_in(h).find("blocks ℓ = 1 to"), std::string::npos) << caption_in(h);
}

}  // namespace
}  // namespace vitrine
