#include "core/vit/checkpoint/checkpoint.h"

#include <cmath>
#include <system_error>

#include "core/base/error.h"
#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/find_config.h"
#include "core/vit/checkpoint/flax_names.h"
#include "core/vit/checkpoint/layouts.h"
#include "core/vit/checkpoint/other_parts.h"
#include "core/vit/checkpoint/take_weights.h"
#include "core/vit/checkpoint/tensor_places.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/checkpoint/wrapped_names.h"
#include "core/vit/image_size.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

/// Throws Error if the preprocessor makes images of another size than the model takes, since it belongs to another
/// model. Models of families that run at the preprocessor's size get interpolated positions instead.
void match_picture_size(const Configuration& configuration, const Preprocessing& pre, const Layout& layout,
                        Model& model, const std::string& folder) {
    const Config& c = model.config;
    const bool squashed = pre.resize == Preprocessing::Resize::squash && !pre.crop;
    const ImageSize resized{pre.resize_height, pre.resize_width}, wanted{c.image_height, c.image_width};
    const ImageSize made = configuration.crop_size
                               ? ImageSize{configuration.crop_size->first, configuration.crop_size->second}
                           : squashed ? resized
                                      : wanted;
    if (made == wanted) return;
    if (layout.runs_at_crop && made.height % c.patch_size == 0 && made.width % c.patch_size == 0) {
        model.provenance.notes.push_back("The positions are stored for images of " + words_of(wanted) +
                                         " pixels and interpolated for " + words_of(made) +
                                         ", the size that its preprocessor makes.");
        interpolate_positions_for(model, made);
        return;
    }
    throw Error(folder + "/" + configuration.preprocessor_name + ": it makes pictures of " + words_of(made) +
                " pixels but the model takes " + words_of(wanted) + "; use both files of the same model");
}

/// The checkpoint's own preprocessing, or the default of its family.
Preprocessing find_preprocessing(const Configuration& configuration, const TensorPlaces& p, const std::string& folder,
                                 Model& model) {
    const Config& c = model.config;
    const std::string family = p.layout->name;
    Preprocessing pre;
    if (configuration.preprocessing) {
        pre = *configuration.preprocessing;
    } else {
        model.provenance.notes.push_back("No preprocessor is given: the one usual for " + family + " is used.");
        pre = p.layout->preprocessing(c);
        pre.crop = pre.resize != Preprocessing::Resize::squash;
        if (pre.crop) pre.crop_rounding = Preprocessing::Rounding::half_to_even;
    }
    if (pre.resize_height == 0) {
        pre.resize_height = static_cast<int>(std::floor(c.image_height / configuration.crop_share));
        pre.resize_width = static_cast<int>(std::floor(c.image_width / configuration.crop_share));
    }
    match_picture_size(configuration, pre, *p.layout, model, folder);
    const bool exact = pre.resize == Preprocessing::Resize::squash && pre.resize_height == c.image_height &&
                       pre.resize_width == c.image_width;
    if (!exact) pre.crop = true;  // the model accepts only its own size
    const auto channels = static_cast<std::size_t>(c.channels);
    if (pre.mean.size() != channels) pre.mean.assign(channels, pre.mean.empty() ? 0.5 : pre.mean[0]);
    pre.grey = pre.grey && channels == 3;  // a single channel is grey anyway
    if (pre.std.size() != channels) pre.std.assign(channels, pre.std.empty() ? 0.5 : pre.std[0]);
    return pre;
}

/// The folder of the configuration, for messages.
std::string folder_of(const CheckpointFiles& files) {
    const std::filesystem::path path = files.path;
    std::error_code ignored;
    if (path.empty()) return files.name;
    if (!files.folder.empty()) return files.folder;
    if (std::filesystem::is_directory(path, ignored)) return path.string();
    return path.has_parent_path() ? path.parent_path().string() : ".";
}

}  // namespace

Model load_model(const CheckpointFiles& files, const LoadOptions& options) {
    constexpr double share_of_reading = 0.6;
    const Progress reading = [&](double f) { report(options.progress, f * share_of_reading); };
    const Progress preparing = [&](double f) {
        report(options.progress, share_of_reading + f * (1 - share_of_reading));
    };

    Model model;
    model.provenance.name = files.name;
    model.provenance.path = files.path;
    model.provenance.files = files.stamps;
    const std::string folder = folder_of(files);
    Configuration configuration =
        read_configuration({files.config_json, files.preprocessor_json, files.processor_json}, folder);
    std::shared_ptr<const TensorFile> weights = look_through_names(files.weights);
    if (const std::optional<FlaxModel> flax = as_flax_model(weights)) {
        complete(configuration, *flax);
        weights = flax->tensors;
    }
    model.provenance.container = weights->container();
    model.provenance.notes = weights->notes();
    TensorReader reader(*weights, reading,
                        options.header_only ? TensorReader::Numbers::left : TensorReader::Numbers::read);
    refuse_other_families(reader, configuration.architecture, configuration.family);
    set_other_parts_aside(reader, model.provenance);
    const TensorPlaces places = find_places(reader, configuration.leading);
    model.provenance.layout = places.layout->name;
    model.provenance.scenes = configuration.scenes;
    if (places.layout->matched_by_ends)
        model.provenance.notes.push_back("Matched by the ends of " + model.provenance.layout +
                                         "'s names: blocks under \"" + places.block_prefix + "\", classifier \"" +
                                         places.classifier + "\".");
    find_config(reader, places, {configuration, options.heads}, model);
    name_classes(model, options.labels);
    if (!options.header_only) require_memory_for_weights(model);
    model.weights = take_weights(reader, places, model.config);
    refuse_leftovers(reader, model);
    const bool registers = model.config.count_of(TokenKind::register_token) > 0;
    model.stored.rule = registers ? places.layout->rule_with_registers.value_or(places.layout->position_rule)
                                  : places.layout->position_rule;
    model.stored.bias_rule = places.layout->bias_rule;
    model.preprocessing = find_preprocessing(configuration, places, folder, model);
    if (!options.header_only) prepare(model, preparing);
    return model;
}

Model load_model(const std::filesystem::path& path, const LoadOptions& options) {
    return load_model(find_checkpoint(path), options);
}

}  // namespace vitrine
