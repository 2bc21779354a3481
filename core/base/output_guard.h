#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file_stamp.h"

namespace vitrine {

/// The files that a command must not overwrite: its inputs, under whatever name or link, and, without --force, files
/// that Vitrine did not write.
class OutputGuard {
public:
    /// The treatment of files that Vitrine did not write: they are kept, or --force allows overwriting them.
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

/// How Vitrine names itself in the files that it writes.
inline constexpr const char* software_name = "Vitrine";

/// Whether a file says near its beginning that Vitrine wrote it: "Software" in a PNG, the generator of an HTML page or
/// a drawing, "software" in JSON, in the metadata of safetensors and in an archive of arrays. Formats that people edit
/// by hand (pages, drawings, JSON) must also match their checksum. False if it cannot be read.
bool is_ours(const std::filesystem::path& file);

/// Adds Vitrine's name and a checksum of the rest of the content to a page, a drawing or JSON.
std::string sealed(std::string words);

}  // namespace vitrine
