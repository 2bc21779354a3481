#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/exports/numbers.h"

namespace vitrine {

/// The measures of many images as one array each, whose first axis is the image: MEASURE.npy (or .csv, .safetensors), a
/// table of the images `images.csv`, and `manifest.json`.
///
/// Images are appended one by one, so memory does not grow with their number: first the numbers to MEASURE.npy.part,
/// then a line to the journal `stack.jsonl.part`, which completes the image. An interrupted stack continues from there
/// and ends with the same bytes. A failed image is listed in the manifest alone.
class MeasureStack {
public:
    using Json = Manifest::Json;

    /// Begins a stack of these images in a folder, which the caller has locked; with `what.resume`, continues an
    /// interrupted one. Throws Error if the folder has files of another run, or files that must not be replaced.
    MeasureStack(const MeasureExport& what, const std::vector<std::string>& names, std::filesystem::path folder);

    /// True if the folder already had the finished stack.
    bool is_complete() const { return complete_; }
    /// Number of images in the stack, failed ones included; also the index of the next image.
    std::size_t done() const { return entries_.size(); }
    /// Throws Error if the image with this number has changed since it was added.
    void check(std::size_t number, const ImageSource& source) const;

    void add(const OpenImage& image, const MeasuredPass& pass, const Progress& progress = {});
    void fail(const std::string& name, const std::string& reason);
    /// Completes the arrays, writes the table and the manifest, and removes the journal.
    void finish();

    /// An image's entry in the manifest.
    const Json& entry(std::size_t number) const { return entries_[number]; }

private:
    std::filesystem::path data_of(const std::string& measure) const;
    std::filesystem::path journal() const;
    void begin();
    bool take_up();
    void note(Json entry, const std::vector<std::uint64_t>& ends);
    std::string header_of(const Json& row) const;

    const MeasureExport& what_;
    std::filesystem::path folder_;
    Json head_;                        // the journal's first line: version, run, measures and format
    Json rows_ = Json::array();        // rows of the manifest, one for each measure, made from the first image
    std::vector<Json> entries_;        // one for each image
    std::vector<std::uint64_t> ends_;  // sizes of the data files in bytes
    std::size_t written_ = 0;          // images in the arrays
    bool complete_ = false;
};

}  // namespace vitrine
