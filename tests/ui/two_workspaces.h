#pragma once

#include <gtest/gtest.h>

#include "tests/ui/harness.h"

namespace vitrine {

inline const Workspaces& both(const Harness& h) { return h.app->context().workspaces; }
inline const Workspace& left(const Harness& h) { return both(h).all()[0]; }
inline const Workspace& right(const Harness& h) { return both(h).all()[1]; }

inline void open_right(Harness& h) {
    h.press(Key::d, Key::ctrl);
    ASSERT_EQ(both(h).all().size(), 2U);
}

inline void open_image(Harness& h, const char* name) {
    h.app->ask(command::OpenImage{{name, {}}});
    h.frame(2);
    h.settle();
}

/// The cat on the left, the mug on the right, in the chapter of attention.
inline void show_two_images(Harness& h) {
    go_to(h, "attention");
    open_right(h);
    open_image(h, "mug");
}

}  // namespace vitrine
