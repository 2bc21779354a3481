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
        bool visible = false;  // at least one pixel is visible
        double value = 0;      // the number shown, before formatting
        std::string text;      // the words or number as drawn
    };

    /// Words that a canvas draws, with their letters' height.
    struct Words {
        Rect rect;  // the visible part
        std::string text;
        const void* on_top = nullptr;  // the draw list; words of another one may overlap these
    };

    bool on = false;

    /// A scope in which ids are marked with a prefix, so that two drawings of one figure have different ids.
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
    /// Marks the last ImGui item.
    void mark_item(const std::string& id, double value = 0, const std::string& text = {});

    /// Notes words drawn on the window's current draw list, one line high.
    void mark_words(Rect line, const std::string& text);
    const std::vector<Words>& words() const { return words_; }
    /// Pairs of overlapping words; tests fail if there are any.
    std::vector<std::string> overlaps() const;

    const Item* find(const std::string& id) const;
    const std::map<std::string, Item>& items() const { return items_; }
    /// Ids marked twice in one frame, each with both texts; tests fail if there are any.
    const std::vector<std::string>& duplicates() const { return duplicates_; }

    /// Writes one line per item to a file, atomically, for tests in another process, which click on these.
    void dump(const std::string& file) const;

private:
    std::map<std::string, Item> items_;
    std::vector<std::string> duplicates_;
    std::vector<Words> words_;
    std::string prefix_;
};

}  // namespace vitrine
