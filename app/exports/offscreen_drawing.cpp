#include "app/exports/offscreen_drawing.h"

#include <algorithm>
#include <exception>

#include "app/exports/handout.h"
#include "app/exports/orders.h"
#include "app/exports/screen.h"
#include "app/frame/shell.h"
#include "app/jobs/jobs.h"
#include "core/base/sentence.h"

namespace vitrine {

namespace {

constexpr double drawing = 0.99;  // share of the progress; the rest is writing the file

}  // namespace

OffscreenDrawing::OffscreenDrawing(std::function<void()> wake) : wake_(std::move(wake)) {}

OffscreenDrawing::~OffscreenDrawing() = default;

void OffscreenDrawing::step(Shell& shell) {
    Jobs& jobs = shell.context().jobs();
    if (!jobs.has<Orders>()) return;
    Orders& orders = jobs.of<Orders>();
    if (picture_ != orders.picture.order) screen_.reset();
    if (lesson_ != orders.handout.order) handout_.reset();
    picture_ = orders.picture.order;
    lesson_ = orders.handout.order;
    if (picture_ && orders.picture.fraction < 1)
        step_picture(shell, orders);
    else if (lesson_ && orders.handout.fraction < 1)
        step_handout(shell, orders);
}

void OffscreenDrawing::step_picture(Shell& shell, Orders& orders) {
    try {
        if (!screen_) {
            screen_ = std::make_unique<Screen>(picture_->drawing, wake_);
            screen_->show(picture_->opening);
        }
        const bool drawn = screen_->step();
        orders.picture.fraction = std::max(orders.picture.fraction, drawing * screen_->fraction());
        if (!drawn) return;
        shell.take_in(
            arrival::PictureDrawn{picture_, picture_format_named(picture_->format)->take(*screen_, picture_->part)});
        orders.picture.fraction = 1;
    } catch (...) {
        shell.take_in(arrival::PictureFailed{sentence_of(std::current_exception())});
    }
    screen_.reset();
}

void OffscreenDrawing::step_handout(Shell& shell, Orders& orders) {
    try {
        if (!handout_) handout_ = std::make_unique<Handout>(*lesson_, wake_);
        const bool drawn = handout_->step();
        orders.handout.fraction = drawing * handout_->fraction();
        if (!drawn) return;
        shell.take_in(arrival::HandoutDrawn{lesson_, handout_->page()});
        orders.handout.fraction = 1;
    } catch (...) {
        shell.take_in(arrival::HandoutFailed{sentence_of(std::current_exception())});
    }
    handout_.reset();
}

}  // namespace vitrine
