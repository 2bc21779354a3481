#include <gtest/gtest.h>

#include "app/chapters/step.h"
#include "app/library/source_words.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"
#include "core/base/error.h"
#include "core/vit/model.h"
#include "tests/program.h"

namespace vitrine {
namespace {

/// A source with every part that is neither of this program's run alone (`learned`, `reload`) nor excluded by a path.
ModelSource with_all() {
    ModelSource source;
    source.path = "/models/ü b16";
    source.heads = 6;
    source.image_size = ImageSize{.height = 48, .width = 64};
    source.labels = "/models/a, b.txt";
    source.epsilon = 1e-6F;
    // A new part is named here, in `with_all` and in what these tests compare.
    const auto& [path, heads, learned, reload, bundled, image_size, labels, epsilon] = source;
    EXPECT_TRUE(!path.empty() && heads && !learned && reload == 0 && bundled.empty() && image_size && epsilon);
    return source;
}

Session with_two_runs() {
    Session s;
    s.model = with_all();
    s.image = {"picturebook:cat", {}};
    s.focus.step = step_index("attention");
    s.other.emplace();
    s.other->experiment.model = with_all();
    s.other->experiment.model.path = "/models/other";
    s.other->experiment.model.heads = 8;
    s.other->experiment.model.epsilon = 0.5F;
    s.other->experiment.image = s.image;
    s.other->focus = s.focus;
    return s;
}

TEST(SourceWords, GiveBackWhatTheyRead) {
    ModelSource copy;
    copy.path = with_all().path;
    for (const SourceWord& word : source_words()) {
        const std::string value = word.write(with_all());
        EXPECT_NE(value, "") << word.key;
        EXPECT_EQ(word.write(ModelSource()), "") << word.key;
        word.read(copy, value);
    }
    EXPECT_EQ(copy, with_all());
}

TEST(SourceWords, OfBothHalvesSurviveASession) {
    const Session s = with_two_runs();
    EXPECT_EQ(parse_session(to_json(s), "two.vitrine"), s);
    Session bundled;
    bundled.image = s.image;
    bundled.model.bundled = "pictograms-small";
    EXPECT_EQ(parse_session(to_json(bundled), "two.vitrine").model, bundled.model);
}

TEST(SourceWords, SurviveARecording) {
    ModelSource source = with_all();
    source.bundled = "pictograms-small";
    const Command command = parse_line(to_line(command::OpenModel{source}, Config()), Config());
    EXPECT_EQ(std::get<command::OpenModel>(command).model, source);
}

TEST(SourceWords, OfBothHalvesSurviveTheCommandLineOfASession) {
    const std::string line = command_line_of(with_two_runs(), {}), help = run("snapshot --help").out;
    for (const char* const part :
         {" --model '/models/ü b16' --heads 6 --image-size 64x48 --labels '/models/a, b.txt' --eps ",
          " --beside-model /models/other --beside-heads 8 --beside-image-size 64x48 "
          "--beside-labels '/models/a, b.txt' --beside-eps 0.5 "})
        EXPECT_NE(line.find(part), std::string::npos) << part << "\n" << line;
    for (const SourceWord& word : source_words())
        for (const char* const prefix : {"", "beside-"})
            EXPECT_NE(help.find("  " + word.option(prefix) + " " + word.type), std::string::npos) << word.key;
}

TEST(SourceWords, AreReadByTheCommandLineForTheHalfThatTheyAreOf) {
    const TestFolder folder;
    const auto drawn = [&](const std::string& options) {
        const std::string file = (folder / "x.png").string();
        const Outcome o =
            run("snapshot cat --step prediction --size 640x360 --beside dog --force --out " + file + options);
        EXPECT_EQ(o.status, 0) << o.err;
        return read(file);
    };
    const std::string plain = drawn(""), left = drawn(" --eps 2"), right = drawn(" --beside-eps 2");
    EXPECT_NE(left, plain);
    EXPECT_NE(right, left) << "with --eps alone both halves run the one model, with --beside-eps the right one";
    EXPECT_NE(right, plain);
    EXPECT_EQ(drawn(" --eps 2 --beside-eps 2"), left);
    for (const SourceWord& word : source_words())
        if (word.is_number())
            for (const char* const bad : {"0", "-1", "six", "inf"}) {
                const Outcome o = run("info " + word.option() + " " + bad);
                EXPECT_EQ(o.status, 2) << word.key << " " << bad;
                EXPECT_NE(o.err.find(word.option()), std::string::npos) << o.err;
            }
}

}  // namespace
}  // namespace vitrine
