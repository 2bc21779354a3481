#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "app/library/claim_figures.h"
#include "app/library/library.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/learning_view.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/claims/claims.h"
#include "core/text/vocabulary.h"
#include "core/training/pictures/pictures.h"
#include "core/training/presets.h"
#include "core/training/runs/example_pictures.h"
#include "core/training/trainer.h"
#include "core/vit/flat_weights.h"
#include "tests/files.h"
#include "tests/program.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
const fs::path source = VITRINE_SOURCE;

Trial trial(double margin) { return {margin, {{"a", 0.5 + margin}, {"times", 3, FigureKind::number}}}; }

Claim claim_of_more() {
    return {.id = "more", .words = "a is more", .keys = {"learn.words"}, .least = 0.1, .check = {}};
}

TEST(Claims, HoldWhereNineOfTenTriesAgree) {
    const Claim claim = claim_of_more();
    Verdict verdict{"more", "", std::vector<Trial>(9, trial(0.2))};
    verdict.trials.push_back(trial(0.05));
    EXPECT_EQ(verdict.agreeing(claim), 9);
    EXPECT_TRUE(verdict.holds(claim));
    verdict.trials.push_back(trial(0.05));
    EXPECT_FALSE(verdict.holds(claim));
    EXPECT_FALSE((Verdict{"more", "", {trial(0.2), trial(0.2), trial(0)}}.holds(claim))) << "of three all must agree";
    EXPECT_FALSE((Verdict{"more", "", {}}.holds(claim)));
    EXPECT_FALSE((Verdict{"more", "", {trial(std::nan(""))}}.holds(claim)));
}

TEST(Claims, MeansAreQuotedFromTheLogWhichIsWrittenAndRead) {
    ClaimLog log{"2026-11-22", "abc", {}};
    log.put({"more", "of", {trial(0.1), trial(0.3)}, "a processor; threads: 2"});
    log.put({"less", "", {trial(0)}});
    log.put({"less", "", {trial(-0.25)}});
    EXPECT_EQ(log.verdicts.size(), 2U);
    const std::string words = to_json(log);
    const ClaimLog again = claim_log_from_json(words, "test");
    EXPECT_EQ(to_json(again), words);
    EXPECT_EQ(again.verdicts.front().machine, "a processor; threads: 2");
    EXPECT_DOUBLE_EQ(again.figure("more.a").value, 0.7);
    EXPECT_EQ(again.figure("more.times").kind, FigureKind::number);
    EXPECT_DOUBLE_EQ(again.figure("less.a").value, 0.25);
    EXPECT_THROW(again.figure("more.b"), Error);
    EXPECT_THROW(again.figure("none.a"), Error);
    EXPECT_THROW(again.figure("more"), Error);
    EXPECT_THROW(claim_log_from_json("{}", "test"), Error);
}

std::map<std::string, std::string> words_of_language(const std::string& language) {
    std::map<std::string, std::string> table;
    const auto json = nlohmann::json::parse(read(source / "assets/text" / (language + ".json")));
    for (const auto& [key, words] : json.items()) table[key] = words;
    return table;
}

TEST(Claims, EveryOneIsSaidByTextsThatExistInEveryLanguage) {
    std::set<std::string> ids;
    for (const Claim& claim : claims()) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id << " stands twice";
        EXPECT_FALSE(claim.keys.empty()) << claim.id;
        EXPECT_TRUE(std::isfinite(claim.least) || std::isfinite(claim.most)) << claim.id << " cannot fail";
        EXPECT_TRUE(claim.check) << claim.id;
        for (const std::string& language : language_codes()) {
            const auto table = words_of_language(language);
            for (const char* const key : claim.keys)
                EXPECT_TRUE(table.contains(key)) << claim.id << ": " << key << " in " << language;
        }
    }
}

/// assets/claims/sentences.txt: keys of texts with what backs them, "claim ID, ID" or "test Suite.Name".
std::map<std::string, std::string> marked_sentences() {
    std::map<std::string, std::string> marked;
    std::istringstream lines(read(source / "assets/claims/sentences.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t at = line.find(" = ");
        if (at == std::string::npos || !marked.emplace(line.substr(0, at), line.substr(at + 3)).second)
            ADD_FAILURE() << "assets/claims/sentences.txt: " << line;
    }
    return marked;
}

std::vector<std::string> claims_named_in(const std::string& backing) {
    std::vector<std::string> ids;
    std::istringstream words(backing.substr(backing.find(' ')));
    for (std::string id; std::getline(words >> std::ws, id, ',');) ids.push_back(id);
    return ids;
}

TEST(Claims, EverySentenceThatIsMarkedHasARowOrATest) {
    const auto table = words_of_language("en");
    for (const auto& [key, backing] : marked_sentences()) {
        EXPECT_TRUE(table.contains(key)) << key;
        if (backing.starts_with("test ")) {
            const std::size_t dot = backing.find('.');
            const std::string suite = backing.substr(5, dot - 5), name = backing.substr(dot + 1);
            bool found = false;
            for (const auto& entry : fs::recursive_directory_iterator(source / "tests"))
                if (entry.path().extension() == ".cpp")
                    found = found || read(entry.path()).find("TEST(" + suite + ", " + (name == "*" ? "" : name)) !=
                                         std::string::npos;
            EXPECT_TRUE(found) << key << " rests on a test that is not there: " << backing;
            continue;
        }
        EXPECT_TRUE(backing.starts_with("claim ")) << key << " = " << backing;
        for (const std::string& id : claims_named_in(backing)) {
            const Claim* const claim = claim_named(id);
            ASSERT_NE(claim, nullptr) << key << ": there is no claim " << id;
            EXPECT_TRUE(std::ranges::any_of(claim->keys, [&](const char* k) { return key == k; }))
                << "the row of " << id << " does not name " << key;
        }
    }
}

TEST(Claims, EveryAnswerIsBackedByARowOrATest) {
    const auto marked = marked_sentences();
    const std::regex answers("(step|text)\\.[a-z_]+\\.answer");
    int count = 0;
    for (const auto& [key, words] : words_of_language("en")) {
        if (!std::regex_match(key, answers)) continue;
        ++count;
        EXPECT_TRUE(marked.contains(key)) << key << "; add it to assets/claims/sentences.txt";
    }
    EXPECT_GT(count, 30);
}

TEST(Claims, EveryTextThatARowNamesIsMarked) {
    const auto marked = marked_sentences();
    for (const Claim& claim : claims())
        for (const char* const key : claim.keys) {
            ASSERT_TRUE(marked.contains(key)) << key << " of " << claim.id << "; add it to assets/claims/sentences.txt";
            const auto ids = claims_named_in(marked.at(key));
            EXPECT_NE(std::ranges::find(ids, claim.id), ids.end()) << key << " is not marked as of " << claim.id;
        }
}

TEST(Claims, EveryFigureThatTextsQuoteStandsInTheLogAndIsOfARowThatNamesThem) {
    const std::regex quote("\\{claim:([a-z_0-9]+)\\.([a-z_0-9]+)\\}");
    int quotes = 0;
    for (const std::string& language : language_codes())
        for (const auto& [key, words] : words_of_language(language)) {
            for (auto it = std::sregex_iterator(words.begin(), words.end(), quote); it != std::sregex_iterator();
                 ++it, ++quotes) {
                const Claim* const claim = claim_named((*it)[1].str());
                ASSERT_NE(claim, nullptr) << key << " quotes " << it->str();
                EXPECT_TRUE(std::ranges::any_of(claim->keys, [&, key = key](const char* k) { return key == k; }))
                    << key << " quotes " << it->str() << ", but the claim's row does not name it";
            }
            EXPECT_EQ(with_claim_figures(words).find("⟦"), std::string::npos)
                << key << ": " << with_claim_figures(words);
            EXPECT_EQ(with_claim_figures(words).find("{claim:"), std::string::npos) << key;
        }
    EXPECT_GT(quotes, 20);
}

TEST(Claims, EveryExperimentOfLearnHasARowWhoseTextTellsOfIt) {
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        const Claim* const claim = claim_named(preset.id);
        ASSERT_NE(claim, nullptr) << preset.id;
        EXPECT_TRUE(claim->learns);
        const std::string key = "learn.experiment." + std::string(preset.id) + "_tip";
        EXPECT_TRUE(std::ranges::any_of(claim->keys, [&](const char* k) { return key == k; })) << key;
        for (const std::string& language : language_codes()) {
            const std::string words = words_of_language(language)[key];
            for (const char* const run : {".a}", ".b}"})
                EXPECT_NE(words.find("{claim:" + std::string(preset.id) + run), std::string::npos) << key << language;
        }
    }
}

TEST(Claims, TheLogHoldsThemAllAndWasMadeOfThisModelAndTheseExperiments) {
    const ClaimLog& log = claim_log();
    for (const Claim& claim : claims()) {
        const auto verdict = std::ranges::find(log.verdicts, claim.id, &Verdict::id);
        ASSERT_NE(verdict, log.verdicts.end()) << claim.id << " was not tried; ./dev claims --full";
        EXPECT_TRUE(verdict->holds(claim)) << claim.id << " does not hold; change the words, or the experiment";
        EXPECT_GE(verdict->trials.size(), 10U) << claim.id << " stands on too few tries; ./dev claims --full";
        EXPECT_EQ(verdict->of, claim.of) << claim.id << " was tried with other runs; ./dev claims --full";
    }
    EXPECT_EQ(log.model,
              sha256(read(source / "assets" / bundled_models().front().name / "model.safetensors")).substr(0, 64))
        << "the log is of another model; ./dev model";
}

TEST(Claims, PostNormAtMuonsRateNamesNoMoreThanAGuess) {
    const double guess = 1.0 / recipes_of(*preset_named<Pictures>("wiring"), 1)[1].model.classes;
    EXPECT_NEAR(claim_log().figure("wiring.b").value, guess, 0.01) << "learn.experiment.wiring_tip says so";
    EXPECT_NEAR(guess, 0.077, 0.0005) << "learn.experiment.wiring_adamw_tip says 7.7 % of 13 classes";
}

TEST(Claims, TheRecordedRunsAreThoseOfTheExperimentsInTheWindow) {
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        const RecordedPair* const pair = recorded_runs(preset.id);
        ASSERT_NE(pair, nullptr) << preset.id << "; ./dev claims --full records it";
        LearningState state;
        choose_runs(state, preset.id);
        const auto live = state.recipes();
        ASSERT_EQ(live.size(), 2U);
        for (std::size_t i = 0; i < live.size(); ++i) {
            EXPECT_EQ(to_json((*pair)[i].recipe), to_json(live[i])) << preset.id << ": recorded of another experiment";
            EXPECT_FALSE((*pair)[i].day.empty());
        }
        const Verdict& verdict = *std::ranges::find(claim_log().verdicts, preset.id, &Verdict::id);
        for (const std::size_t run : {0, 1})
            EXPECT_NEAR((*pair)[run].last, verdict.trials.front().figures[run].value, 0.001)
                << preset.id << ": the first try is the one that plays";
        EXPECT_LT(fs::file_size(source / "assets/claims/runs" / (std::string(preset.id) + ".json")), 400'000U);
        for (const RunRecord& record : *pair) {
            if (record.diverged) continue;
            ASSERT_EQ(record.sights.size(), 7U) << preset.id << ": learn.recorded_words says seven times";
            EXPECT_EQ(record.sights.back().seen, record.curve.seen.back());
            EXPECT_LT(record.sights[3].seen, record.curve.seen.back() / 2) << "most of them early";
        }
    }
}

/// The first block's gradient as a multiple of the last one's.
double gradient_ratio(const RecordedSight& sight) {
    return sight.blocks.front().gradient_norm / sight.blocks.back().gradient_norm;
}

/// The largest attention to a patch as a multiple of an even share: mean of the last block's heads, over the examples.
double sharpest_attention(const RunRecord& record, const RecordedSight& sight) {
    const Config& c = record.recipe.model;
    LearningState mean;
    float most = 0;
    for (int example = 0; example < RecordedSight::examples; ++example)
        most = std::max(most, std::ranges::max(example_attention(c, sight, example, mean)));
    return static_cast<double>(most) * c.patches();
}

TEST(Claims, TheRecordedLooksInsideShowWhatIsSaidOfThem) {
    EXPECT_LT(gradient_ratio((*recorded_runs("wiring"))[1].sights.back()), 1e-6)
        << "learn.words: with post-norm at a high rate they shrink by powers of ten";
    EXPECT_GT(gradient_ratio((*recorded_runs("wiring"))[0].sights.back()), 1) << "and before the sublayers they do not";
    EXPECT_GT(gradient_ratio((*recorded_runs("wiring_adamw"))[1].sights.back()), 0.01) << "nor at a low rate";
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        const RunRecord& a = (*recorded_runs(preset.id))[0];
        EXPECT_LT(sharpest_attention(a, a.sights.front()), 1.5) << preset.id << ": at first everywhere alike";
        EXPECT_GT(sharpest_attention(a, a.sights.back()), 1.5) << preset.id << ": later not";
    }
}

/// The attention on patches that mostly show the thing, as a multiple of their share of all patches: mean of the last
/// block's heads and of the examples.
double attention_to_things(const RunRecord& record, const RecordedSight& sight) {
    const Config& c = record.recipe.model;
    const Scenes scenes = record.recipe.pictures.scenes;
    const std::vector<ExamplePicture>& examples = example_pictures(scenes);
    double times = 0;
    for (int example = 0; example < RecordedSight::examples; ++example) {
        const int label = examples[static_cast<std::size_t>(example)].label;
        const DrawnPicture drawn =
            draw_picture({{.seed = 77, .scenes = scenes}, static_cast<std::uint64_t>(label), c.image_width, label});
        const std::vector<float> attention = example_attention(c, sight, example, LearningState());
        double all = 0, on_thing = 0, patches = 0;
        for (int patch = 0; patch < c.patches(); ++patch) {
            double covered = 0;
            for (int y = 0; y < c.patch_size; ++y)
                for (int x = 0; x < c.patch_size; ++x) {
                    const int row = patch / c.grid_width() * c.patch_size + y,
                              column = patch % c.grid_width() * c.patch_size + x;
                    covered += drawn.object[static_cast<std::size_t>(row * c.image_width + column)];
                }
            const double weight = static_cast<double>(attention[static_cast<std::size_t>(patch)]);
            all += weight;
            if (covered / (c.patch_size * c.patch_size) < 127.5) continue;
            on_thing += weight;
            ++patches;
        }
        times += on_thing / all / (patches / c.patches()) / RecordedSight::examples;
    }
    return times;
}

TEST(Claims, RecordedRunsThatLearnLookMoreAtTheObjectsAndABrightMapAloneProvesNothing) {
    int good = 0;
    for (const Preset<Pictures>& preset : presets<Pictures>())
        for (const RunRecord& record : *recorded_runs(preset.id)) {
            if (record.last < 0.5) continue;
            ++good;
            EXPECT_LT(attention_to_things(record, record.sights.front()), 1.1) << preset.id;
            EXPECT_GT(attention_to_things(record, record.sights.back()), 2) << preset.id;
            EXPECT_LT(attention_to_things(record, record.sights.back()), 5) << preset.id;
        }
    EXPECT_GE(good, 5);
    const RunRecord& without_norms = (*recorded_runs("norms"))[1];
    EXPECT_GT(sharpest_attention(without_norms, without_norms.sights.back()), 4) << "yellow";
    EXPECT_LT(without_norms.last, 0.2);
}

TEST(Claims, ExperimentsCountPicturesAndDifferInOneThing) {
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        const auto recipes = recipes_of(preset, 1);
        EXPECT_TRUE(recipes[0].promised_examples) << preset.id;
        EXPECT_EQ(recipes[0].promised_examples, recipes[1].promised_examples) << preset.id;
        EXPECT_NE(to_json(recipes[0]), to_json(recipes[1])) << preset.id;
        for (const Recipe& recipe : recipes) EXPECT_NO_THROW(check(recipe)) << preset.id;
        EXPECT_EQ(recipes_of(preset, 2)[0].pictures.seed, 1U) << "other pictures for every seed";
        EXPECT_EQ(preset_named<Pictures>(preset.id), &preset);
    }
    EXPECT_EQ(preset_named<Pictures>("no such"), nullptr);
}

TEST(RunRecord, KeepsCurvesThatAreWrittenAndRead) {
    Recipe recipe = recipe_of({.size = LearningSize::tiny, .patch = 8, .distinct = 64, .pictures = 256});
    std::vector<double> told;
    const RunRecord record = record_run(recipe, 1, [&](double share) { told.push_back(share); });
    EXPECT_EQ(record.curve.seen.back(), 256);
    EXPECT_EQ(record.curve.loss.size(), record.curve.seen.size());
    EXPECT_EQ(record.curve.unseen.size(), record.curve.checked.size());
    EXPECT_EQ(told.back(), 1);
    EXPECT_GT(record.last_training, 0);
    const RunRecord again = run_record_from_json(to_json(record), "test");
    EXPECT_EQ(to_json(again), to_json(record));
    EXPECT_EQ(to_json(again.recipe), to_json(recipe));
    const RecordedPair pair = {record, record};
    EXPECT_EQ(to_json(recorded_pair_from_json(to_json(pair), "test")), to_json(pair));
    for (const char* const text : {"", "[]", "{}", "{\"runs\": []}", "{\"runs\": [1, 2]}"}) {
        EXPECT_THROW(run_record_from_json(text, "test"), Error) << text;
        EXPECT_THROW(recorded_pair_from_json(text, "test"), Error) << text;
    }
    EXPECT_THROW(record_run(recipe, 1, [](double) { throw Cancelled(); }), Cancelled);
}

TEST(RunRecord, LooksInsideFromTheSecondStepToTheLast) {
    const Recipe recipe = recipe_of({.size = LearningSize::tiny, .patch = 8, .pictures = 512});
    const RunRecord record = record_run(recipe, 1);
    ASSERT_GE(record.sights.size(), 3U);
    EXPECT_EQ(record.sights.back().seen, 512);
    Trainer<Pictures> trainer(recipe, {1, 0});
    for (int step = 0; step < 2; ++step) trainer.step(trainer.progress());
    EXPECT_EQ(record.sights.front().seen, static_cast<double>(trainer.seen()));
    std::vector<ExamplePicture> examples = example_pictures(recipe.pictures.scenes);
    examples.resize(RecordedSight::examples);
    PictureSight live;
    look_at_examples(trainer.model(), examples, live);
    look_at_weights(trainer.model(), trainer.parameters(), trainer.gradients(), live);
    EXPECT_EQ(record.sights.front().attention, live.attention) << "what a live run shows then";
    EXPECT_GT(live.blocks[0].gradient_norm, 0);
    EXPECT_EQ(record.sights.front().blocks[0].gradient_norm, live.blocks[0].gradient_norm);

    const RunRecord read = run_record_from_json(to_json(record), "test");
    ASSERT_EQ(read.sights.size(), record.sights.size());
    const RecordedSight &kept = read.sights.front(), &made = record.sights.front();
    ASSERT_EQ(kept.attention.size(), made.attention.size());
    for (std::size_t i = 0; i < kept.attention.size(); ++i) EXPECT_NEAR(kept.attention[i], made.attention[i], 6e-5);
    ASSERT_EQ(kept.position_similarity.shape(), made.position_similarity.shape());
    EXPECT_NEAR(kept.position_similarity(0, 1), made.position_similarity(0, 1), 6e-5);
    for (std::size_t i = 0; i < kept.blocks.size(); ++i) {
        EXPECT_NEAR(kept.blocks[i].gradient_norm / made.blocks[i].gradient_norm, 1, 1e-3);
        for (std::size_t bin = 0; bin < BlockFlow::bins; ++bin)
            EXPECT_NEAR(kept.blocks[i].gradients[bin], made.blocks[i].gradients[bin], 6e-5);
    }
    for (const char* const part : {"attention", "probabilities", "positions", "blocks"}) {
        auto json = nlohmann::json::parse(to_json(record));
        json["inside"][1][part].erase(0);
        EXPECT_THROW(run_record_from_json(json.dump(), "test"), Error) << part << " of another model";
    }
}

TEST(Command, ClaimsAreListedTriedLoggedAndNotRunTwice) {
    const Outcome list = run("claims --list");
    ASSERT_EQ(list.status, 0) << list.err;
    for (const Claim& claim : claims()) EXPECT_NE(list.out.find(std::string(claim.id) + ": "), std::string::npos);
    expect_failure("claims --only nonsense", 2, "nonsense");
    const fs::path log = program_folder() / "claims_log.json";
    const Outcome tried = run("claims --only gradients --json --seeds 2 --log " + log.string());
    ASSERT_EQ(tried.status, 0) << tried.err;
    const auto json = nlohmann::json::parse(tried.out);
    EXPECT_TRUE(json["holds"]);
    EXPECT_EQ(json["claims"][0]["id"], "gradients");
    EXPECT_EQ(json["claims"][0]["seeds"], 2);
    const Verdict logged = claim_log_from_json(read(log), "log").verdicts.front();
    EXPECT_EQ(logged.trials.size(), 2U);
    EXPECT_NE(logged.machine.find("products: "), std::string::npos) << logged.machine;
    EXPECT_EQ(run("claims --only gradients --seeds 1 --log " + log.string()).status, 0) << "its own log is replaced";
    write(log, "something else");
    expect_failure("claims --only gradients --seeds 1 --log " + log.string(), 1, log.string());
}

}  // namespace
}  // namespace vitrine
