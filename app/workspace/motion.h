#pragma once

namespace vitrine {

/// The motion of a step: a time from 0 to 1 that plays, is scrubbed, or stands.
///
/// Whoever arrives sees its end, where everything is drawn and labelled; what led there is played on request.
struct Motion {
    float time = 1.0F;
    bool playing = false;
    bool waits = false;  // its chapter was entered, finished and labelled, and it has not been played since

    bool operator==(const Motion&) const = default;

    /// From where it stands, from the beginning where it is over.
    void play();
    void advance(float seconds);
};

}  // namespace vitrine
