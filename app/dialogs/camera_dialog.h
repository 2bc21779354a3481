#pragma once

#include <vector>

#include "app/platform/camera.h"

namespace vitrine {

struct Frame;

/// The dialog "Camera": one row for each camera that is connected, looked for whenever it opens.
class CameraDialog {
public:
    void draw(const Frame& frame);

private:
    std::vector<CameraRow> rows_;
};

}  // namespace vitrine
