#pragma once

namespace vitrine {

/// Decides whether full screen ends with a lecture: it does if it began during the lecture or with it, not before it.
class LectureScreen {
public:
    /// Called after every frame; true if the window should leave full screen.
    bool ends(bool lecture, bool full) {
        begun_ = full && (begun_ || (lecture && !full_));
        full_ = full;
        if (lecture || !begun_) return false;
        begun_ = full_ = false;  // full screen counts as begun by a lecture that begins in the next frame
        return true;
    }

private:
    bool full_ = false;   // full screen in the last frame
    bool begun_ = false;  // full screen began during this lecture
};

}  // namespace vitrine
