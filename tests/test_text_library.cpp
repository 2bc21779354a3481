#include <gtest/gtest.h>

#include "app/library/text_library.h"
#include "core/text/text_checkpoint.h"

namespace vitrine {
namespace {

TEST(TextLibrary, SaysHowABundledModelIsBuiltWithoutItsWeights) {
    for (const BundledTextModel& model : bundled_text_models())
        EXPECT_EQ(to_json(text_config_of(model)), to_json(open_text_model(model)->config)) << model.name;
}

}  // namespace
}  // namespace vitrine
