#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vitrine {

/// Writes a NumPy archive: arrays that `numpy.load` returns by name, without pickles, in a ZIP whose entries are not
/// compressed.
class NpzWriter {
public:
    /// Begins with an entry "about", a single value of type "S" (UTF-8), so that the file describes itself.
    explicit NpzWriter(const std::string& about);

    /// Adds an array of float32 in row-major order.
    void add(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<float>& values);
    /// Adds an array of strings, type "U".      (words)
    void add(const std::string& name, const std::vector<std::string>& words);

    /// Ends the archive and returns its bytes. Throws Error beyond 4 GiB.
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
