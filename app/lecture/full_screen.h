#pragma once

namespace vitrine {

/// Ownership of full screen: one that began in a lecture, or with it, ends with it; one from before stays.
class LectureScreen {
public:
    /// Called after every frame; true if the window should leave full screen.
    bool ends(bool lecture, bool full) {
        begun_ = full && (begun_ || (lecture && !full_));
        full_ = full;
        if (lecture || !begun_) return false;
        begun_ = full_ = false;  // a lecture that begins in the next frame fills it anew
        return true;
    }

private:
    bool full_ = false;   // in the last frame
    bool begun_ = false;  // during this lecture
};

}  // namespace vitrine
