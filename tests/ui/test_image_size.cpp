#include <algorithm>
#include <array>

#include "app/sessions/session.h"
#include "app/workspace/command.h"
#include "core/base/error.h"
#include "core/vit/image_size.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

const Config& config_of(const Harness& h) { return h.result().model->config; }

command::ChangeModelSetting image_size(int height, int width) {
    return {"image_size", option_of({.height = height, .width = width})};
}

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
    h.carry_out(image_size(c.image_height + c.patch_size, c.image_width));
    h.settle();
    ASSERT_EQ(h.result().experiment.what_ifs.size(), 1U);
    EXPECT_EQ(to_word(h.result().experiment.what_ifs[0], config_of(h)), "positions");
    h.carry_out(image_size(c.image_height + 1, c.image_width));
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
    const std::string line = to_line(image_size(48, 64), config);
    EXPECT_EQ(line, R"(["model-setting","image_size","64x48"])");
    EXPECT_EQ(to_line(parse_line(line, config), config), line);
}

TEST(ImageSizeControl, LinesOfEarlierRecordingsAreSettingsOfTheModel) {
    const Config config;
    const auto read = [&](const char* line) { return to_line(parse_line(line, config), config); };
    EXPECT_EQ(read(R"(["image-size",64,48])"), R"(["model-setting","image_size","64x48"])");
    EXPECT_EQ(read(R"(["image-size",0,0])"), R"(["model-setting","image_size",""])");
    for (const char* const bad : {R"(["image-size"])", R"(["image-size",64])", R"(["image-size","64",48])"})
        EXPECT_THROW(parse_line(bad, config), Error) << bad;
    Harness h;
    const Config usual = config_of(h);
    h.carry_out(parse_line(R"(["image-size",)" + std::to_string(usual.image_width + usual.patch_size) + "," +
                               std::to_string(usual.image_height) + "]",
                           usual));
    h.settle();
    EXPECT_EQ(config_of(h).image_width, usual.image_width + usual.patch_size);
    h.carry_out(parse_line(R"(["image-size",0,0])", usual));
    h.settle();
    EXPECT_EQ(config_of(h), usual);
}

TEST(ImageSizeControl, SettingsOfWeightsOpenTheModelAgainAndUnknownOnesAreRefused) {
    Harness h;
    const Config& c = config_of(h);
    h.carry_out(command::SetWhatIfs{{parse_intervention("positions", c)}});
    h.carry_out(image_size(c.image_height + c.patch_size, c.image_width));
    h.settle();
    const std::shared_ptr<const Model> before = h.result().model;
    h.carry_out(command::ChangeModelSetting{"eps", "0.5"});
    h.settle();
    EXPECT_EQ(config_of(h).layer_norm_epsilon, 0.5F);
    EXPECT_EQ(config_of(h).image_height, before->config.image_height) << "other settings stay";
    EXPECT_TRUE(h.result().experiment.what_ifs.empty()) << "another model has none";
    h.carry_out(command::ChangeModelSetting{"eps", ""});
    h.settle();
    EXPECT_EQ(config_of(h).layer_norm_epsilon, before->config.layer_norm_epsilon);
    const std::array<const char*, 3> refused[] = {{"colour", "red", "'colour' is not a setting of models"},
                                                  {"eps", "red", "'eps' is not a number above 0"},
                                                  {"image_size", "red", "the image size 'red'"},
                                                  {"eps", "inf", "'eps' is not a number above 0"}};
    for (const auto& [setting, value, words] : refused) {
        h.carry_out(command::ChangeModelSetting{setting, value});
        EXPECT_NE(h.app->state().error.find(words), std::string::npos) << h.app->state().error;
        EXPECT_EQ(h.result().experiment.model.epsilon, std::nullopt);
    }
}

}  // namespace
}  // namespace vitrine
