#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/geometry.h"

namespace vitrine {

/// What tests see of a frame: every widget and figure reports a stable, language-independent id with where it is, what
/// value it shows and its words. Off (the default) a mark costs one branch.
class Probe {
public:
    struct Item {
        Rect rect;             // what can really be clicked: the item cut by its clip rectangle
        bool visible = false;  // at least one pixel of it
        double value = 0;      // the number shown, before formatting
        std::string text;      // the words or number as drawn
    };

    /// Words as a canvas draws them, by the height of their letters.
    struct Words {
        Rect rect;  // as far as they can be seen
        std::string text;
        const void* on_top = nullptr;  // what was drawn together: words of another list may lie over these
    };

    bool on = false;

    /// Forgets the last frame's marks.
    void begin_frame();
    void mark(const std::string& id, Rect rect, double value = 0, const std::string& text = {});
    /// The last ImGui item.
    void mark_item(const std::string& id, double value = 0, const std::string& text = {});

    /// Words drawn at a place of the window's current list, a line high.
    void mark_words(Rect line, const std::string& text);
    const std::vector<Words>& words() const { return words_; }
    /// Pairs of words that lie over one another: a mistake that tests refuse.
    std::vector<std::string> overlaps() const;

    const Item* find(const std::string& id) const;
    const std::map<std::string, Item>& items() const { return items_; }
    /// Ids marked twice in one frame, each with both words: a mistake that tests refuse.
    const std::vector<std::string>& duplicates() const { return duplicates_; }

    /// One line an item, written atomically: what a test outside the process clicks on.
    void dump(const std::string& file) const;

private:
    std::map<std::string, Item> items_;
    std::vector<std::string> duplicates_;
    std::vector<Words> words_;
};

}  // namespace vitrine
