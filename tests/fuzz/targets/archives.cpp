#include <algorithm>

#include "core/base/error.h"
#include "core/files/npz_file.h"
#include "core/files/open_tensors.h"
#include "core/vit/checkpoint/flax_names.h"
#include "core/vit/checkpoint/wrapped_names.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/tensors_of.h"

namespace vitrine::fuzz {

namespace {

/// All entries of an archive, unpacked.
void read_entries(Bytes bytes) {
    const ZipArchive archive(ByteSource::of_bytes(bytes, "file"));
    std::size_t packed = 0;
    for (const ZipArchive::Entry& entry : archive.entries()) {
        packed += entry.packed;
        demand(archive.find(entry.name) == &entry, "each entry is found by its name");
        demand(entry.data + entry.packed <= bytes.size(), "an entry lies in its file");
        if (entry.size > 1 << 16) continue;
        std::vector<std::uint8_t> unpacked(entry.size);
        try {
            archive.read(entry, 0, unpacked);
            if (entry.size > 2) {
                std::vector<std::uint8_t> part(entry.size / 2);
                archive.read(entry, entry.size / 3, part);
                demand(std::equal(part.begin(), part.end(), unpacked.begin() + entry.size / 3),
                       "a part is of its whole");
            }
        } catch (const Error& error) {
            demand_sentence(error.what());
        }
    }
    demand(packed <= bytes.size(), "entries do not overlap");
}

}  // namespace

void archives(Bytes bytes) {
    try {
        read_entries(bytes);
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
    try {
        const std::shared_ptr<const TensorFile> file = open_packed_tensors(ByteSource::of_bytes(bytes, "file"));
        if (file == nullptr) return;
        read_tensors(*file);
        const std::shared_ptr<const TensorFile> named = look_through_names(file);
        demand(named->entries().size() <= file->entries().size(), "no tensor is made");
        if (const std::optional<FlaxModel> flax = as_flax_model(named)) read_tensors(*flax->tensors);
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
