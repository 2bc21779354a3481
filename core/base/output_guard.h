#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file_stamp.h"

namespace vitrine {

/// What a command must not write over: a file that it reads, by whatever name or link it is reached, and, unless it is
/// told to, a file that Vitrine did not write.
class OutputGuard {
public:
    /// What becomes of a file that Vitrine did not write: it stays, or the user's --force gives it up.
    enum class Foreign { kept, replaced };

    explicit OutputGuard(Foreign foreign) : foreign_(foreign) {}

    /// A file that the run reads; one that is not there is no matter.
    void reads(const std::filesystem::path& file);

    /// Throws Error where the file is one that the run reads, or is there and not Vitrine's own. A pipe, a device and
    /// an empty file hold nothing that could be lost.
    void check(const std::filesystem::path& output) const;
    /// Throws Error where the file is one that the run reads: the half that no --force opens.
    void check_is_not_read(const std::filesystem::path& output) const;

    Foreign foreign() const { return foreign_; }

private:
    std::vector<FileStamp> reads_;
    Foreign foreign_;
};

/// What Vitrine says of itself in the files that it writes.
inline constexpr const char* software_name = "Vitrine";

/// Whether a file says near its beginning that Vitrine wrote it, in the way of its kind: a PNG's "Software", the
/// generator of an HTML page or a drawing, "software" in JSON and in the metadata of safetensors. What people edit by
/// hand, pages, drawings and JSON, must still be as it was sealed. False where it cannot be read.
bool is_ours(const std::filesystem::path& file);

/// A page, a drawing or JSON that says that Vitrine wrote it, with a checksum of all that it says beside that.
std::string sealed(std::string words);

}  // namespace vitrine
