#include <gtest/gtest.h>

#include "app/workspace/command.h"
#include "core/base/error.h"
#include "core/vit/model.h"

namespace vitrine {
namespace {

Config small_commanded() {
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = c.blocks = 2;
    c.mlp_dim = 32;
    c.classes = 3;
    return c;
}

/// One of every kind, each part with a value that is not its default.
std::vector<Command> one_of_each() {
    return {command::Wait{1.5F},
            command::Do{"undo"},
            command::OpenImage{{"cat", "a \"quoted\"\nname.jpg"}},
            command::OpenModel{{"/models/vit", 4, {}, 0, "pictograms", {}, "/models/classes.txt", 0.5F}},
            command::OpenSession{"s.vitrine"},
            command::OpenLesson{"tour"},
            command::EnterRoom{"learn"},
            command::ShowDialog{"find"},
            command::GoToChapter{"qkv"},
            command::Look{{{"block", "2"}, {"lab.picks", "1.0+2.1@3"}}},
            command::SetWhatIfs{{remove_head(2, 1), remove_token(3)}},
            command::MoveTime{0.1F, true},
            command::ChangeSettings{{{"language", "\"ja\""}, {"scale", "1.1"}}},
            command::ChangeLearning{"{}"},
            command::WatchLearning{"skips"},
            command::OpenLearned{1},
            command::SaveLearned{1},
            command::LearnOwnPictures{"my pictures"},
            command::ExportPicture{"stage", "png", 4, true},
            command::ExportNumbers{{"rollout", "lens"}, "npy"},
            command::WriteHandout{"tour"},
            command::ChooseDrawing{"cat:17:hard:256"},
            command::MovePen{{0.25F, 0.5F}, true, 1.5F},
            command::SetNotes{"tour#1", "first\nsecond"},
            command::SaveSession{"mine.vitrine"},
            command::Recover{"autosave-1.vitrine"},
            command::LookUp{"glossary", "softmax"},
            command::OpenReference{"abnar2020"},
            command::CopyReference{"abnar2020"},
            command::ChangeLesson{"notes", 2, "first\nsecond"},
            command::ChangeModelSetting{"image_size", "64x48"},
            command::PlayStream{"my pictures"},
            command::JoinMoments{3}};
}

TEST(Command, OfTwoWhatIfsOfOneKindAtOnePlaceTheLastHolds) {
    const Command command = parse_line(R"(["what-ifs",["shuffle:54","pre-norm","shuffle:44"]])", small_commanded());
    EXPECT_EQ(to_line(command, small_commanded()), R"(["what-ifs",["shuffle:44","pre-norm"]])");
}

TEST(Command, EveryKindComesBackFromItsLineAsItWas) {
    const std::vector<Command> all = one_of_each();
    ASSERT_EQ(all.size(), std::variant_size_v<Command>) << "this list has one of each";
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i].index(), i) << "in the order of the variant";
        const std::string line = to_line(all[i], small_commanded());
        const Command back = parse_line(line, small_commanded());
        EXPECT_EQ(back.index(), i) << line;
        EXPECT_EQ(to_line(back, small_commanded()), line);
    }
}

TEST(Command, TakesNoLineOnTrust) {
    for (const char* const line :
         {"", "[]", "{}", "[\"look\"]", "[\"look\",5]", "[\"move-time\",\"x\",true]", "[\"fly\"]",
          "[\"what-ifs\",[\"head:9.9\"]]", "[7]", "nonsense", "[\"open-learned\",\"one\"]"})
        EXPECT_THROW(parse_line(line, small_commanded()), Error) << line;
}

TEST(Command, NumbersThatNoIntHoldsAreBroughtIntoOne) {
    const Command command = parse_line("[\"open-learned\",1e300]", small_commanded());
    EXPECT_EQ(to_line(command, small_commanded()), "[\"open-learned\",2147483647]");
    EXPECT_EQ(to_line(parse_line("[\"open-learned\",-3e9]", small_commanded()), small_commanded()),
              "[\"open-learned\",-2147483648]");
}

}  // namespace
}  // namespace vitrine
