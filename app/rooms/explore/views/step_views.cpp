#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/explore/views/views.h"
#include "core/base/names.h"

namespace vitrine {

namespace {

constexpr Named<StepDrawing> step_views[] = {
    {{image_view, image_size_row}, "image"},
    {{patches_view}, "patches"},
    {{patch_embedding_view}, "patch_embedding"},
    {{class_token_view}, "class_token"},
    {{position_view, image_size_row}, "position_embedding"},
    {{layer_norm_view}, "layer_norm"},
    {{norm_variants_view}, "norm_variants"},
    {{norm_place_view}, "norm_place"},
    {{qkv_view}, "qkv"},
    {{scores_view}, "scores"},
    {{attention_matrix_view}, "attention_matrix"},
    {{attention_view}, "attention"},
    {{heads_view}, "heads"},
    {{residual_view}, "residual"},
    {{mlp_view}, "mlp"},
    {{activation_view}, "activation"},
    {{dropout_view}, "dropout"},
    {{depth_view}, "depth"},
    {{prediction_view}, "prediction"},
    {{loss_view}, "loss"},
    {{gradients_view}, "learning"},
    {{explanation_view}, "explanation"},
    {{models_view}, "models"},
    {{two_towers_view}, "two_towers"},
};

}  // namespace

StepDrawing drawing_of(std::string_view step) { return *value_in(step_views, step); }

}  // namespace vitrine
