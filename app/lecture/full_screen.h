#pragma once

namespace vitrine {

/// Whose full screen it is: one that began in a lecture ends with it, one that was there before stays.
class LectureScreen {
public:
    /// After every frame; true where the window is to leave the full screen now.
    bool ends(bool lecture, bool full) {
        const bool begins = lecture && full && lecture_ && !full_;
        begun_ = full && (begun_ || begins);
        lecture_ = lecture;
        full_ = full;
        if (lecture || !begun_) return false;
        begun_ = false;
        return true;
    }

private:
    bool lecture_ = false, full_ = false;  // as of the frame before
    bool begun_ = false;                   // in this lecture
};

}  // namespace vitrine
