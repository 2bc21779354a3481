#pragma once

#include <set>
#include <string>

namespace vitrine {

/// The letters beyond the tables of words that have been met: file names, labels, a lecturer's notes. ImGui's atlas
/// holds only what was known when it was built; what is met later is in the next one.
class Glyphs {
public:
    /// Remembers the letters of a text that a font of the atlas may lack; costs nothing for ASCII.
    void see(const std::string& words) {
        for (const char c : words)
            if (static_cast<unsigned char>(c) >= 0xE2) return look(words);
    }

    /// Whether letters were met since the atlas was built; building it clears that.
    bool pending() const { return pending_; }
    void built() { pending_ = false; }
    const std::set<unsigned>& seen() const { return seen_; }

private:
    void look(const std::string& words);

    std::set<unsigned> seen_;
    bool pending_ = false;
};

}  // namespace vitrine
