#pragma once

namespace vitrine {

/// The motion of a step: a time from 0 to 1 that plays, is scrubbed, or stands.
struct Motion {
    float time = 1.0F;
    bool playing = false;

    bool operator==(const Motion&) const = default;

    /// From where it stands, from the beginning where it is over.
    void play();
    void advance(float seconds);
};

}  // namespace vitrine
