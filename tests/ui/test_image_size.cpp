#include <algorithm>

#include "app/sessions/session.h"
#include "app/workspace/command.h"
#include "core/vit/image_size.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

const Config& config_of(const Harness& h) { return h.result().model->config; }

TEST(ImageSizeControl, GrowsTheImageByAPatchAndGoesBackWithoutACopyOfTheWeights) {
    Harness h;
    go_to(h, "image");
    EXPECT_FALSE(h.shows("image.usual_size")) << "at the usual size there is nothing to go back to";
    const Config before = config_of(h);
    const std::shared_ptr<const Model> usual = h.result().model;
    h.tap("image.width_more");
    h.settle();
    EXPECT_EQ(config_of(h).image_width, before.image_width + before.patch_size);
    EXPECT_EQ(config_of(h).image_height, before.image_height);
    EXPECT_EQ(h.result().seen->width, config_of(h).image_width);
    EXPECT_EQ(h.result().model->weights.blocks[0].mlp_in.packed, usual->weights.blocks[0].mlp_in.packed);
    h.tap("image.height_less");
    h.settle();
    EXPECT_EQ(config_of(h).image_height, before.image_height - before.patch_size);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(config_of(h).image_height, before.image_height);
    h.tap("image.usual_size");
    h.settle();
    EXPECT_EQ(h.result().model, usual);
    EXPECT_FALSE(h.shows("image.usual_size"));
}

TEST(ImageSizeControl, LeavesNoEdgeWithoutAPatch) {
    Harness h;
    go_to(h, "image");
    for (int i = 0; i < 12; ++i) {
        h.tap("image.width_less");
        h.settle();
    }
    EXPECT_EQ(config_of(h).image_width, config_of(h).patch_size);
}

TEST(ImageSizeControl, ThePositionChapterShowsTheStoredTableTheInterpolatedOneAndTheirDifference) {
    Harness h;
    go_to(h, "position_embedding");
    EXPECT_FALSE(h.shows("position.stored")) << "nothing is interpolated yet";
    EXPECT_TRUE(h.shows("position.tiles"));
    h.tap("image.width_more");
    h.settle();
    EXPECT_FALSE(h.shows("position.tiles"));
    EXPECT_TRUE(h.shows("position.of"));
    EXPECT_GT(h.item("position.stored").value, 0);
    EXPECT_GT(h.item("position.interpolated").value, 0);
    EXPECT_GT(h.item("position.difference").value, 0);
    EXPECT_LT(h.item("position.difference").value, h.item("position.stored").value);
}

TEST(ImageSizeControl, KeepsWhatIfsButThoseOfATokenAndRefusesWhatDoesNotFit) {
    Harness h;
    const Config& c = config_of(h);
    h.carry_out(command::SetWhatIfs{{parse_intervention("positions", c), parse_intervention("patch:3", c)}});
    h.settle();
    h.carry_out(command::ChangeImageSize{{c.image_height + c.patch_size, c.image_width}});
    h.settle();
    ASSERT_EQ(h.result().experiment.what_ifs.size(), 1U);
    EXPECT_EQ(to_word(h.result().experiment.what_ifs[0], config_of(h)), "positions");
    h.carry_out(command::ChangeImageSize{{c.image_height + 1, c.image_width}});
    EXPECT_NE(h.app->state().error.find("cannot be cut into patches"), std::string::npos) << h.app->state().error;
}

TEST(ImageSizeControl, IsRememberedInSessionsRecordingsAndCommandLines) {
    Session session;
    session.room = "explore";
    session.image = {"picturebook:cat", {}};
    session.model.image_size = ImageSize{48, 64};
    const Session again = parse_session(to_json(session), "a session");
    EXPECT_EQ(again.model.image_size, session.model.image_size);
    EXPECT_NE(command_line_of(session, {}).find("--image-size 64x48"), std::string::npos);
    const Config config;
    const std::string line = to_line(command::ChangeImageSize{{48, 64}}, config);
    EXPECT_EQ(line, R"(["image-size",64,48])");
    EXPECT_EQ(to_line(parse_line(line, config), config), line);
}

}  // namespace
}  // namespace vitrine
