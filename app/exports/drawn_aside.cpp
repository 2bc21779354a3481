#include "app/exports/drawn_aside.h"

#include <algorithm>
#include <exception>

#include "app/exports/export_commands.h"
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

DrawnAside::DrawnAside(std::function<void()> wake) : wake_(std::move(wake)) {}

DrawnAside::~DrawnAside() = default;

void DrawnAside::step(Shell& shell) {
    AppContext& context = shell.context();
    if (!context.jobs().has<Orders>()) return;
    Orders& orders = context.jobs().of<Orders>();
    if (picture_ != orders.picture.order) screen_.reset();
    if (lesson_ != orders.handout.order) handout_.reset();
    picture_ = orders.picture.order;
    lesson_ = orders.handout.order;
    if (picture_ && orders.picture.fraction < 1)
        step_picture(context, orders);
    else if (lesson_ && orders.handout.fraction < 1)
        step_handout(context, orders);
}

void DrawnAside::step_picture(AppContext& context, Orders& orders) {
    try {
        if (!screen_) {
            screen_ = std::make_unique<Screen>(picture_->drawing, wake_);
            screen_->show(picture_->opening);
        }
        const bool drawn = screen_->step();
        orders.picture.fraction = std::max(orders.picture.fraction, drawing * screen_->fraction());
        if (!drawn) return;
        write_picture(context, picture_, picture_format_named(picture_->format)->take(*screen_, picture_->part));
        orders.picture.fraction = 1;
    } catch (...) {
        picture_failed(context, sentence_of(std::current_exception()));
    }
    screen_.reset();
}

void DrawnAside::step_handout(AppContext& context, Orders& orders) {
    try {
        if (!handout_) handout_ = std::make_unique<Handout>(*lesson_, wake_);
        const bool drawn = handout_->step();
        orders.handout.fraction = drawing * handout_->fraction();
        if (!drawn) return;
        write_handout(context, lesson_, handout_->page());
        orders.handout.fraction = 1;
    } catch (...) {
        handout_failed(context, sentence_of(std::current_exception()));
    }
    handout_.reset();
}

}  // namespace vitrine
