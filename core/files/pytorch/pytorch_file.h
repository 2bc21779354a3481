#pragma once

#include <optional>

#include "core/files/byte_source.h"
#include "core/files/tensor_file.h"
#include "core/files/zip.h"

namespace vitrine {

/// A file of PyTorch's torch.save: a ZIP archive with a pickle and one entry per storage, or, before 1.6, a stream of
/// pickles followed by the storages. (pytorch/pytorch: torch/serialization.py, _save, _load, _legacy_save and
/// _legacy_load; torch/_utils.py, _rebuild_tensor_v2.)
///
/// Nothing in the file is run: a pickle is read by an allow-list of opcodes and globals. A storage is read only when
/// a tensor is requested.
class PytorchFile : public TensorFile {
public:
    /// Throws Error for anything but dictionaries of weights, with the part that is refused.
    static std::shared_ptr<const PytorchFile> from_archive(ZipArchive archive);
    static std::shared_ptr<const PytorchFile> from_stream(ByteSource source);

    std::shared_ptr<const float> floats(const std::string& tensor) const override;

    /// A one-dimensional array of one type, which tensors view.
    struct Storage {
        TensorType type = TensorType::f32;
        std::string key;
        std::size_t count = 0;  // of numbers
        std::size_t begin = 0;  // offset of its bytes in the stream
    };
    struct View {
        std::size_t storage = 0;
        std::size_t offset = 0;  // of the first number in the storage, in numbers
        std::vector<std::size_t> shape, strides;
    };

private:
    PytorchFile(ByteSource source, std::string container)
        : TensorFile(source.name(), std::move(container)), source_(std::move(source)) {}
    void read_bytes(const Storage& storage, std::size_t offset, std::span<std::uint8_t> bytes) const;
    std::shared_ptr<const float> numbers(const View& view, std::size_t first, std::size_t count,
                                         const std::string& tensor) const;

    ByteSource source_;
    std::optional<ZipArchive> archive_;  // none: a stream
    std::string folder_;                 // of the archive's entries, with its "/"
    std::vector<Storage> storages_;
    std::map<std::string, View> views_;
};

}  // namespace vitrine
