#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "app/chapters/step.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "core/base/error.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const TestFolder own;
const fs::path sessions = own / "sessions";

/// A session in which nothing has its first value.
Session full() {
    Session s;
    s.model = {"/models/ü b16", 6};
    s.image = {"", "/photos/a, b.jpg"};
    s.what_ifs = {"head:2.1", "temperature:0.5@3", "positions"};
    s.room = "laboratory";
    s.time = 0.25F;
    Focus& f = s.focus;
    f.step = step_index("attention");
    const char* const words[][2] = {{"block", "3"},
                                    {"head", "2"},
                                    {"token", "13"},
                                    {"key", "7"},
                                    {"feature", "5"},
                                    {"unit", "9"},
                                    {"solo", "yes"},
                                    {"scope", "fixed"},
                                    {"half", "mlp"},
                                    {"scores", "yes"},
                                    {"zoom.row", "0.25"},
                                    {"zoom.column", "0.125"},
                                    {"zoom.extent", "0.5"},
                                    {"slopes", "yes"},
                                    {"all_tokens", "yes"},
                                    {"own_scale", "yes"},
                                    {"looked_at", "yes"},
                                    {"brightness", "0.9"},
                                    {"batch_norm", "yes"},
                                    {"cube", "4"},
                                    {"cell", "block.2.k:1.3.4"},
                                    {"dropout", "0.3"},
                                    {"seed", "4"},
                                    {"samples", "40"},
                                    {"true_class", "2"},
                                    {"wiring", "no_skips"},
                                    {"exercise", "softmax_axis"},
                                    {"shape.blocks", "24"},
                                    {"shape.width", "1024"},
                                    {"shape.heads", "16"},
                                    {"shape.hidden", "9"},
                                    {"shape.patch", "14"},
                                    {"shape.image", "518"},
                                    {"shape.image_width", "480"},
                                    {"shape.classes", "5"},
                                    {"shape.channels", "1"},
                                    {"shape.qkv_bias", "1"},
                                    {"shape.leading", "6"},
                                    {"shape.placed", "2"},
                                    {"temperature", "-3"},
                                    {"lab.instrument", "ledger"},
                                    {"lab.watched", "margin"},
                                    {"lab.order", "entropy"},
                                    {"lab.picks", "1.0+3.2@13"},
                                    {"lab.combine", "difference"},
                                    {"lab.statistic", "entropy"},
                                    {"lab.method", "relevance"},
                                    {"lab.fusion", "max"},
                                    {"lab.residual", "0.35"},
                                    {"lab.discard", "0.1"},
                                    {"lab.first_block", "2"},
                                    {"lab.last_block", "5"},
                                    {"lab.figure", "norms"},
                                    {"lab.level", "2"},
                                    {"lab.target", "4"},
                                    {"lab.against", "1"},
                                    {"lab.cover_size", "3"},
                                    {"lab.cover", "blur"},
                                    {"lab.cause", "patching"},
                                    {"lab.site", "head"},
                                    {"lab.over", "images"},
                                    {"lab.images", "/home/me/photos"},
                                    {"lab.ranking", "gradient"},
                                    {"lab.way", "insertion"},
                                    {"lab.unfolded", "2"},
                                    {"lab.curve", "logarithm"},
                                    {"lab.depth_curve", "root"},
                                    {"lab.norms_curve", "logarithm"},
                                    {"lab.lens_curve", "root"},
                                    {"lab.fixed_high", "0.02"},
                                    {"lab.texts", "two dogs|a cat"},
                                    {"lab.text", "1"},
                                    {"text.chapter", "decoding"},
                                    {"text.task", "story"},
                                    {"text.to", "en"},
                                    {"text.to_japanese", "This is a \"pen\"."},
                                    {"text.to_english", "これはペンです。"},
                                    {"text.review", "The movie was bad, I say."},
                                    {"text.story", ""},
                                    {"text.block", "1"},
                                    {"text.head", "2"},
                                    {"text.source", "3"},
                                    {"text.target", "4"},
                                    {"text.feature", "9"},
                                    {"text.matrix", "yes"},
                                    {"text.learned", "yes"},
                                    {"text.forced", "Tom has"},
                                    {"text.what_ifs", "no-mask head:decoder.1.0"},
                                    {"text.swap", "5:wide"},
                                    {"text.method", "sample"},
                                    {"text.width", "3"},
                                    {"text.temperature", "0.7"},
                                    {"text.top_k", "5"},
                                    {"text.top_p", "0.9"},
                                    {"text.seed", "7"},
                                    {"text.drawn", "2"},
                                    {"text.smoothing", "0.2"},
                                    {"text.lab", "yes"},
                                    {"text.instrument", "lens"},
                                    {"text.attention", "decoder"},
                                    {"text.statistic", "first"},
                                    {"text.level", "1"},
                                    {"text.word", "hat"},
                                    {"text.cover", "nothing"}};
    for (const auto& [name, value] : words) set_focus({f, s.text_experiment}, {name, value});
    return s;
}

std::string refusal_of(const std::string& text) {
    try {
        parse_session(text, "class.vitrine");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(FocusWords, NameEveryPartAndTellAllThatDiffers) {
    const Session s = full();
    const std::vector<FocusWord> words = focus_words({s.focus, s.text_experiment});
    EXPECT_EQ(words.size(), focus_names().size()) << "a part has still its first value in full()";
    Focus again;
    TextExperiment text_again;
    again.step = s.focus.step;
    for (const FocusWord& word : words) set_focus({again, text_again}, word);
    EXPECT_EQ(again, s.focus);
    EXPECT_EQ(text_again, s.text_experiment);
    EXPECT_TRUE(focus_words({Focus(), TextExperiment()}).empty());
}

TEST(FocusWords, RefuseWhatMeansNothingWithTheWordsThatDo) {
    const char* const wrong[][2] = {{"block", "0"},
                                    {"block", "x"},
                                    {"block", "3.5"},
                                    {"token", "-1"},
                                    {"scope", "big"},
                                    {"lab.residual", "1.5"},
                                    {"lab.residual", "nan"},
                                    {"lab.picks", "1"},
                                    {"lab.picks", "1.0++1.1"},
                                    {"lab.target", "-3"},
                                    {"cell", "1.2.3"},
                                    {"cell", "999.1.1.1.1"},
                                    {"cell", "block.2.k"},
                                    {"cell", "block.2.nose:1.3.4"},
                                    {"cell", "block.2.k:1.3"},
                                    {"cell", "block.2.k:1.3.-4"},
                                    {"cell", "block.2.k:1.3.4.5"},
                                    {"cell", ""},
                                    {"wiring", "5"},
                                    {"wiring", "sideways"},
                                    {"lab.statistic", "mood"},
                                    {"shape.patch", "0"},
                                    {"solo", "true"},
                                    {"lab.level", "-2"},
                                    {"dropout", "inf"},
                                    {"block", "99999999999999999999"}};
    for (const auto& [name, value] : wrong) {
        Focus f;
        TextExperiment text;
        EXPECT_THROW(set_focus({f, text}, {name, value}), Error) << name << "=" << value;
    }
    try {
        Focus f;
        TextExperiment text;
        set_focus({f, text}, {"lab.curve", "bent"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("linear, root, logarithm"), std::string::npos);
    }
    Focus f;
    TextExperiment text;
    EXPECT_THROW(set_focus({f, text}, {"colour", "red"}), Error);
}

TEST(SessionFile, ComesBackAsItWasSaved) {
    fs::create_directories(sessions);
    const Session s = full();
    save_session(s, sessions / "class.vitrine");
    EXPECT_EQ(load_session(sessions / "class.vitrine"), s);
    Session plain;
    plain.image = {"pictograms:cat:17:hard:256", {}};
    save_session(plain, sessions / "class.vitrine");
    EXPECT_EQ(load_session(sessions / "class.vitrine"), plain);
    fs::remove_all(sessions);
}

TEST(SessionFile, HostileFilesAreRefusedWithASentence) {
    const std::string good = to_json(full());
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    const std::string deep = std::string(500000, '[') + std::string(500000, ']');
    const std::string cases[] = {"",
                                 "{",
                                 "[]",
                                 "null",
                                 "\"cat\"",
                                 "{}",
                                 std::string("\0\x01\xFF", 3),
                                 std::string(100000, '['),
                                 R"({"vitrine_session":1,"model":)" + deep + "}",
                                 with("\"vitrine_session\": 1", "\"vitrine_session\": 2"),
                                 with("\"vitrine_session\": 1", "\"vitrine_session\": 1e99"),
                                 with("\"heads\": 6", "\"heads\": -6"),
                                 with("\"heads\": 6", "\"heads\": \"six\""),
                                 with("\"mode\": \"laboratory\"", "\"mode\": \"moon\""),
                                 with("\"mode\": \"laboratory\"", "\"mode\": 3"),
                                 with("\"step\": \"attention\"", "\"step\": \"nowhere\""),
                                 with("\"time\": 0.25", "\"time\": 7"),
                                 with("\"time\": 0.25", "\"time\": \"soon\""),
                                 with("\"block\": \"3\"", "\"block\": 3"),
                                 with("\"block\": \"3\"", "\"block\": \"-3\""),
                                 with("\"block\": \"3\"", "\"colour\": \"red\""),
                                 with("\"what_ifs\": [", "\"what_ifs\": [3, "),
                                 with("\"path\": \"/photos/a, b.jpg\"", "\"sample\": \"unicorn\""),
                                 with("\"path\": \"/photos/a, b.jpg\"", "\"shell\": \"rm\""),
                                 with("\"mode\"", "\"run\": \"rm\", \"mode\"")};
    for (const std::string& text : cases) {
        const std::string told = refusal_of(text);
        EXPECT_TRUE(told.starts_with("class.vitrine: ")) << text.substr(0, 200) << "\n" << told;
        EXPECT_EQ(told.find('\n'), std::string::npos);
    }
    EXPECT_EQ(refusal_of(good), "");
}

TEST(SessionFile, MissingAndHugeFilesHaveTheirOwnSentences) {
    EXPECT_THROW(load_session(sessions / "none.vitrine"), Error);
    fs::create_directories(sessions);
    EXPECT_THROW(load_session(sessions), Error) << "a sessions";
    std::ofstream(sessions / "huge.vitrine") << std::string(2 << 20, ' ');
    EXPECT_THROW(load_session(sessions / "huge.vitrine"), Error);
    fs::remove_all(sessions);
}

TEST(CommandLineOfASession, NamesAllThatDiffersAndQuotesForAShell) {
    const std::string line = command_line_of(full(), {"light", "ja", 1280, 720, true});
    for (const char* const part :
         {"vitrine snapshot '/photos/a, b.jpg'", "--model '/models/ü b16'", "--heads 6",
          "--what-if head:2.1,temperature:0.5@3,positions", "--lab ledger", "lab.picks=1.0+3.2@13", "--theme light",
          "--lang ja", "--lecture", "--size 1280x720", "--out picture.png"})
        EXPECT_NE(line.find(part), std::string::npos) << part << "\n" << line;
    Session plain;
    plain.image = {"cat", {}};
    plain.focus.step = step_index("scores");
    EXPECT_EQ(command_line_of(plain, {}), "vitrine snapshot cat --step scores --size 1920x1080 --out picture.png");
}

}  // namespace
}  // namespace vitrine
