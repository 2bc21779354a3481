#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/chapters/step.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/settings.h"
#include "core/base/error.h"
#include "core/vit/what_ifs.h"
#include "tests/small_model.h"

// Files that earlier versions wrote still open, and mean the same. What lies in tests/old_files is never written anew.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

fs::path old_file(const char* name) { return fs::path(VITRINE_SOURCE) / "tests/old_files" / name; }

std::string words_in(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

TEST(OldFiles, ASessionOfTheExplorerMeansTheSame) {
    const Session s = load_session(old_file("explore.vitrine"));
    EXPECT_EQ(s.room, "explore");
    EXPECT_EQ(s.image.sample, "pictograms:cat:17:hard:256");
    EXPECT_EQ(s.time, 0.25F);
    const Focus& f = s.focus;
    EXPECT_EQ(f.step, step_index("attention"));
    EXPECT_EQ(std::tie(f.block, f.head, f.token, f.key, f.feature, f.unit), std::make_tuple(3, 2, 13, 7, 5, 9));
    EXPECT_TRUE(f.solo && f.scores && f.slopes && f.all_tokens && f.batch_norm);
    EXPECT_EQ(f.scope, Scope::fixed);
    EXPECT_EQ(f.half, Half::mlp);
    EXPECT_EQ(f.zoom, (Zoom{0.25F, 0.125F, 0.5F}));
    EXPECT_EQ(f.cube, 4);
    EXPECT_EQ(f.cell, (Cell{Quantity::k, 2, 1, 3, 4}));
    EXPECT_EQ(f.dials.dropout, 0.3F);
    EXPECT_EQ(std::tie(f.dials.seed, f.dials.samples, f.dials.true_class), std::make_tuple(4, 40, 2));
    EXPECT_EQ(f.dials.wiring, Wiring::no_skips);
    EXPECT_EQ(f.dials.shape.blocks, 24);
    EXPECT_EQ(config_of(f.dials.shape).patches(), 37 * 37);
    EXPECT_EQ(f.dials.shape.qkv_biases, 0);
}

TEST(OldFiles, WhatIfsOfASessionMakeTheSameChanges) {
    const Session s = load_session(old_file("explore.vitrine"));
    const Config config = open_model(s.model)->config;
    const std::vector<Intervention> meant = {remove_head(2, 1),
                                             remove_token(5),
                                             remove_mlp(1),
                                             remove_positions(),
                                             shuffle_tokens(7),
                                             without_scaling(2),
                                             temperature(0.5F, 3),
                                             temperature(1.18921F),
                                             key_is_query(1),
                                             value_is_query(),
                                             without_skips(4),
                                             normalise(Norm::none),
                                             normalise(Norm::after, 2),
                                             activate_with(Activation::relu),
                                             activate_with(Activation::elu, 2),
                                             activate_with(Activation::gelu, 3)};
    EXPECT_EQ(what_ifs_of(s, config), meant);
    for (std::size_t i = 0; i < meant.size(); ++i)
        EXPECT_EQ(to_word(meant[i], config), s.what_ifs[i]) << "the word is kept";
}

TEST(OldFiles, ASessionOfTheLaboratoryMeansTheSame) {
    const Session s = load_session(old_file("laboratory.vitrine"));
    EXPECT_EQ(s.room, "laboratory");
    EXPECT_EQ(s.model, (ModelSource{"/models/ü b16", 6}));
    EXPECT_EQ(s.image.path, "/photos/a, b.jpg");
    const Laboratory& lab = s.focus.lab;
    EXPECT_EQ(lab.instrument, Instrument::ledger);
    EXPECT_EQ(lab.order, HeadOrder::object_share);
    EXPECT_EQ(lab.picks, (std::vector<Pick>{{1, 0, {}}, {3, 2, 13}}));
    EXPECT_EQ(lab.combine, Combine::uniform);
    EXPECT_EQ(lab.statistic, "confidence");
    EXPECT_EQ(lab.method, DepthMethod::relevance);
    EXPECT_EQ(lab.rollout.fusion, HeadFusion::min);
    EXPECT_EQ(std::tie(lab.rollout.residual, lab.rollout.discard), std::make_tuple(0.35F, 0.1F));
    EXPECT_EQ(std::tie(lab.rollout.first_block, lab.rollout.last_block), std::make_tuple(2, 5));
    EXPECT_EQ(lab.figure, TokenFigure::norms);
    EXPECT_EQ(std::tie(lab.level, lab.cover_size, lab.unfolded), std::make_tuple(2, 3, 2));
    EXPECT_EQ(lab.target, 4);
    EXPECT_EQ(lab.against, 1);
    EXPECT_EQ(lab.cover, Cover::token);
    EXPECT_EQ(lab.curve, Curve::logarithm);
    EXPECT_EQ(lab.fixed_high, 0.02F);
}

TEST(OldFiles, ASessionOfModelsThatLearnOpens) {
    const Session s = load_session(old_file("learn.vitrine"));
    EXPECT_EQ(s.room, "learn");
    EXPECT_EQ(s.image.sample, "pictograms:house") << "what a word without a set meant";
    EXPECT_EQ(s.focus.step, step_index("learning"));
}

/// Each line: a number's place as sessions said it, and the tensor that was meant.
TEST(OldFiles, NumbersOfTensorsMeanTheTensorsThatTheyMeant) {
    std::istringstream lines(words_in(old_file("cells.txt")));
    int count = 0;
    for (std::string place, tensor; lines >> place >> tensor; ++count) {
        Focus f;
        TextExperiment text;
        set_focus({f, text}, {"cell", place});
        ASSERT_TRUE(f.cell) << place;
        EXPECT_EQ(name_of(f.cell->quantity, 2), tensor) << place;
        EXPECT_EQ(std::tie(f.cell->head, f.cell->row, f.cell->column), std::make_tuple(1, 3, 4)) << place;
        EXPECT_EQ(f.cell->block, tensor == "z.2" || tensor.starts_with("block.2.") ? 2 : 0) << tensor;
        Focus again;
        set_focus({again, text}, {"cell", focus_words({f, text}).front().second});
        EXPECT_EQ(again.cell, f.cell) << "in today's words";
    }
    EXPECT_EQ(count, 48);
}

/// What a session copied for a shell: its settings are still understood.
TEST(OldFiles, SettingsOfACommandLineMeanWhatTheSessionMeans) {
    std::istringstream lines(words_in(old_file("command_lines.txt")));
    for (const char* const session : {"explore.vitrine", "laboratory.vitrine"}) {
        std::string line;
        ASSERT_TRUE(std::getline(lines, line));
        const std::size_t from = line.find("--set ") + 6;
        std::istringstream settings(line.substr(from, line.find(' ', from) - from));
        const Session s = load_session(old_file(session));
        Focus said;
        TextExperiment text;
        said.step = s.focus.step;
        said.lab.instrument = s.focus.lab.instrument;
        for (std::string setting; std::getline(settings, setting, ',');) {
            const std::size_t at = setting.find('=');
            set_focus({said, text}, {setting.substr(0, at), setting.substr(at + 1)});
        }
        EXPECT_EQ(said, s.focus) << session;
    }
}

TEST(OldFiles, SettingsComeBack) {
    const Settings s = load_settings(old_file("settings.json"));
    EXPECT_EQ(s.theme, ThemeKind::light);
    EXPECT_EQ(s.scale, 1.25F);
    EXPECT_EQ(s.language, "ko");
    EXPECT_FALSE(s.english_terms);
    EXPECT_EQ(s.image_folder, "/photos");
    EXPECT_EQ(s.model_folder, "/models");
    EXPECT_EQ(s.export_folder, "/out");
    EXPECT_EQ(s.folded, (std::set<std::string>{"code", "numbers"}));
    EXPECT_EQ(s.answered, (std::set<std::string>{"scores"}));
    EXPECT_EQ(s.lesson, "attention");
    EXPECT_EQ(s.notes.at("attention:2"), "My notes");
    EXPECT_EQ(s.notes.at("mlp"), "メモ");
    EXPECT_FALSE(s.motion);
}

TEST(OldFiles, ALessonGoesTheSameWay) {
    const Lesson lesson = load_lesson(old_file("lesson.txt").string());
    EXPECT_EQ(lesson.title_in("ja"), "私の授業");
    EXPECT_EQ(lesson.title_in("en"), "My lesson in English");
    ASSERT_EQ(lesson.stops.size(), 3U);
    const Config config = open_model(small_model())->config;
    Place place;
    place = place_of(lesson, 0, place, config);
    EXPECT_EQ(place.experiment.image.sample, "cat:17");
    EXPECT_EQ(place.focus.step, step_index("scores"));
    EXPECT_EQ(std::tie(place.focus.block, place.focus.head, place.focus.token, place.focus.key),
              std::make_tuple(2, 1, 28, 36));
    EXPECT_EQ(place.experiment.what_ifs, std::vector<Intervention>{without_scaling()});
    EXPECT_EQ(own_notes(lesson.stops[0], "ko"), "먼저 묻습니다.");
    EXPECT_EQ(own_notes(lesson.stops[0], "en"), "To be said in two lines.");
    place = place_of(lesson, 1, place, config);
    EXPECT_TRUE(place.focus.solo);
    EXPECT_EQ(place.experiment.what_ifs, (std::vector<Intervention>{remove_head(2, 1), temperature(0.5F, 3)}));
    place = place_of(lesson, 2, place, config);
    EXPECT_EQ(place.experiment.what_ifs, std::vector<Intervention>{normalise(Norm::after)});
}

}  // namespace
}  // namespace vitrine
