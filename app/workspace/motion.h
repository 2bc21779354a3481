#pragma once

namespace vitrine {

/// The animation of a step: a time from 0 to 1 that plays, is scrubbed or is paused.
///
/// On arrival it is at its end, with everything drawn and labelled; it plays on request.
struct Motion {
    float time = 1.0F;
    bool playing = false;
    bool waits = false;  // at its end since the chapter was entered, and not played yet

    bool operator==(const Motion&) const = default;

    /// Continues, or restarts at the end.
    void play();
    void advance(float seconds);
};

}  // namespace vitrine
