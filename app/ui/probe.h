#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/geometry.h"

namespace vitrine {

/// A frame as tests see it: every widget and figure reports a stable, language-independent id with its rectangle, value
/// and words. While off (the default), a mark costs one branch.
class Probe {
public:
    struct Item {
        Rect rect;             // the clickable part: the item cut by its clip rectangle
        bool visible = false;  // at least one pixel is
        double value = 0;      // the number shown, before formatting
        std::string text;      // the words or number as drawn
    };

    /// Words that a canvas draws, with their letters' height.
    struct Words {
        Rect rect;  // the visible part
        std::string text;
        const void* on_top = nullptr;  // things drawn together; words of another draw list may overlap these
    };

    bool on = false;

    /// While it lives, ids are marked below a prefix: two drawings of one figure have two ids.
    class Below {
    public:
        Below(Probe& probe, const char* prefix) : probe_(probe), before_(std::exchange(probe.prefix_, prefix)) {}
        ~Below() { probe_.prefix_ = before_; }
        Below(const Below&) = delete;
        Below& operator=(const Below&) = delete;

    private:
        Probe& probe_;
        const std::string before_;
    };

    /// Forgets the last frame's marks.
    void begin_frame();
    void mark(const std::string& id, Rect rect, double value = 0, const std::string& text = {});
    /// The last ImGui item.
    void mark_item(const std::string& id, double value = 0, const std::string& text = {});

    /// Words drawn at a place of the window's current draw list, one line high.
    void mark_words(Rect line, const std::string& text);
    const std::vector<Words>& words() const { return words_; }
    /// Pairs of overlapping words: a mistake that tests refuse.
    std::vector<std::string> overlaps() const;

    const Item* find(const std::string& id) const;
    const std::map<std::string, Item>& items() const { return items_; }
    /// Ids marked twice in one frame, each with both words: a mistake that tests refuse.
    const std::vector<std::string>& duplicates() const { return duplicates_; }

    /// One line per item, written atomically: a test in another process clicks on these.
    void dump(const std::string& file) const;

private:
    std::map<std::string, Item> items_;
    std::vector<std::string> duplicates_;
    std::vector<Words> words_;
    std::string prefix_;
};

}  // namespace vitrine
