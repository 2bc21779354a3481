#include "app/exports/describe.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/workspace/block_parts.h"

namespace vitrine {

nlohmann::ordered_json describe(const Model& model) {
    const Config& c = model.config;
    nlohmann::ordered_json json = {
        {"name", model.provenance.name},
        {"path", model.provenance.path},
        {"layout", model.provenance.layout},
        {"container", model.provenance.container},
        {"image_size", {c.image_height, c.image_width}},
        {"usual_image_size",
         model.usual ? nlohmann::ordered_json{model.usual->config.image_height, model.usual->config.image_width}
                     : nlohmann::ordered_json()},
        {"patch_size", c.patch_size},
        {"num_channels", c.channels},
        {"hidden_size", c.embedding_dim},
        {"num_hidden_layers", c.blocks},
        {"num_attention_heads", c.heads},
        {"intermediate_size", c.mlp_dim},
        {"hidden_act", name_of(c.activation)},
        {"layer_norm_eps", static_cast<double>(c.layer_norm_epsilon)},
        {"num_classes", c.classes},
        {"tokens", c.tokens()},
        {"parameters", model.weights.parameter_count()}};
    if (const std::vector<std::string> parts = names_of_block_parts(c); !parts.empty()) json["block_parts"] = parts;
    return json;
}

namespace {

constexpr Named<Preprocessing::Filter> filter_words[] = {{Preprocessing::Filter::bilinear, "bilinear"},
                                                         {Preprocessing::Filter::bicubic, "bicubic"},
                                                         {Preprocessing::Filter::lanczos, "lanczos"}};

std::string numbers_in_words(const std::vector<double>& numbers) {
    std::string words;
    char buffer[32];
    for (const double n : numbers) {
        std::snprintf(buffer, sizeof buffer, "%.6g", n);
        words += (words.empty() ? "" : ", ") + std::string(buffer);
    }
    return words;
}

std::string sides(int height, int width) { return std::to_string(height) + " × " + std::to_string(width); }

/// "the shortest edge to 256, bicubic".
std::string resize_words(const Preprocessing& p) {
    const std::string edge = std::to_string(p.resize_height);
    std::string words = "keep the size";
    switch (p.resize) {
        case Preprocessing::Resize::none: return words;
        case Preprocessing::Resize::squash: words = "resize to " + sides(p.resize_height, p.resize_width); break;
        case Preprocessing::Resize::shortest_edge: words = "resize the shortest edge to " + edge; break;
        case Preprocessing::Resize::longest_edge: words = "resize the longest edge to " + edge; break;
    }
    return words + " (" + name_in(filter_words, p.filter) + ")";
}

}  // namespace

nlohmann::ordered_json describe(const Preprocessing& p, const PixelShape& shape) {
    nlohmann::ordered_json resize = {{"kind", name_in(resize_names, p.resize)}}, crop;
    if (p.resize == Preprocessing::Resize::squash)
        resize["size"] = {p.resize_height, p.resize_width};
    else if (p.resize != Preprocessing::Resize::none)
        resize["edge"] = p.resize_height;
    if (p.resize != Preprocessing::Resize::none) resize["filter"] = name_in(filter_words, p.filter);
    if (p.crop)
        crop = {{"size", {shape.image_height, shape.image_width}},
                {"rounding", name_in(rounding_names, p.crop_rounding)}};
    return {{"resize", resize},
            {"crop", crop},
            {"rescale_factor", p.rescale_factor},
            {"rescale_offset", p.rescale_offset},
            {"grey", p.grey},
            {"mean", p.mean},
            {"std", p.std},
            {"blue_first", p.flip_channels}};
}

std::string summary_of(const Preprocessing& p, const PixelShape& shape) {
    std::string words = resize_words(p);
    if (p.crop) words += ", crop the centre to " + sides(shape.image_height, shape.image_width);
    words += ", mean " + numbers_in_words(p.mean) + ", std " + numbers_in_words(p.std);
    if (std::abs(p.rescale_factor - 1.0 / 255) > 1e-12 || p.rescale_offset < 0 || p.rescale_offset > 0)
        words += ", after x · " + numbers_in_words({p.rescale_factor}) + " + " + numbers_in_words({p.rescale_offset});
    if (p.grey) words += ", grey";
    if (p.flip_channels) words += ", blue first";
    return words;
}

nlohmann::ordered_json provenance_of(const Model& model) {
    nlohmann::ordered_json all = describe(model);
    all["preprocessing"] = describe(model.preprocessing, model.config);
    all["readout"] = name_of(model.config.readout);
    all["inferred"] = model.provenance.notes;
    all["passed_over"] = model.provenance.passed_over;
    return all;
}

std::string summary_of(const Config& c) {
    const auto number = [](int n) { return std::to_string(n); };
    std::string parts;
    for (const std::string& part : names_of_block_parts(c)) parts += ", " + part;
    return number(c.image_height) + " × " + number(c.image_width) + " pixels, patches of " + number(c.patch_size) +
           ": N = " + number(c.tokens()) + ", D = " + number(c.embedding_dim) + ", L = " + number(c.blocks) +
           ", h = " + number(c.heads) + ", M = " + number(c.mlp_dim) + ", " + number(c.classes) + " classes, " +
           name_of(c.activation) + parts;
}

namespace {

nlohmann::ordered_json json_of(const ClassReading& r) {
    return {{"probability", r.probability}, {"logit", r.logit}, {"margin", r.margin}, {"loss", r.loss}};
}

}  // namespace

nlohmann::ordered_json describe(const AnswerChange& change, const Model& model) {
    return {{"class", {{"index", change.chosen}, {"label", model.config.label(change.chosen)}}},
            {"first_now", {{"index", change.first_now}, {"label", model.config.label(change.first_now)}}},
            {"before", json_of(change.before)},
            {"now", json_of(change.now)},
            {"difference",
             {{"probability", change.probability()},
              {"logit", change.logit()},
              {"margin", change.margin()},
              {"loss", change.loss()}}}};
}

std::string summary_of(const AnswerChange& change, const Model& model) {
    char numbers[200];
    // Percentage points would show 0.0 for a smaller change.
    const bool in_points = std::abs(change.probability()) >= 0.0005;
    std::snprintf(numbers, sizeof numbers, in_points ? "probability %+.1f pp" : "probability %+.1e",
                  in_points ? 100 * change.probability() : change.probability());
    std::string words = model.config.label(change.chosen);
    words += change.other_choice() ? " becomes " + model.config.label(change.first_now) : " stays first";
    words += std::string(": ") + numbers;
    std::snprintf(numbers, sizeof numbers, ", logit %+.3g, margin %+.3g, loss %+.3g", change.logit(), change.margin(),
                  change.loss());
    return words + numbers;
}

}  // namespace vitrine
