#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

#include "app/rooms/figures/change_figure.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/written.h"

// What stays in sight beside the picture: the effect of a what-if in large letters, whole rows of what is changed, and
// where there is more, its name and the way there.

namespace vitrine {
namespace {

TEST(ExplanationPanel, KeepsTheHeadingsOfAllPartsInSightAndScrollsToEach) {
    for (const ImVec2 size : {small_window, large_window})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "norm_variants");
            const Rect panel = h.item("prediction.line").rect;
            for (const char* const part :
                 {"references", "question", "code", "numbers", "equation", "switches", "words"}) {
                const std::string heading = std::string("explanation.scroll.to.") + part;
                if (std::string(part) == "switches" && !h.shows(heading)) continue;
                h.tap(heading);
                EXPECT_EQ(h.item(heading).text, h.app->text()(std::string("section.") + part));
                EXPECT_GE(h.item(heading).rect.x0, panel.x0 - 8) << language;
                EXPECT_LE(h.item(heading).rect.x1, panel.x1 + 8) << language;
                EXPECT_TRUE(h.item(std::string("section.") + part).visible) << part << " in " << language;
                EXPECT_TRUE(h.item(heading).visible) << "it stays in sight";
            }
            EXPECT_TRUE(h.item("section.words").visible) << "the words are first";
            h.expect_readable("the panel in " + language);
        }
}

TEST(ExplanationPanel, BeginsWithTheWords) {
    Harness h(Harness::with_image("cat"), small_window);
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        EXPECT_TRUE(h.item("section.words").visible) << step.id;
        for (const char* const part : {"section.equation", "section.switches", "section.numbers", "section.code"})
            if (h.shows(part)) {
                EXPECT_LT(h.item("section.words").rect.y0, h.item(part).rect.y0) << part << " of " << step.id;
            }
    }
}

TEST(ExplanationPanel, OfATextAndOfAnInstrumentKeepsItsHeadings) {
    Opening text = Harness::with_image("cat");
    text.state.room = "text";
    {
        Harness h(std::move(text), small_window);
        h.tap("text.panel.scroll.to.code");
        EXPECT_TRUE(h.item("section.code").visible);
        EXPECT_FALSE(h.item("section.words").visible);
        h.tap("text.panel.scroll.to.words");
        EXPECT_TRUE(h.item("section.words").visible);
    }
    Opening laboratory = Harness::with_image("cat");
    laboratory.state.room = "laboratory";
    laboratory.experiment.what_ifs = {remove_mlp(1), remove_positions()};
    Harness h(std::move(laboratory), small_window);
    h.tap("explanation.scroll.to.references");
    EXPECT_TRUE(h.item("section.references").visible);
    h.tap("explanation.scroll.to.controls");
    EXPECT_FALSE(h.item("section.references").visible);
}

TEST(ExplanationPanel, ShowsNoHeadingsAboveWhereAllPartsHaveRoom) {
    Harness h(Harness::with_image("cat"), small_window);
    for (const char* const part : {"equation", "numbers", "words", "code", "question", "references", "switches"})
        h.change()->settings.folded.insert(part);
    go_to(h, "prediction");
    EXPECT_EQ(first_id(h, "explanation.scroll.to."), "");
}

TEST(ExplanationPanel, ShowsThePredictionAsALineThatOpensAndStaysInPlace) {
    for (const ImVec2 size : {small_window, large_window}) {
        Harness h(Harness::with_image("cat"), size);
        open_changes(h);
        go_to(h, "scores");
        const Rect line = h.item("prediction.line").rect;
        EXPECT_EQ(h.item("prediction.line").text, "cat " + percent_text(h.item("top.0").value));
        EXPECT_LT(line.height(), 50) << "a line";
        EXPECT_FALSE(h.shows("top.1"));
        h.tap("prediction.line");
        EXPECT_TRUE(h.item("top.5").visible);
        EXPECT_NEAR(h.item("prediction.line").rect.y0, line.y0, 1) << "it opens above";
        h.expect_readable("the prediction opened");
        h.change()->what_ifs = {remove_positions()};
        h.settle();
        EXPECT_TRUE(h.item("top.2").visible);
        EXPECT_NEAR(h.item("prediction.line").rect.y0, line.y0, 1);
        h.tap("prediction.line");
        EXPECT_FALSE(h.shows("top.1"));
        EXPECT_TRUE(h.item("change.loss").visible) << "the effect is told beside the line";
        EXPECT_TRUE(h.item("change.probability").visible);
    }
}

/// An open prediction leaves less room above it, so each room has its own.
TEST(ExplanationPanel, OpensThePredictionInOneRoomAlone) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        state.selection.focus.lab.instrument = Instrument::compare;
        Harness h(std::move(state), small_window);
        h.tap("prediction.line");
        EXPECT_TRUE(h.shows("top.1"));
        h.press(Key::f3);
        h.settle();
        ASSERT_EQ(h.app->state().room, "laboratory");
        EXPECT_FALSE(h.shows("top.1")) << language;
        EXPECT_TRUE(h.item("lab.combine.difference").visible) << language;
        h.tap("prediction.line");
        EXPECT_TRUE(h.shows("top.1")) << language;
        h.tap("prediction.line");
        h.press(Key::f2);
        h.settle();
        EXPECT_TRUE(h.shows("top.1")) << "closed in the laboratory alone";
    }
}

TEST(ExplanationPanel, WritesOutTheNumberPointedAtWhereverItIsScrolled) {
    Harness h(Harness::with_image("cat"), small_window);
    go_to(h, "prediction");
    EXPECT_FALSE(h.item("section.numbers").visible);
    const Rect line = h.item("prediction.line").rect;
    h.change().focus().cell = Cell{Quantity::logits, 0, 0, 0, 1};
    h.settle();
    EXPECT_TRUE(h.item("computation").visible);
    EXPECT_LT(h.item("computation").rect.y1, line.y0);
    EXPECT_FALSE(h.item("section.numbers").visible) << "nothing scrolls";
    h.tap("cell.kept.switch");
    EXPECT_FALSE(h.shows("cell.kept"));
}

/// In a low window the changes are a line, and their effect another, in the room that a hint has without them: nothing
/// moves when one switches, nor when the pointer leaves, and nothing is drawn over anything else.
TEST(ExplanationPanel, TellsAChangeInTheRoomOfItsHintInALowWindow) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state), small_window);
        go_to(h, "activation");
        const std::string id = "switch.activation:relu";
        h.bring_into_view(id);
        const Rect place = h.item(id).rect, hint = h.item("removals.none").rect;
        h.tap(id);
        for (const bool away : {false, true}) {
            if (away) h.input.move(600, 300);
            h.frame(6);
            ASSERT_TRUE(h.shows("removals.title")) << language;
            EXPECT_TRUE(h.item("removals.title").visible) << language;
            EXPECT_TRUE(h.item("change.short").visible) << language;
            EXPECT_FALSE(h.shows("change.loss")) << language;
            EXPECT_EQ(h.item(id).rect.y0, place.y0) << language;
            EXPECT_NEAR(h.item("change.short").rect.y0, hint.y0, 1) << language;
            EXPECT_LT(h.item("change.short").rect.y1, h.item("removals.title").rect.y0 + 1) << language;
            h.expect_readable("a change in " + language);
        }
        EXPECT_GT(h.item("change.short").rect.y0, small_window.y * 2 / 3) << "a third of the panel, at most";
        h.tap("changes.box");
        h.frame(6);
        EXPECT_TRUE(h.item("change.loss").visible) << language;
        EXPECT_TRUE(h.item("removal.0").visible) << language;
        h.expect_readable("an open box in " + language);
        h.tap("changes.box");
        h.frame(6);
        EXPECT_FALSE(h.shows("change.loss")) << language;
        h.tap("removals.restore");
        EXPECT_TRUE(h.what_ifs().empty());
    }
}

TEST(ExplanationPanel, KeepsALineAndNoticesApartForAPhotograph) {
    const TestFolder folder;
    std::filesystem::copy(std::filesystem::path(VITRINE_SOURCE) / "assets/icon/vitrine-48.png", folder / "a.png");
    Harness h(Harness::with_image("cat"), small_window);
    h.app->open({folder / "a.png"});
    h.settle();
    go_to(h, "activation");
    ASSERT_TRUE(h.shows("foreign"));
    h.tap("switch.activation:relu");
    h.frame(6);
    EXPECT_LT(h.item("foreign").rect.y1, h.item("removals.title").rect.y0);
    h.expect_readable("a change of a photograph");
    h.tap("foreign.fold");
    h.frame(4);
    EXPECT_GT(h.item("foreign.words").rect.y0, h.item("foreign.fold").rect.y0) << "words follow their heading";
    h.expect_readable("why an answer means nothing");
}

TEST(ExplanationPanel, OpensAtItsBeginningThoughTheRunArrivesLater) {
    for (const char* const step : {"attention", "depth", "layer_norm"}) {
        Opening opening = Harness::with_image("cat");
        opening.selection.focus.step = step_index(step);
        Harness h(std::move(opening), small_window);
        h.settle();
        h.frame(6);
        EXPECT_TRUE(h.item("section.words").visible) << step;
    }
}

TEST(ExplanationPanel, OffersAnotherPictureOnlyWhereTheAnswerHardlyMoves) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    int offered = 0, moved = 0;
    for (const char* const word : {"no-norm", "no-skip", "mlp:1", "head:1.0", "positions", "post-norm"}) {
        h.change()->what_ifs = {parse_intervention(word, h.result().model->config)};
        h.settle();
        const AnswerChange change = *change_of(h.result());
        const bool moves = change.other_choice() || std::abs(change.probability()) > 0.1;
        EXPECT_FALSE(moves && h.shows("edge.try")) << word;
        offered += h.shows("edge.try");
        moved += moves;
    }
    EXPECT_GT(offered, 0);
    EXPECT_GT(moved, 0);
}

TEST(ExplanationPanel, SaysBesideTheEquationWhatIsChangedInIt) {
    Harness h(Harness::with_image("cat"), large_window);
    go_to(h, "scores");
    EXPECT_FALSE(h.shows("equation.changed"));
    h.change()->what_ifs = {parse_intervention("temperature:2", h.result().model->config), key_is_query(),
                            remove_head(2, 0)};
    for (const char* const step : {"qkv", "scores", "attention_matrix", "attention"}) {
        go_to(h, step);
        const std::string& told = h.item("equation.changed").text;
        const bool typeset = std::string_view(step) == "qkv";  // its equation is then another one
        EXPECT_EQ(told.find(h.app->text()("removal.key_is_query")) == std::string::npos, typeset) << told;
        EXPECT_NE(told.find("2"), std::string::npos) << told;
        EXPECT_EQ(told.find(h.item("removal.2").text), std::string::npos) << "a head is no part of it";
    }
    go_to(h, "mlp");
    EXPECT_FALSE(h.shows("equation.changed"));
    h.change()->what_ifs = {parse_intervention("temperature:2@3", h.result().model->config)};
    go_to(h, "scores");
    EXPECT_FALSE(h.shows("equation.changed")) << "it acts on another block";
}

TEST(ExplanationPanel, SaysOfEveryChapterWhatItsEquationDoesNotShow) {
    Harness h(Harness::with_image("cat"), large_window);
    const std::pair<const char*, std::vector<const char*>> told[] = {
        {"position_embedding", {"positions", "shuffle"}},
        {"qkv", {"no-norm", "post-norm"}},
        {"residual", {"no-norm"}},
        {"mlp", {"no-norm", "post-norm", "no-skip", "activation:relu"}},
        {"activation", {"activation:relu"}}};
    for (const auto& [step, words] : told)
        for (const char* const word : words) {
            h.change()->what_ifs = {parse_intervention(word, h.result().model->config)};
            h.settle();
            go_to(h, step);
            ASSERT_TRUE(h.shows("equation.changed")) << step << " " << word;
            EXPECT_NE(h.item("equation.changed").text.find(h.item("removal.0").text), std::string::npos) << word;
            if (std::string_view(word) == "positions") {
                EXPECT_NE(h.item("equation.changed").text.find("without positions"), std::string::npos);
            }
        }
    h.change()->what_ifs = {parse_intervention("post-norm", h.result().model->config)};
    go_to(h, "residual");
    EXPECT_FALSE(h.shows("equation.changed")) << "it has an equation of its own";
}

TEST(ExplanationPanel, KeepsWholeRowsOfWhatIsChangedAndTheWholeEffectInSight) {
    for (const ImVec2 size : {small_window, large_window})
        for (const WhatIfs& what_ifs :
             {WhatIfs{remove_mlp(1)}, WhatIfs{remove_mlp(1), remove_positions()},
              WhatIfs{remove_mlp(1), remove_positions(), remove_head(2, 0), remove_token(3)}}) {
            Harness h(Harness::with_image("cat"), size);
            open_changes(h);
            h.change()->what_ifs = what_ifs;
            h.settle();
            const float row = h.item("removal.0").rect.height();
            for (const auto& [id, item] : h.app->probe().items()) {
                if (!id.starts_with("removal.") || !item.visible || id.ends_with(".switch")) continue;
                EXPECT_NEAR(item.rect.height(), row, 1) << id << " of " << what_ifs.size() << " is a sliver";
            }
            for (const Step& step : curriculum()) {
                go_to(h, step.id);
                for (const char* const number : {"change.logit", "change.margin", "change.loss"})
                    EXPECT_NEAR(h.item(number).rect.height(), h.item("change.logit").rect.height(), 1)
                        << number << " is cut in " << step.id;
                EXPECT_GT(h.item("change.loss").rect.height(), 14) << step.id;
                EXPECT_LT(h.item("change.loss").rect.y1, size.y - 8) << step.id;
                if (!h.shows("edge.try")) continue;
                EXPECT_TRUE(h.item("edge.try").visible) << step.id;
                EXPECT_GE(h.item("edge.try").rect.height(), 28) << "the offer is cut in " << step.id;
            }
        }
}

/// As many changes as fit have their names, the others a number; pointing at the line lists them all.
TEST(ExplanationPanel, NamesInTheClosedLineAllChangesThatFitAndCountsTheOthers) {
    for (const ImVec2 size : {small_window, large_window})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            state.state.settings.folded.insert("changes.closed");
            Harness h(std::move(state), size);
            go_to(h, "attention");
            const std::string title = h.app->text()("removals.title") + ": ";
            h.change()->what_ifs = {remove_head(4, 2)};
            h.settle();
            const auto off = [&](const std::string& part) {
                return h.app->text()("switches.without", {{"part", part}});
            };
            const std::string head = off(h.app->text()("removal.head", {{"head", "3"}, {"block", "4"}}));
            const std::string told = h.item("changes.box").text;
            EXPECT_TRUE(told == title + head || told == head) << told << " in " << language;
            h.expect_readable("a named change in " + language);
            const std::vector<Intervention> changes = {remove_positions(), remove_mlp(1), remove_head(4, 2)};
            for (std::size_t count = 2; count <= changes.size(); ++count) {
                h.change()->what_ifs = {changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(count)};
                h.settle();
                const std::string line = h.item("changes.box").text;
                h.tap("changes.box");
                std::vector<std::string> names;
                for (std::size_t i = 0; i < count; ++i)
                    names.push_back(off(h.item("removal." + std::to_string(i)).text));
                h.tap("changes.box");
                std::set<std::string> right;
                for (const std::string& before : {title, std::string()})
                    for (std::size_t named = 1; named <= count; ++named) {
                        std::string words = before + names.front();
                        for (std::size_t i = 1; i < named; ++i) words += ", " + names[i];
                        right.insert(named < count ? words + " " +
                                                         h.app->text()("removals.more",
                                                                       {{"count", std::to_string(count - named)}})
                                                   : words);
                    }
                right.insert(h.app->text()("removals.title") + " · " + std::to_string(count));
                EXPECT_TRUE(right.contains(line)) << line << " in " << language;
                h.expect_readable("named changes in " + language);
            }
            h.tap("removals.restore");
            EXPECT_TRUE(h.what_ifs().empty());
            EXPECT_TRUE(h.shows("removals.none"));
        }
}

/// The explanation keeps six lines however much is open below it.
TEST(ExplanationPanel, KeepsSixLinesOfItsWordsBesideAnOpenPrediction) {
    for (const std::string& language : language_codes())
        for (const bool changed : {false, true})
            for (const char* const changes : {"changes.open", "changes.closed"}) {
                Opening state = Harness::with_image("cat");
                state.state.settings.language = language;
                state.state.settings.folded = {"prediction.open.explore", changes, "foreign"};
                if (changed) state.experiment.what_ifs = {remove_positions(), remove_mlp(1)};
                Harness h(std::move(state), small_window);
                go_to(h, "attention");
                const Rect words = h.item("section.words").rect;
                std::set<float> lines;
                float end = small_window.y;
                for (const ImGuiWindow* const window : windows_with("explanation.scroll")) end = window->Rect().Max.y;
                for (const Probe::Words& drawn : h.app->probe().words())
                    if (drawn.rect.x0 >= words.x0 - 4 && drawn.rect.y0 >= words.y1 - 2 && drawn.rect.y1 <= end + 1)
                        lines.insert(std::round(drawn.rect.y0));
                EXPECT_GE(lines.size(), 6U) << language << (changed ? " changed " : " ") << changes;
                EXPECT_TRUE(h.item("top.1").visible) << language << (changed ? " changed " : " ") << changes;
                h.expect_readable("an open prediction in " + language);
            }
}

}  // namespace
}  // namespace vitrine
