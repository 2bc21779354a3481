#include <gtest/gtest.h>

#include "app/workspace/photo_model.h"
#include "app/workspace/recent.h"
#include "app/workspace/settings.h"
#include "tests/photo_models.h"
#include "tests/small_model.h"

// Which model a photograph of the user's is shown to.

namespace vitrine {
namespace {

std::string found(const Settings& settings = {}) {
    const auto model = photo_model(settings);
    return model ? model->name : "none";
}

TEST(PhotoModel, IsTheSmallestListedOneInTheCacheAndBetterOneWithClasses) {
    const OwnCache cache;
    EXPECT_EQ(found(), "none");
    cache.add("facebook/dino-vits16", 0);
    EXPECT_EQ(found(), "facebook/dino-vits16") << "it knows photographs, but names nothing";
    cache.add("google/vit-base-patch16-224", 3);
    cache.add("facebook/deit-tiny-patch16-224", 3);
    EXPECT_EQ(found(), "facebook/deit-tiny-patch16-224");
    EXPECT_EQ(short_name(*photo_model({})), "deit-tiny-patch16-224");
    EXPECT_EQ(short_name({{}, "timm/vit_tiny_patch16_224.augreg_in21k_ft_in1k"}), "vit_tiny_patch16_224");
    EXPECT_EQ(short_name({{}, "my vit.v2"}), "my vit.v2");
}

TEST(PhotoModel, IsAnUnlistedOneWhereItNamesImageNetsClassesAndOpens) {
    const OwnCache cache;
    cache.add("mine/drawn", 23);
    const std::filesystem::path other = cache.add("another/resnet", 1000);
    write(other / "model.safetensors", "no Vision Transformer");
    EXPECT_EQ(found(), "none");
    cache.add("someones/vit", 1000);
    EXPECT_EQ(found(), "someones/vit");
}

TEST(PhotoModel, IsTheOneOpenedLastOfThoseThatKnowPhotographs) {
    const OwnCache cache;
    const std::filesystem::path first = cache.add("someones/vit", 1000);
    cache.add("facebook/deit-tiny-patch16-224", 1000);
    Settings settings;
    remember(settings, FileKind::model, first / "model.safetensors");
    remember(settings, FileKind::model, small_model_folder());
    EXPECT_EQ(photo_model(settings)->folder, first / "model.safetensors") << "the newest knows drawn things only";
    remember(settings, FileKind::model, first);
    EXPECT_EQ(found(settings), "someones/vit");
}

}  // namespace
}  // namespace vitrine
