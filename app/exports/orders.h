#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/frame/opening.h"
#include "app/jobs/latest.h"
#include "app/platform/scratch_folder.h"
#include "app/workspace/figure_look.h"

namespace vitrine {

inline constexpr int most_pixels = 16384;  // of a drawing's edge: what OpenGL draws at once

/// A window that is drawn into memory.
struct Drawing {
    int width = 1920, height = 1080;
    double scale = 0;  // 0: as the window of that size would have
    int times = 1;     // pixels for one, letters and lines alike
    bool transparent = false;
    FigureLook figure = {};
};

/// A picture of a part of a window.
struct PictureOrder {
    Opening opening;
    Drawing drawing;
    std::string part, format;
    std::filesystem::path file;                      // another name is taken where there is one by then
    std::shared_ptr<const ScratchFolder> clipboard;  // the file's folder, where the picture goes onto the clipboard
};

/// A lesson's pictures and words as one page.
struct HandoutOrder {
    std::string lesson;  // a bundled one's name or a file
    ModelSource source;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Result> result = {};  // of that model, where one is there
    std::string language = "en";
    bool notes = false;  // the speaker's, too
    std::filesystem::path file = {};
};

/// What is to be drawn beside the window: the newest picture and the newest handout. Commands request them; whoever
/// owns the window draws them between its frames (DrawnAside).
class Orders : public Job {
public:
    explicit Orders(const std::function<void()>& /*wake*/ = {}) {}

    template <class Order>
    struct Slot {
        std::shared_ptr<const Order> order;  // null: nothing is requested, or it was cancelled
        double fraction = 0;                 // drawn
        void request(Order wanted) {
            order = std::make_shared<const Order>(std::move(wanted));
            fraction = 0;
        }
        void cancel() { order.reset(); }
    };
    Slot<PictureOrder> picture;
    Slot<HandoutOrder> handout;

    bool busy() const override { return picture.order || handout.order; }
    void wait() const override {}  // the thread that would wait is the one that draws
};

}  // namespace vitrine
