#include "core/files/open_tensors.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/base/error.h"
#include "core/files/npz_file.h"
#include "core/files/pytorch/pytorch_file.h"
#include "core/files/safetensors.h"
#include "core/files/tensor_shards.h"
#include "core/files/zip.h"

namespace vitrine {

namespace {

/// A kind of file of another program, known by its first bytes or its ending.
struct ForeignKind {
    std::string_view beginning, ending;
    const char* words;
};
constexpr ForeignKind foreign_kinds[] = {
    {"GGUF", ".gguf", "a GGUF file, whose numbers are quantised; get the model's safetensors from its page"},
    {"\x89HDF", ".h5",
     "a Keras file; get the model's safetensors from its page, or load it with transformers "
     "(from_tf=True) and call save_pretrained"},
    {"\x89HDF", ".keras", "a Keras file; get the model's safetensors from its page"},
    {"", ".onnx",
     "an ONNX graph, which names no parts of a Transformer; get the weights that it was exported from, as "
     "safetensors or .pth"},
    {"", ".msgpack",
     "a Flax file; load it with transformers (from_flax=True) and call save_pretrained, or save its "
     "parameters with numpy.savez"},
    {"", ".tflite", "a TensorFlow Lite graph; get the weights that it was made from, as safetensors or .pth"},
    {"", ".pb", "a TensorFlow graph; get the weights that it was made from, as safetensors or .pth"},
    {"", ".mlmodel", "a Core ML program; get the weights that it was made from, as safetensors or .pth"},
    {"", ".pt2",
     "an exported PyTorch program; save the weights alone: torch.save(model.state_dict(), \"weights.pth\")"},
    {"\x93NUMPY", ".npy", "a single array; save all arrays of the model by name with numpy.savez"},
};

std::string beginning_of(const ByteSource& source, std::size_t most) {
    std::vector<std::uint8_t> bytes(std::min(source.size(), most));
    source.read(0, bytes);
    return {bytes.begin(), bytes.end()};
}

/// True if a file's first bytes are those of safetensors: the length of a header, below 1 TiB, then a JSON object.
/// Since the length can be any number, its bytes may equal the beginning of another kind, such as a pickle or "PK".
constexpr std::size_t safetensors_beginning = 9;
bool begins_as_safetensors(std::string_view beginning) {
    return beginning.size() >= safetensors_beginning && beginning.substr(5, 4) == std::string_view("\0\0\0{", 4);
}

}  // namespace

std::string ending_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::span<const std::string_view> weight_endings() {
    static constexpr std::string_view endings[] = {".safetensors", ".pth", ".pt", ".bin", ".ckpt", ".npz"};
    return endings;
}

std::span<const std::string_view> foreign_weight_endings() {
    static const std::vector<std::string_view> endings = [] {
        std::vector<std::string_view> all;
        for (const ForeignKind& kind : foreign_kinds) all.push_back(kind.ending);
        return all;
    }();
    return endings;
}

std::shared_ptr<const TensorFile> open_packed_tensors(const ByteSource& source) {
    const std::string beginning = beginning_of(source, safetensors_beginning);
    if (begins_as_safetensors(beginning)) return nullptr;
    if (beginning.starts_with("PK")) {
        ZipArchive archive(source);
        const bool arrays = std::ranges::any_of(
            archive.entries(), [](const ZipArchive::Entry& entry) { return entry.name.ends_with(".npy"); });
        if (arrays) return std::make_shared<const NpzFile>(std::move(archive));
        return PytorchFile::from_archive(std::move(archive));
    }
    if (beginning.size() >= 2 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5)
        return PytorchFile::from_stream(source);
    return nullptr;
}

std::shared_ptr<const TensorFile> open_tensors(const std::filesystem::path& path) {
    if (is_index_of_shards(path)) return std::make_shared<const TensorShards>(path, open_tensors);
    const ByteSource source = ByteSource::of_file(path);
    constexpr std::size_t tar_magic = 257, beginning_size = 262;
    const std::string beginning = beginning_of(source, beginning_size), ending = ending_of(path);
    for (const ForeignKind& kind : foreign_kinds)
        if (ending == kind.ending || (!kind.beginning.empty() && beginning.starts_with(kind.beginning)))
            throw Error(path.string() + ": this is " + kind.words);
    if (ending == ".json")
        throw Error(path.string() + ": this is a configuration, not weights; give the file of the weights beside it");
    if (beginning.size() == beginning_size && beginning.substr(tar_magic) == "ustar")
        throw Error(path.string() +
                    ": this is an archive of PyTorch before 0.1.10, or another tar; unpack it, or save the "
                    "weights again with torch.save");
    if (std::shared_ptr<const TensorFile> file = open_packed_tensors(source)) return file;
    const bool named_safetensors = ending == ".safetensors" || ending.empty();
    const bool is_page = beginning.starts_with("<") || beginning.starts_with("version https://git-lfs");
    if (!named_safetensors && !is_page && !beginning.empty() &&
        std::ranges::find(weight_endings(), ending) != weight_endings().end()) {
        if (!begins_as_safetensors(beginning))
            throw Error(
                path.string() + ": this is neither a " +
                (ending == ".npz" ? "NumPy archive" : "file of torch.save, which is a ZIP archive or a pickle,") +
                " nor safetensors, or it is cut short; download it again");
    }
    return std::make_shared<const Safetensors>(Safetensors::open(path));
}

}  // namespace vitrine
