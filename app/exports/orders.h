#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/frame/opening.h"
#include "app/jobs/latest.h"
#include "app/workspace/figure_look.h"

namespace vitrine {

class ScratchFolder;

inline constexpr int most_pixels = 16384;  // largest side that OpenGL draws at once

/// A window drawn to memory.
struct Drawing {
    int width = 1920, height = 1080;
    double scale = 0;  // of type and controls; 0: as in a window of that size
    int times = 1;     // resolution factor for text and lines
    bool transparent = false;
    FigureLook figure = {};
};

/// An order for a picture of a part of a window.
struct PictureOrder {
    Opening opening;
    Drawing drawing;
    std::string part, format;
    std::filesystem::path file;                      // an unused name is chosen if it exists by then
    std::shared_ptr<const ScratchFolder> clipboard;  // temporary folder of a picture for the clipboard
};

/// An order for a handout: a lesson as one page.
struct HandoutOrder {
    std::string lesson;  // a bundled lesson's name or a file
    ModelSource source;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Result> result = {};  // its model is used, if any
    Settings settings = {};                     // but the pictures are light and count from 1
    bool notes = false;                         // include the speaker's notes
    bool answers = false;                       // include the answers to the questions
    std::filesystem::path file = {};
};

/// Orders for offscreen drawings: pictures and handouts, each drawn in the order of their requests. Commands place
/// orders; the window's owner draws them between frames (OffscreenDrawing).
class Orders : public Job {
public:
    explicit Orders(const std::function<void()>& /*wake*/ = {}) {}

    template <class Order>
    struct Slot {
        std::shared_ptr<const Order> order;  // null: nothing is ordered, or it was cancelled
        double fraction = 0;                 // drawn share
        std::deque<std::shared_ptr<const Order>> later = {};
        void request(Order wanted) {
            later.push_back(std::make_shared<const Order>(std::move(wanted)));
            if (!order) next();
        }
        /// Ends the current order, done or failed, and starts the next one.
        void next() {
            order.reset();
            fraction = 0;
            if (later.empty()) return;
            order = std::move(later.front());
            later.pop_front();
        }
        void cancel() {
            later.clear();
            order.reset();
        }
    };
    Slot<PictureOrder> picture;
    Slot<HandoutOrder> handout;

    bool busy() const override { return picture.order || handout.order; }
    void wait() const override {}  // the thread that would wait is the one that draws
};

}  // namespace vitrine
