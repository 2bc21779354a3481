#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/jobs/jobs.h"
#include "app/jobs/text_running.h"
#include "app/library/references.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_zones.h"
#include "app/sessions/session_commands.h"
#include "app/ui/languages.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_lens.h"
#include "core/text/grammar/english_glosses.h"
#include "core/text/sentences.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

Opening measuring(TextInstrument instrument, TextTask task = TextTask::translate) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "text";
    TextLook& look = opening.selection.focus.text;
    TextDraft{opening.text_experiment, look}.choose(task, TextLanguage::japanese);
    look.lab.open = true;
    look.lab.instrument = instrument;
    return opening;
}

const TextLook& looked_at(const Harness& h) { return h.focus().text; }
const TextResult& measured_text(Harness& h) { return *h.app->workspace().text.result; }
std::string named(const std::string& id, int a) { return id + "." + std::to_string(a); }
std::string named(const std::string& id, int a, int b) { return named(named(id, a), b); }

/// What each instrument marks of itself.
const char* mark_of(TextInstrument instrument) {
    switch (instrument) {
        case TextInstrument::heads: return "text.lab.heads";
        case TextInstrument::statistics: return "text.lab.statistics";
        case TextInstrument::rollout: return "text.lab.rollout";
        case TextInstrument::lens: return "text.lab.lens";
        case TextInstrument::ledger: return "text.lab.sum";
        case TextInstrument::occlusion: return "text.lab.occlusion";
    }
    return "";
}

TEST(TextLaboratory, MeasuresARunOnlyWhereItsNumbersAreInView) {
    Opening opening = measuring(TextInstrument::heads);
    opening.selection.focus.text.lab.open = false;
    Harness h(std::move(opening));
    const auto measures = [&] { return measured_text(h).has_measures(); };
    const auto open = [&](bool lab, TextInstrument instrument) {
        h.change().focus().text.lab.open = lab;
        h.change().focus().text.lab.instrument = instrument;
        h.settle();
    };
    EXPECT_FALSE(measures()) << "a chapter";
    open(true, TextInstrument::heads);
    EXPECT_FALSE(measures()) << "an instrument that shows the trace";
    EXPECT_FALSE(h.app->context().jobs().has<TextMeasuring>());
    open(true, TextInstrument::lens);
    EXPECT_TRUE(measures());
    EXPECT_TRUE(h.shows("text.lab.lens"));
    EXPECT_TRUE(h.shows("status.idle"));
    open(false, TextInstrument::lens);
    h.change().text().read("The cat sees the dog.");
    h.settle();
    EXPECT_FALSE(measures()) << "another run, in a chapter";
    EXPECT_TRUE(h.shows("status.idle"));
    for (const Named<TextInstrument>& row : text_instrument_names) {
        open(true, row.value);
        EXPECT_TRUE(h.shows(mark_of(row.value))) << row.name;
    }
    EXPECT_EQ(measured_text(h).measures.said, words_said(measured_text(h).run));
}

TEST(TextLaboratory, KeepsTheLastPictureWhileTheNextRunIsMeasured) {
    Harness h(measuring(TextInstrument::occlusion));
    h.change().text().read("The cat sees the dog.");
    for (int frame = 0; frame < 200 && !(h.app->workspace().shows_requested_text()); ++frame) {
        h.frame();
        EXPECT_TRUE(measured_text(h).has_measures());
        EXPECT_TRUE(h.shows("text.lab.occlusion"));
    }
    h.settle();
    EXPECT_TRUE(measured_text(h).has_measures());
    EXPECT_EQ(std::ranges::count(measured_text(h).words, "dog"), 1);
}

TEST(TextLaboratory, TellsHowMuchOfARunIsMeasured) {
    TextRequest request;
    request.text = "The cat sees the dog.";
    const std::shared_ptr<const TextResult> run = run_request(request);
    std::vector<double> told;
    const auto measured = with_measures(run, [&](double fraction) { told.push_back(fraction); });
    EXPECT_TRUE(measured->has_measures());
    EXPECT_EQ(with_measures(measured), measured) << "it has them";
    EXPECT_GT(told.size(), 10U);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_DOUBLE_EQ(told.back(), 1);
    EXPECT_THROW(with_measures(run, [](double) { throw Cancelled(); }), Cancelled);
}

TEST(TextLaboratory, WritesTheTablesOfAllItsInstruments) {
    const TestFolder folder;
    Opening opening = measuring(TextInstrument::heads);
    opening.state.settings.export_folder = folder.path().string();
    Harness h(std::move(opening));
    command::ExportNumbers all{{}, "csv"};
    for (const Named<TextInstrument>& row : text_instrument_names) all.measures.emplace_back(row.name);
    SlowDisk disk(h);
    h.app->ask(all);
    h.frame(2);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "no frame waits for a slow disk";
    EXPECT_EQ(h.app->state().told, "");
    disk.go_on();
    h.settle();
    EXPECT_EQ(h.app->error(), "");
    std::set<std::string> written;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path()))
        if (file.path().extension() == ".csv" && file.file_size() > 0) written.insert(file.path().stem().string());
    EXPECT_EQ(written, std::set<std::string>(all.measures.begin(), all.measures.end()));
}

TEST(TextLaboratory, RefusesAFormatThatThereIsNot) {
    const TestFolder folder;
    Opening opening = measuring(TextInstrument::heads);
    opening.state.settings.export_folder = folder.path().string();
    Harness h(std::move(opening));
    h.app->ask(command::ExportNumbers{{"heads"}, "csv/../hidden"});
    h.settle();
    EXPECT_NE(h.app->error().find("csv, npy"), std::string::npos) << h.app->error();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TextLaboratory, SaysThatATextWithoutWordsHasNoNumbersToSave) {
    const TestFolder folder;
    Opening opening = measuring(TextInstrument::heads);
    opening.state.settings.export_folder = folder.path().string();
    Harness h(std::move(opening));
    h.change().text().read("");
    h.settle();
    h.app->ask(command::ExportNumbers{{"heads"}, "csv"});
    h.frame(2);
    EXPECT_FALSE(h.app->state().exporting) << "no other process is asked";
    EXPECT_NE(h.app->state().told.find(h.app->text()("export.no_numbers")), std::string::npos) << h.app->state().told;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(h.app->error(), "");
}

TEST(TextLaboratory, IsTheLaboratorysKeyOrTabFromTheTextRoomAndAButtonThere) {
    Harness h;
    h.change().text().enter(TextChapter::cross_attention);
    h.press(Key::f8);
    EXPECT_TRUE(h.shows("text.attention"));
    h.press(Key::f3);
    EXPECT_EQ(h.app->state().room, "text") << "what is measured is the text";
    EXPECT_TRUE(h.shows("text.lab.heads"));
    EXPECT_FALSE(h.shows("text.attention"));
    h.press(Key::f8);
    EXPECT_TRUE(h.shows("text.attention")) << "the chapter that was open";
    h.tap("top.mode.laboratory");
    EXPECT_TRUE(h.shows("text.lab.heads"));
    h.tap("top.mode.text");
    EXPECT_TRUE(h.shows("text.attention"));
    h.tap("text.lab.open");
    EXPECT_TRUE(h.shows("text.lab.heads"));
    h.tap("text.lab.close");
    EXPECT_TRUE(h.shows("text.attention"));
    h.press(Key::f3);
    h.press(Key::escape);
    EXPECT_TRUE(h.shows("text.attention"));
    h.press(Key::f2);
    h.press(Key::f3);
    EXPECT_EQ(h.app->state().room, "laboratory") << "from pictures to the laboratory of pictures";
    EXPECT_FALSE(h.shows("text.lab.heads"));
}

TEST(TextLaboratory, TabsArrowsAndTheFinderWalkThroughTheInstruments) {
    Harness h(measuring(TextInstrument::heads));
    for (const Named<TextInstrument>& row : text_instrument_names) {
        EXPECT_EQ(looked_at(h).lab.instrument, row.value);
        EXPECT_TRUE(h.shows(mark_of(row.value))) << row.name;
        h.press(Key::right);
    }
    EXPECT_EQ(looked_at(h).lab.instrument, TextInstrument::occlusion);
    h.press(Key::left);
    EXPECT_EQ(looked_at(h).lab.instrument, TextInstrument::ledger);
    h.tap("text.lab.tab.lens");
    EXPECT_TRUE(h.shows("text.lab.lens"));
    h.press(Key::f2);
    h.press(Key::k, Key::ctrl);
    h.type("where a word's logit");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_TRUE(h.shows("text.lab.sum"));
}

TEST(TextLaboratory, EveryTaskHasEveryInstrument) {
    for (const Named<TextTask>& task : text_task_names) {
        Harness h(measuring(TextInstrument::heads, task.value));
        for (const Named<TextInstrument>& row : text_instrument_names) {
            h.change().focus().text.lab.instrument = row.value;
            h.settle();
            EXPECT_TRUE(h.shows(mark_of(row.value))) << row.name << " of " << task.name;
            EXPECT_FALSE(shown_table(measured_text(h), h.app->workspace().selection).values.empty()) << row.name;
        }
    }
}

TEST(TextLaboratory, ShowsEveryHeadOfAKindAndAClickOpensItInItsChapter) {
    Harness h(measuring(TextInstrument::heads));
    const TextConfig& c = measured_text(h).model->config;
    for (const TextAttention kind : attentions_of(c)) {
        h.tap("text.lab.kind." + std::string(name_of(kind)));
        for (int block = 1; block <= blocks_of(c, kind); ++block)
            for (int head = 0; head < c.heads; ++head) EXPECT_TRUE(h.shows(named("text.lab.map", block, head)));
    }
    h.hover("text.lab.map.2.1");
    EXPECT_TRUE(h.shows("text.lab.map.2.1.value"));
    h.tap("text.lab.map.2.1");
    EXPECT_EQ(looked_at(h).chapter, TextChapter::cross_attention);
    EXPECT_EQ(looked_at(h).block, 2);
    EXPECT_EQ(looked_at(h).head, 1);
    EXPECT_TRUE(h.shows("text.attention"));
}

TEST(TextLaboratory, StatisticsAreTheMeasuresAndANameSortsByIt) {
    Harness h(measuring(TextInstrument::statistics));
    const TextHeadStatistics s = text_head_statistics(measured_text(h).run.trace, TextAttention::cross);
    for (const TextHeadStatistics::Column& c : s.columns)
        EXPECT_NEAR(h.item(std::string("text.lab.value.2.3.") + c.statistic->name).value,
                    static_cast<double>(c.values(1, 3)), 1e-6);
    h.tap("text.lab.sort.end");
    EXPECT_EQ(looked_at(h).lab.statistic, "end");
    std::vector<std::pair<float, double>> rows;
    for (int block = 1; block <= 2; ++block)
        for (int head = 0; head < 4; ++head)
            rows.emplace_back(h.item(named("text.lab.row", block, head)).rect.y0,
                              h.item(named("text.lab.value", block, head) + ".end").value);
    std::ranges::sort(rows);
    for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_GE(rows[i - 1].second, rows[i].second);
    h.tap("text.lab.sort.end");
    EXPECT_EQ(looked_at(h).lab.statistic, "");
    h.tap("text.lab.row.1.2");
    EXPECT_EQ(looked_at(h).block, 1);
    EXPECT_EQ(looked_at(h).head, 2);
    EXPECT_FALSE(looked_at(h).lab.open);
}

TEST(TextLaboratory, NamesOfHeadsEndBeforeTheBarsBeginInEveryLanguage) {
    Harness h(measuring(TextInstrument::statistics), {1280, 720});
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        h.frame(3);
        const Rect name = h.item("text.lab.name.2.3").rect, bars = h.item("text.lab.value.2.3.entropy").rect;
        EXPECT_GT(name.width(), 40) << language;
        EXPECT_LT(name.x1 + 8, bars.x0) << language;
    }
}

TEST(TextLaboratory, SharesOfARolloutSumToOneOverBothSidesAndFollowTheChosenWord) {
    Harness h(measuring(TextInstrument::rollout));
    for (const int row : {0, 5}) {
        h.change().focus().text.target = row;
        h.frame(3);
        double sum = 0;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("text.lab.source.value.") || id.starts_with("text.lab.own.value.")) sum += item.value;
        EXPECT_NEAR(sum, 1, 1e-4);
        EXPECT_TRUE(h.shows(named("text.lab.own.value", row)));
        EXPECT_FALSE(h.shows(named("text.lab.own.value", row + 1))) << "a word behind the mask has no share";
        EXPECT_EQ(h.item("text.lab.rollout").text,
                  produced_tokens(measured_text(h), measured_text(h).run).words[static_cast<std::size_t>(row)]);
    }
    h.tap("text.lab.level.1");
    EXPECT_EQ(looked_at(h).lab.level, 1);
    EXPECT_NEAR(h.item("text.lab.source.value.0").value,
                static_cast<double>(measured_text(h).measures.rollout.source[0](5, 0)), 1e-6);
    h.tap("text.lab.stack.encoder");
    h.tap("text.lab.source.1");
    EXPECT_EQ(looked_at(h).source, 1);
    EXPECT_NEAR(h.item("text.lab.source.value.2").value,
                static_cast<double>(measured_text(h).measures.rollout.encoder[0](1, 2)), 1e-6);
}

TEST(TextLaboratory, TheLensEndsInWhatIsSaidAndACellChoosesItsWord) {
    Harness h(measuring(TextInstrument::lens));
    h.change().focus().text.target = 1;
    h.frame(3);
    const TextTokens said = produced_tokens(measured_text(h), measured_text(h).run);
    for (const int row : {0, 1, 2}) {
        const Probe::Item& cell = h.item(named("text.lab.lens", 2, row) + ".value");
        EXPECT_EQ(cell.text, said.words[static_cast<std::size_t>(row)]);
        const std::size_t r = static_cast<std::size_t>(row);
        const int id = measured_text(h).measures.said[r];
        EXPECT_NEAR(
            cell.value,
            static_cast<double>(measured_text(h).run.trace.generator->probabilities(r, static_cast<std::size_t>(id))),
            1e-6);
        EXPECT_TRUE(h.item(named("text.lab.lens", 2, row) + ".told").text.starts_with(english_gloss(cell.text)));
    }
    h.tap("text.lab.lens.0.2");
    EXPECT_EQ(looked_at(h).target, 2);
}

TEST(TextLaboratory, TheLedgersBarsSumToTheLogitOfTheWordThatIsAskedAbout) {
    for (const Named<TextTask>& task : text_task_names) {
        SCOPED_TRACE(task.name);
        Harness h(measuring(TextInstrument::ledger, task.value));
        for (const int candidate : {0, 1}) {
            h.tap(named("text.lab.word", candidate));
            double sum = 0;
            for (const auto& [id, item] : h.app->probe().items())
                if (id.starts_with("text.lab.part.") && id.ends_with(".amount")) sum += item.value;
            EXPECT_NEAR(sum, h.item("text.lab.sum").value, 1e-4);
            EXPECT_NEAR(h.item("text.lab.part.sum").value, h.item("text.lab.sum").value, 1e-4) << "its own bar";
            const std::string word = looked_at(h).lab.word;
            const TextModel& model = *measured_text(h).model;
            const int number = model.config.has_decoder()
                                   ? model.target.id(word)
                                   : static_cast<int>(std::ranges::find(model.labels, word) - model.labels.begin());
            const int row =
                model.config.has_decoder() ? target_in_view(measured_text(h), h.app->workspace().selection) : 0;
            EXPECT_NEAR(h.item("text.lab.sum").value,
                        static_cast<double>(measured_text(h).run.trace.generator->logits(
                            static_cast<std::size_t>(row), static_cast<std::size_t>(number))),
                        2e-4);
        }
        h.tap("text.lab.word.said");
        EXPECT_EQ(looked_at(h).lab.word, "");
    }
}

TEST(TextLaboratory, AHeadOfTheLedgerOpens) {
    Harness h(measuring(TextInstrument::ledger));
    const double folded = h.item("text.lab.part.block.2.amount").value;
    EXPECT_FALSE(h.shows("text.lab.part.decoder.2.head.1.amount"));
    h.tap("text.lab.part.block.2");
    EXPECT_EQ(h.item("text.lab.part.block.2.written").value, folded) << "an opened block keeps its total";
    double parts = 0;
    for (const auto& [id, item] : h.app->probe().items())
        if ((id.starts_with("text.lab.part.decoder.2.") || id.starts_with("text.lab.part.cross.2.")) &&
            id.ends_with(".amount"))
            parts += item.value;
    EXPECT_NEAR(parts, folded, 1e-4);
    h.expect_readable("an opened block");
    h.tap("text.lab.part.decoder.2.head.1");
    EXPECT_EQ(looked_at(h).chapter, TextChapter::masked_attention);
    EXPECT_EQ(looked_at(h).block, 2);
    EXPECT_EQ(looked_at(h).head, 1);
}

TEST(TextLaboratory, ACoveredWordsNumberIsTheFallOfTheChosenWordsLogProbability) {
    Harness h(measuring(TextInstrument::occlusion));
    h.change().focus().text.target = 2;
    h.frame(3);
    for (const Named<WordCover>& cover : word_cover_names) {
        h.tap("text.lab.cover." + std::string(cover.name));
        EXPECT_EQ(looked_at(h).lab.cover, cover.value);
        const TextOcclusion& map = measured_text(h).measures.under(cover.value);
        for (std::size_t i = 0; i < map.covered.size(); ++i) {
            const bool source = map.covered[i].stack == Stack::encoder;
            if (!source && map.covered[i].place > 2) continue;
            EXPECT_NEAR(
                h.item(named(source ? "text.lab.source.value" : "text.lab.own.value", map.covered[i].place)).value,
                static_cast<double>(map.drop(i, 2)), 1e-6);
        }
    }
    EXPECT_FALSE(h.shows("text.lab.own.value.3")) << "a later word is hidden from this one";
    h.tap("text.lab.covered");
    EXPECT_NE(looked_at(h).target, 2) << "a line of all words chooses its word";
}

TEST(TextLaboratory, TrainingNeverShowsTheUnknownWord) {
    for (const Named<TextTask>& task : text_task_names)
        for (std::uint64_t i = 0; i < 300; ++i) {
            const TextExample e = draw_example({task.value, TextLanguage::japanese, 1}, TextStream::learning, i);
            const Vocabulary source = source_vocabulary(task.value, TextLanguage::japanese);
            for (const std::string& word : e.source)
                ASSERT_TRUE(source.knows(word) || target_vocabulary(task.value, TextLanguage::japanese).knows(word))
                    << word;
        }
}

TEST(TextLaboratory, IsKeptInSessionsAndUndone) {
    Harness h(measuring(TextInstrument::statistics));
    h.tap("text.lab.sort.first");
    h.tap("text.lab.tab.occlusion");
    h.tap("text.lab.cover.nothing");
    const Session session = session_of(std::as_const(h.app->context()));
    const Session read = parse_session(to_json(session), "test");
    EXPECT_EQ(read.focus.text, looked_at(h));
    EXPECT_EQ(read.text_experiment, h.app->workspace().text_experiment);
    EXPECT_NE(command_line_of(session, {"dark", "en", 1920, 1080, false}).find("--text occlusion"), std::string::npos);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(looked_at(h).lab.cover, WordCover::unknown);
}

TEST(TextLaboratory, TabsKindsAndTheExportHaveANameEachAndATipEach) {
    Harness h(measuring(TextInstrument::ledger));
    std::set<std::string> tips;
    for (const char* const kind : {"encoder", "decoder", "cross"})
        EXPECT_TRUE(tips.insert(h.app->text()("text.lab.kind." + std::string(kind) + "_tip")).second);
    for (const auto& row : text_instrument_names)
        EXPECT_TRUE(tips.insert(h.app->text()("text.lab." + std::string(row.name) + ".title")).second);
    h.app->ask(command::ShowDialog{"take_away"});
    h.settle();
    for (const auto& row : text_instrument_names)
        EXPECT_EQ(h.item("export.what." + std::string(row.name)).text,
                  h.app->text()("text.lab.tab." + std::string(row.name)));
}

TEST(TextLaboratory, TheLensSaysHowManyWordsItShows) {
    Harness h(measuring(TextInstrument::lens), {1280, 720});
    h.settle();
    h.frame(3);
    const auto best = h.item("text.lab.lens.best.0");
    EXPECT_NE(best.text.find(std::to_string(static_cast<int>(best.value))), std::string::npos) << best.text;
    const std::size_t said = h.app->workspace().text.result->measures.said.size();
    if (h.shows("text.lab.lens.part")) {
        EXPECT_NE(h.item("text.lab.lens.part").text.find(std::to_string(said)), std::string::npos);
    }
    h.expect_readable("the lens of a text");
}

TEST(TextLaboratory, ItsNumbersAreCopied) {
    Harness h(measuring(TextInstrument::ledger));
    h.press(Key::c, Key::ctrl);
    const char* const copied = ImGui::GetClipboardText();
    ASSERT_NE(copied, nullptr);
    EXPECT_NE(std::string(copied).find("cross.2.head.3"), std::string::npos) << copied;
}

TEST(TextLaboratory, ListsWhatEachInstrumentRestsOn) {
    Harness h(measuring(TextInstrument::heads));
    for (const Named<TextInstrument>& row : text_instrument_names)
        EXPECT_FALSE(references_of("text.lab." + std::string(row.name)).empty()) << row.name;
}

TEST(TextLaboratory, NoWordsAreCutOrLieOverOthersInAnyInstrumentLanguageTaskOrSize) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}})
        for (const std::string& language : language_codes())
            for (const Named<TextTask>& task : text_task_names) {
                Opening opening = measuring(TextInstrument::heads, task.value);
                opening.state.settings.language = language;
                Harness h(std::move(opening), size);
                for (const Named<TextInstrument>& row : text_instrument_names) {
                    h.change().focus().text.lab.instrument = row.value;
                    h.frame(3);
                    h.expect_readable(std::string(row.name) + " of " + task.name + " in " + language + " at " +
                                      std::to_string(static_cast<int>(size.x)));
                    for (const auto& [id, item] : h.app->probe().items())
                        EXPECT_EQ(item.text.find("⟦"), std::string::npos) << id << ": " << item.text;
                }
            }
}

}  // namespace
}  // namespace vitrine
