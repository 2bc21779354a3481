#pragma once

#include <optional>
#include <string>

#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "tests/golden_files.h"

namespace vitrine {

struct GoldenRun {
    Model model;
    Trace trace;
};

inline GoldenRun golden_measures(const std::string& name, std::optional<int> heads = {}) {
    LoadOptions options;
    options.heads = heads;
    Model model = load_model(golden_folder / name, options);
    const Image image = load_image(golden_folder / "images/golden.png");
    Trace trace = forward(model, preprocess(image, model.preprocessing, model.config).pixels);
    return {std::move(model), std::move(trace)};
}

}  // namespace vitrine
