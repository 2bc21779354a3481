#pragma once

namespace vitrine {

/// Ownership of full screen: one that began in a lecture, or with it, ends with it; one from before stays.
class LectureScreen {
public:
    /// Called after every frame; true if the window should leave full screen.
    bool ends(bool lecture, bool full) {
        const bool begins = lecture && full && !full_;
        begun_ = full && (begun_ || begins);
        lecture_ = lecture;
        full_ = full;
        if (lecture || !begun_) return false;
        begun_ = false;
        return true;
    }

private:
    bool lecture_ = false, full_ = false;  // in the last frame
    bool begun_ = false;                   // during this lecture
};

}  // namespace vitrine
