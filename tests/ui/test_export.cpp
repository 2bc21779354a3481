#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/sessions/session.h"
#include "app/ui/languages.h"
#include "app/workspace/measured.h"
#include "app/workspace/shown_table.h"
#include "core/files/safetensors.h"
#include "core/measures/head_statistics.h"
#include "tests/drawn_folder.h"
#include "tests/program.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/taking_away.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST_F(TakingAway, NumbersAreWrittenInTheChosenFormAndByName) {
    h->change().focus().lab.instrument = Instrument::statistics;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.what.entropy");
    EXPECT_EQ(h->app->context().drafts.taking.measures.size(), 2U);
    h->tap("export.format.safetensors");
    h->tap("export.numbers");
    wait();
    const fs::path out = folder / "cat-lab-statistics";
    const Safetensors file = Safetensors::open(out / "distance.safetensors");
    EXPECT_EQ(file.entries().at("distance").shape, (std::vector<std::size_t>{4, 4}));
    EXPECT_TRUE(fs::exists(out / "entropy.safetensors"));
    const Tensor2& shown = h->app->context().jobs().of<Measuring>().latest(1).result->statistics->of("distance");
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(file.floats("distance").get()[i], shown.data()[i], 1e-4);
}

TEST_F(TakingAway, NumbersAndTheirManifestAreThoseOfTheCommand) {
    h->change()->what_ifs = {remove_head(2, 1)};
    h->change().focus().lab.rollout.fusion = HeadFusion::max;
    h->change().focus().lab.instrument = Instrument::depth;
    h->settle();
    h->app->ask(command::ExportNumbers{{"rollout", "ledger", "block.2.q"}, "csv"});
    h->frame(2);
    EXPECT_TRUE(busy());
    wait();
    const fs::path here = folder / "cat-lab-depth", there = own / "there", session = own / "session.vitrine";
    save_session(h->app->session(), session);
    const Outcome o = run("export --session " + session.string() +
                          " --what rollout,ledger,block.2.q --format csv --out " + there.string());
    ASSERT_EQ(o.status, 0) << o.err;
    for (const char* const name : {"rollout.csv", "ledger.csv", "block.2.q.csv"}) {
        EXPECT_FALSE(read(here / name).empty()) << name;
        EXPECT_EQ(read(here / name), read(there / name)) << name;
    }
    std::string manifest = read(there / "manifest.json");
    const std::size_t session_line = manifest.find("\n  \"session\": ");
    ASSERT_NE(session_line, std::string::npos) << manifest;
    manifest.erase(session_line, manifest.find('\n', session_line + 1) - session_line);
    EXPECT_EQ(read(here / "manifest.json"), manifest);
}

TEST_F(TakingAway, TheNumbersOfCompareBeginWithTheFiguresOwn) {
    h->change().focus().lab.instrument = Instrument::compare;
    h->change().focus().lab.picks = {{1, 0, {}}, {2, 1, 5}};
    h->change().focus().lab.combine = Combine::difference;
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_TRUE(h->shows("export.what.compare"));
    EXPECT_EQ(h->app->context().drafts.taking.measures, (std::set<std::string>{"compare"})) << "chosen at first";
    h->tap("export.numbers");
    wait();
    const std::string csv = read(folder / "cat-lab-compare" / "compare.csv");
    EXPECT_TRUE(csv.starts_with("block (from 1).head (from 0)@query (from 0),class token,")) << csv.substr(0, 200);
    EXPECT_NE(csv.find("\nX − Y,"), std::string::npos);
    EXPECT_LT(csv.find("\nX − Y,"), csv.find("\n2.1@5,"));
    EXPECT_LT(csv.size(), 10000U);
    const std::string manifest = read(folder / "cat-lab-compare" / "manifest.json");
    EXPECT_NE(manifest.find("\"lab.combine\": \"difference\""), std::string::npos) << manifest;

    const fs::path session = own / "session.vitrine", there = own / "there";
    save_session(h->app->session(), session);
    const Outcome o =
        run("export --session " + session.string() + " --what compare --format csv --out " + there.string());
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read(there / "compare.csv"), csv);
}

/// Chooses what Causes shows, and saves what the dialog has chosen then.
void save_cause(Harness& h, CauseFigure cause) {
    h.change().focus().lab.instrument = Instrument::causes;
    h.change().focus().lab.cause = cause;
    h.settle();
    h.press(Key::e, Key::ctrl);
    h.tap("export.format.csv");
    h.tap("export.numbers");
}

TEST_F(TakingAway, TheNumbersOfSeveralImagesAreThoseShownAndChosenAtFirst) {
    const fs::path images = own / "images";
    draw_into(images, {0, 6}, 1, [](int, int) { return "."; });
    h->change().focus().lab.images = images.string();
    h->change().focus().lab.over = ImportanceScope::images;
    const auto expect_saved = [&](CauseFigure cause, const std::string& name) {
        save_cause(*h, cause);
        EXPECT_EQ(h->app->context().drafts.taking.measures, std::set<std::string>{name});
        wait();
        const std::string csv = saved(name + ".csv");
        const Measured& measured = *h->app->context().workspace().measured;
        EXPECT_EQ(csv, to_text(shown_table(h->result(), h->focus(), &measured), ',')) << name;
        h->press(Key::escape);
    };
    expect_saved(CauseFigure::importance, "importance_over_images");
    expect_saved(CauseFigure::pruning, "pruning");
    const std::string manifest = read(folder / "cat-lab-causes-2" / "manifest.json");
    for (const char* const words :
         {"\"count\": 2", "\"of\": 2", "\"ranked_by\": \"images\"", "\"ranking\": \"removal\""})
        EXPECT_NE(manifest.find(words), std::string::npos) << words << "\n" << manifest;
}

TEST_F(TakingAway, TheNumbersOfPatchingAreThoseShownAndNoneWithoutASecondRun) {
    save_cause(*h, CauseFigure::patching);
    h->frame(2);
    EXPECT_EQ(h->app->context().drafts.taking.measures, std::set<std::string>{"patching"});
    EXPECT_FALSE(fs::exists(folder / "cat-lab-causes"));
    EXPECT_NE(h->app->state().told, "") << "there is nothing yet";
    h->press(Key::escape);
    h->press(Key::d, Key::ctrl);
    h->carry_out(command::OpenImage{{"mug", {}}});
    h->settle();
    h->settle();
    save_cause(*h, CauseFigure::patching);
    wait();
    const Measured& measured = *h->app->context().workspace().measured;
    const std::string manifest = saved("manifest.json");
    EXPECT_EQ(saved("patching.csv"), to_text(shown_table(h->result(), h->focus(), &measured), ','));
    EXPECT_NE(manifest.find("\"site\": \"stream\""), std::string::npos) << manifest;
    EXPECT_NE(manifest.find("compared_with"), std::string::npos) << manifest;
}

TEST_F(TakingAway, NumbersCanBeCancelledAndWhatDoesNotExistIsTold) {
    h->app->ask(command::ExportNumbers{{"occlusion", "occlusion_logit", "occlusion_margin", "rollout"}, "csv"});
    h->frame(1);
    EXPECT_TRUE(busy());
    h->app->ask(command::Do{"export.cancel"});
    h->frame(2);
    EXPECT_FALSE(busy());
    h->settle();
    EXPECT_FALSE(fs::exists(folder / "cat-lab-heads" / "rollout.csv"));
    h->app->ask(command::ExportNumbers{{"beauty"}, "csv"});
    h->frame(2);
    EXPECT_NE(h->app->error().find("beauty"), std::string::npos) << h->app->error();
    h->app->ask(command::ExportNumbers{{"rollout"}, "docx"});
    h->frame(2);
    EXPECT_NE(h->app->error().find("docx"), std::string::npos) << h->app->error();
}

TEST_F(TakingAway, InTheExplorerTheTensorsOfTheBlockAreOffered) {
    h->carry_out(command::EnterRoom{"explore"});
    h->change().focus().block = 2;
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_TRUE(h->shows("export.what.block.2.q"));
    h->tap("export.what.z.0");
    h->tap("export.format.csv");
    h->tap("export.numbers");
    wait();
    EXPECT_TRUE(fs::exists(folder / "cat-image" / "z.0.csv"));
}

TEST_F(TakingAway, TheNumbersOfTheChapterAreChosenAtFirst) {
    h->carry_out(command::EnterRoom{"explore"});
    for (const auto& [step, tensor] :
         {std::pair{"activation", "block.2.mlp.activation"}, std::pair{"attention", "block.2.attention"},
          std::pair{"image", "image"}, std::pair{"layer_norm", "block.2.ln1.out"}}) {
        go_to(*h, step);
        h->change().focus().block = 2;
        h->settle();
        h->press(Key::e, Key::ctrl);
        EXPECT_EQ(h->app->context().drafts.taking.measures, (std::set<std::string>{tensor})) << step;
        EXPECT_TRUE(h->item(std::string("export.what.") + tensor).visible) << step;
        h->press(Key::escape);
    }
    go_to(*h, "activation");
    h->press(Key::c, Key::ctrl);
    const std::string copied = clipboard();
    EXPECT_EQ(std::count(copied.begin(), copied.end(), '\n'), h->result().model->config.tokens() + 1)
        << "a line for each token, under the names of the columns";
    h->carry_out(command::EnterRoom{"laboratory"});
    h->change().focus().lab.instrument = Instrument::statistics;
    h->change().focus().lab.statistic = "entropy";
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->app->context().drafts.taking.measures, (std::set<std::string>{"entropy"}));
}

TEST_F(TakingAway, ThePicturesNumbersAreCopiedAsText) {
    h->change().focus().lab.instrument = Instrument::statistics;
    h->settle();
    h->press(Key::c, Key::ctrl);
    const std::string text = clipboard();
    EXPECT_TRUE(text.starts_with("block (from 1)\t1\t2\t3\t4\n1\t")) << text;
    for (const Instrument i : {Instrument::heads, Instrument::depth, Instrument::tokens, Instrument::lens,
                               Instrument::ledger, Instrument::occlusion, Instrument::causes}) {
        ImGui::SetClipboardText("");
        h->change().focus().lab.instrument = i;
        h->settle();
        h->press(Key::c, Key::ctrl);
        EXPECT_GT(clipboard().size(), 100U) << name_of(i);
    }
    ImGui::SetClipboardText("");
    go_to(*h, "attention");
    h->press(Key::c, Key::ctrl);
    EXPECT_TRUE(clipboard().starts_with("block.head (from 1)\tclass token\tpatch 1")) << clipboard().substr(0, 80);
    h->change().focus().looked_at = true;
    h->settle();
    h->press(Key::c, Key::ctrl);
    EXPECT_TRUE(clipboard().starts_with("block.head, who looks at the token (from 1)\tclass token\t"))
        << clipboard().substr(0, 80);
    const std::string first_row = clipboard().substr(clipboard().find('\n') + 1);
    const Tensor3& a = h->result().trace.block(h->focus().block)->attention;
    EXPECT_NEAR(std::stof(first_row.substr(first_row.find('\t') + 1)),
                a(0, static_cast<std::size_t>(h->focus().token), static_cast<std::size_t>(h->focus().token)), 1e-5);
    EXPECT_NE(first_row.find(number_text(a(0, 1, static_cast<std::size_t>(h->focus().token))).substr(0, 4)),
              std::string::npos);
    go_to(*h, "prediction");
    h->press(Key::c, Key::ctrl);
    EXPECT_TRUE(clipboard().starts_with("class\tlogit\tprobability\n" + h->result().model->config.label(0) + "\t"))
        << clipboard().substr(0, 80);
}

TEST_F(TakingAway, EveryTablesFileNamesItsChapterAndItsFirstCellWhatIsCounted) {
    h->carry_out(command::EnterRoom{"explore"});
    const std::set<std::string> counted = {"channel", "patch",     "token", "query", "feature",        "block.head",
                                           "level",   "class",     "model", "text",  "pre-activation", "key",
                                           "block",   "component", "word",  "unit",  "probability"};
    std::size_t tables = 0;
    for (const Step& step : curriculum()) {
        go_to(*h, step.id);
        ImGui::SetClipboardText("");
        h->app->ask(command::Do{"copy_numbers"});
        h->frame(3);
        const std::string table = clipboard();
        if (table.empty()) continue;  // no numbers here
        ++tables;
        const std::string cell = table.substr(0, table.find('\t')), first = cell.substr(0, cell.find_first_of(" ,"));
        EXPECT_TRUE(counted.contains(first)) << cell << " of " << step.id;
        h->app->ask(command::Do{"save_table"});
        const std::string file = "cat-" + std::string(step.id) + ".csv";
        wait();
        h->settle();
        EXPECT_TRUE(fs::exists(folder / file)) << file;
    }
    EXPECT_GT(2 * tables, curriculum().size()) << "most chapters have one";
    h->carry_out(command::EnterRoom{"exercise"});
    h->settle();
    h->app->ask(command::Do{"save_table"});
    wait();
    h->settle();
    const std::string name = "cat-exercise-" + std::string(name_of(h->focus().exercise)) + ".csv";
    EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST_F(TakingAway, WhereThereAreNoNumbersTheirButtonsSaySo) {
    h->tap("top.mode.learn");
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->settle();
    for (const char* const id : {"export.table", "export.copy"}) {
        h->hover(id);
        h->frame(60);
        EXPECT_EQ(h->item("tooltip").text, h->app->text()("export.no_arrays")) << id;
    }
}

/// In Train the file is named after its runs, and what cannot be saved says why without a pointer.
TEST_F(TakingAway, RunsInTrainingAreNamedAfterTheirExperimentAndSayWhatTheyHaveNot) {
    choose_runs(h->change()->learning, "norms");
    h->tap("top.mode.learn");
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->settle();
    EXPECT_EQ(fs::path(h->item("export.name").text).filename(), "learn-norms.png");
    EXPECT_FALSE(h->shows("export.numbers")) << "no arrays of the image in Explore";
    EXPECT_FALSE(h->shows("export.table_file"));
    const Text& text = h->app->text();
    EXPECT_EQ(h->item("export.picture_reason").text, text("export.no_png"));
    EXPECT_EQ(h->item("export.numbers_reason").text, text("export.no_arrays"));
    h->expect_readable("the export of runs");
    h->press(Key::escape);
    h->change()->learning.recorded = true;
    h->press(Key::e, Key::ctrl);
    h->settle();
    EXPECT_EQ(fs::path(h->item("export.name").text).filename(), "learn-norms-recorded.png");
    h->press(Key::escape);
    h->tap("top.mode.explore");
    h->press(Key::e, Key::ctrl);
    h->settle();
    EXPECT_FALSE(h->shows("export.picture_reason"));
    EXPECT_FALSE(h->shows("export.numbers_reason"));
    EXPECT_TRUE(h->shows("export.numbers"));
}

TEST_F(TakingAway, TheTableOnTheScreenIsOneFileNumberedAsTheScreenIs) {
    h->change().focus().lab.instrument = Instrument::depth;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.table");
    h->wait_until([&] { return fs::exists(folder / "cat-lab-depth.csv"); });
    const std::string rollout = read(folder / "cat-lab-depth.csv");
    const auto lines = std::ranges::count(rollout, '\n');
    EXPECT_EQ(lines, 1 + h->result().model->config.blocks) << "a row for each block: the chosen token's, not a matrix";
    EXPECT_TRUE(rollout.starts_with("block (from 1) · Attention through the blocks · class token · "))
        << rollout.substr(0, 90);
    EXPECT_NE(rollout.find(" · cat · " + h->result().model->provenance.name + ",class token,patch 1,"),
              std::string::npos)
        << "the first cell names picture and model: " << rollout.substr(0, 120);
    h->change().focus().lab.instrument = Instrument::heads;
    h->settle();
    const auto copied = [&] {
        h->app->ask(command::Do{"copy_numbers"});
        h->frame(3);
        return clipboard();
    };
    EXPECT_NE(copied().find("\n1.1\t"), std::string::npos);
    EXPECT_EQ(copied().find("\n1.0\t"), std::string::npos);
    h->change()->settings.count_from = 0;
    EXPECT_TRUE(copied().starts_with("block.head (from 0)\tclass token\tpatch 0\t")) << copied().substr(0, 60);
    EXPECT_NE(copied().find("\n0.0\t"), std::string::npos);
}

TEST_F(TakingAway, TheDialogSaysWhereTheTableGoes) {
    h->press(Key::e, Key::ctrl);
    const fs::path file = h->item("export.table_file").text;
    EXPECT_TRUE(h->item("export.table_file").visible);
    EXPECT_FALSE(fs::exists(file));
    h->tap("export.table");
    EXPECT_TRUE(fs::exists(file)) << file;
    EXPECT_NE(h->item("export.told").text.find(file.string()), std::string::npos);
    const fs::path folder = h->item("export.numbers_folder").text;
    EXPECT_FALSE(fs::exists(folder));
    h->tap("export.numbers");
    wait();
    EXPECT_TRUE(fs::is_directory(folder)) << folder;
}

TEST_F(TakingAway, TheCommandLineIsCopied) {
    h->change().focus().lab.instrument = Instrument::depth;
    h->change().focus().lab.rollout.fusion = HeadFusion::max;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.command");
    EXPECT_EQ(clipboard(),
              "vitrine snapshot pictograms:cat --model pictograms-small --lab depth --set lab.fusion=max "
              "--size 1920x1080 --out picture.png");
}

TEST(ExportDialog, WhatItSaysItselfIsNoNoticeOverIt) {
    Harness h;
    h.app->ask(command::ShowDialog{"take_away"});
    h.frame(4);
    h.door().state.told = h.door().state.notice = "Written: /home/somebody/vitrine/cat-attention-2.png";
    h.door().state.notice_until = ImGui::GetTime() + 5;
    h.frame(4);
    EXPECT_TRUE(h.shows("export.told"));
    EXPECT_FALSE(h.shows("notice"));
}

TEST(ExportDialog, FitsWithoutScrollingInASmallWindowInEveryLanguage) {
    const TestFolder folder;
    const fs::path deep = folder / "lectures" / "winter" / "transformers" / "pictures" / "of the third week" / "own";
    fs::create_directories(deep);
    Opening opening = Harness::with_image("cat");
    opening.state.settings.export_folder = deep.string();
    Harness h(std::move(opening), {1280, 720});
    for (const char* const room : {"explore", "laboratory", "text"}) {
        h.app->ask(command::EnterRoom{room});
        h.settle();
        h.app->ask(command::ShowDialog{"take_away"});
        h.settle();
        for (int i = 0; i < 4; ++i)
            h.door().state.sessions.push_back(deep / ("lecture-" + std::to_string(i) + ".vitrine"));
        for (const char* const language : {"en", "ja", "ko"}) {
            h.change()->settings.language = language;
            h.frame(5);
            const std::string where = std::string(room) + " in " + language;
            for (const char* const part : {"dialog.export", "export.left", "export.right"}) {
                const auto found = windows_with(part);
                ASSERT_FALSE(found.empty()) << part;
                for (const ImGuiWindow* const window : found)
                    EXPECT_TRUE(window->ScrollMax.y == 0 ||
                                std::string(window->Name).find("export.names") != std::string::npos)
                        << window->Name << ", " << where;
            }
            const Rect dialog = h.item("dialog").rect;
            for (const char* const id : {"export.png", "export.svg", "export.copy_picture", "export.save",
                                         "export.save_as", "export.command", "export.numbers", "export.copy"}) {
                const Rect rect = h.item(id).rect;
                EXPECT_GE(rect.height(), 20) << id << " is cut, " << where;
                EXPECT_LT(rect.x1, id == std::string("export.numbers") || id == std::string("export.copy")
                                       ? dialog.x1
                                       : dialog.centre().x)
                    << id << ", " << where;
            }
            EXPECT_TRUE(h.shows("export.open.0")) << where;
            h.expect_readable(where);
        }
        h.press(Key::escape);
    }
}

TEST(ExportDialog, AReportMovesNothing) {
    for (const std::string& language : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        h.app->ask(command::ShowDialog{"take_away"});
        h.frame(4);
        const Rect save = h.item("export.save").rect, folder = h.item("export.folder").rect;
        h.door().state.told = "Written: /home/somebody/vitrine/cat-attention-2.png";
        h.frame(4);
        EXPECT_EQ(h.item("export.save").rect, save) << language;
        EXPECT_EQ(h.item("export.folder").rect, folder) << language;
        EXPECT_TRUE(h.item("export.save").visible);
        EXPECT_LT(save.y1, folder.y0) << language;
        h.expect_readable("the export in " + language);
    }
}

}  // namespace
}  // namespace vitrine
