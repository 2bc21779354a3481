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
/// Images are appended one by one, so memory does not grow with their number: to MEASURE.npy.part, and then as a line
/// of `stack.jsonl.part`, which completes it. An interrupted stack continues from there and ends with the same bytes.
/// An image that fails has no place in the arrays; the manifest lists it.
class MeasureStack {
public:
    using Json = Manifest::Json;

    /// Begins a stack of these images in a folder, which the caller has locked; with `what.resume`, continues what a
    /// killed export left. Throws Error if the folder holds another run's files, or others that must stay.
    MeasureStack(const MeasureExport& what, const std::vector<std::string>& names, std::filesystem::path folder);

    /// True if the finished stack was there already.
    bool is_complete() const { return complete_; }
    /// Number of images that it has already, failed ones included; the next one is to be added.
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
    Json head_;                        // the journal's first line: run, measures and images
    Json rows_ = Json::array();        // of the manifest, one for each measure, as the first image gave them
    std::vector<Json> entries_;        // one for each image
    std::vector<std::uint64_t> ends_;  // of the data files
    std::size_t written_ = 0;          // images in the arrays
    bool complete_ = false;
};

}  // namespace vitrine
