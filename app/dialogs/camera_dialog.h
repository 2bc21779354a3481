#pragma once

#include <vector>

#include "app/platform/camera.h"

namespace vitrine {

struct Frame;

/// The dialog "Camera": a row for each connected camera, listed again whenever the dialog opens.
class CameraDialog {
public:
    void draw(const Frame& frame);

private:
    std::vector<CameraRow> rows_;
};

}  // namespace vitrine
