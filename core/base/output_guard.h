#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file_stamp.h"

namespace vitrine {

/// Protects files from being overwritten by a command: its inputs, whatever name or link leads to them, and, without
/// --force, files that Vitrine did not write.
class OutputGuard {
public:
    /// Treatment of files that Vitrine did not write: kept, or replaced (--force).
    enum class Foreign { kept, replaced };

    explicit OutputGuard(Foreign foreign) : foreign_(foreign) {}

    /// Adds an input; a missing file is allowed.
    void reads(const std::filesystem::path& file);

    /// Throws Error if the file is an input, or exists and was not written by Vitrine. Pipes, devices and empty files
    /// have no content to lose.
    void check(const std::filesystem::path& output) const;
    /// Throws Error if the file is an input. --force does not change that.
    void check_is_not_read(const std::filesystem::path& output) const;

    Foreign foreign() const { return foreign_; }

private:
    std::vector<FileStamp> reads_;
    Foreign foreign_;
};

/// Vitrine's name in the files that it writes.
inline constexpr const char* software_name = "Vitrine";

/// True if a file says near its beginning that Vitrine wrote it: "Software" in a PNG, the generator of an HTML page,
/// the metadata of a drawing, "software" in JSON, in the metadata of safetensors and in an archive of arrays. Formats
/// that people edit by hand (pages, drawings, JSON) must also match their checksum. False if the file cannot be read.
bool is_ours(const std::filesystem::path& file);

/// Inserts a checksum of the content after Vitrine's name, which a page, a drawing or JSON must contain.
std::string sealed(std::string words);

}  // namespace vitrine
