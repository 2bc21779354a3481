#include <map>
#include <system_error>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::error_code unreadable;  // reading the weights will report it
    if (!std::filesystem::exists(path, unreadable)) return "";
    const std::vector<std::uint8_t> bytes = read_file(path);
    return {bytes.begin(), bytes.end()};
}

/// The name of a file or folder, even if the path ends in "/" or is ".".
std::string last_name(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::filesystem::path full = std::filesystem::absolute(path, ignored).lexically_normal();
    const std::string name = (full.has_filename() ? full : full.parent_path()).filename().string();
    return as_utf8(name.empty() ? path.string() : name);
}

/// Rejects a weight file in an unsupported format, with the remedy.
void refuse_other_formats(const std::filesystem::path& file) {
    static const std::map<std::string, std::string> remedies = {
        {".bin", "a pickled PyTorch file, which can run any program when it is opened"},
        {".pt", "a pickled PyTorch file, which can run any program when it is opened"},
        {".pth", "a pickled PyTorch file, which can run any program when it is opened"},
        {".ckpt", "a pickled training checkpoint, which can run any program when it is opened"},
        {".h5", "a Keras file, which Vitrine does not read"},
        {".msgpack", "a Flax file, which Vitrine does not read"},
        {".npz", "a NumPy archive, which Vitrine does not read yet"},
        {".onnx", "an ONNX graph, which Vitrine does not read"},
        {".gguf", "a GGUF file, which Vitrine does not read"},
        {".json", "a configuration, not weights"},
    };
    const auto found = remedies.find(file.extension().string());
    if (found != remedies.end())
        throw Error(file.string() + ": this is " + found->second +
                    "; give a .safetensors file (in Python: safetensors.torch.save_file(model.state_dict(), "
                    "'model.safetensors'))");
}

}  // namespace

std::vector<std::filesystem::path> files_of_checkpoint(const std::filesystem::path& path) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored);
    const std::filesystem::path beside = folder ? path : path.parent_path();
    std::vector<std::filesystem::path> files = {folder ? path / "model.safetensors" : path};
    for (const char* const name : {"config.json", "preprocessor_config.json", "processor_config.json"})
        files.push_back(beside / name);
    std::erase_if(files, [&](const auto& file) { return !std::filesystem::is_regular_file(file, ignored); });
    return files;
}

CheckpointFiles find_checkpoint(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    const fs::path weights = folder ? path / "model.safetensors" : path;
    const fs::path beside = folder ? path : path.parent_path();
    if (!folder && fs::exists(path, ignored)) refuse_other_formats(path);
    std::error_code reason;
    if (folder && !fs::exists(weights, reason)) {
        if (reason == std::errc::permission_denied)
            throw Error(path.string() + ": there is no permission to read this folder; change its permissions");
        if (fs::exists(path / "model.safetensors.index.json", ignored))
            throw Error(path.string() +
                        ": these weights are split over several files, which Vitrine does not read; save them as one "
                        "model.safetensors");
        for (const char* const other : {"pytorch_model.bin", "model.onnx", "flax_model.msgpack"})
            if (fs::exists(path / other, ignored)) refuse_other_formats(path / other);
        throw Error(path.string() +
                    ": there is no model.safetensors in this folder; give the folder of a model, or its weight file");
    }
    CheckpointFiles files{last_name(path), path.string(), Safetensors::open(weights), {}, {}};
    const auto read = [&](const char* name) {
        files.stamps.push_back(stamp_of(beside / name));  // before reading, to detect later changes
        return text_of(beside / name);
    };
    files.stamps = {stamp_of(weights)};
    files.config_json = read("config.json");
    files.preprocessor_json = read("preprocessor_config.json");
    files.processor_json = read("processor_config.json");
    return files;
}

}  // namespace vitrine
