#pragma once

namespace vitrine {

struct Config;
struct Focus;
struct Workspace;

// The focus and the hovered item that two workspaces side by side share.

/// The token of the model `in` that corresponds to `token` of the model `of`: the same learned token, or the patch at
/// the same place in the image. If there is none, the nearest one.
int token_like(int token, const Config& of, const Config& in);

/// Copies to `to` each part of `from`'s focus that has changed since `was`. A block, head, token or unit that `to` does
/// not have becomes the nearest one.
void link_focus(const Focus& was, const Workspace& from, Workspace& to);

/// Highlights the item hovered in one of two linked workspaces in both.
void link_hover(Workspace& one, Workspace& other);

}  // namespace vitrine
