#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vitrine {

/// A NumPy archive to write: arrays that `numpy.load` gives by name, without pickles, in a ZIP whose entries are
/// stored.
class NpzWriter {
public:
    /// Text as one value of bytes (UTF-8), "S": the first entry, so that the file says what it is.
    explicit NpzWriter(const std::string& about);

    /// An array of float32, row by row.
    void add(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<float>& values);
    /// An array of words, "U".      (words)
    void add(const std::string& name, const std::vector<std::string>& words);

    /// The archive's bytes. Throws Error beyond 4 GiB.
    std::string take();

private:
    struct Entry {
        std::string name;
        std::size_t at = 0, size = 0;
        unsigned long crc = 0;
    };
    void add_entry(const std::string& name, const std::string& bytes);

    std::string bytes_;
    std::vector<Entry> entries_;
};

}  // namespace vitrine
