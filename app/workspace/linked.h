#pragma once

namespace vitrine {

struct Config;
struct Focus;
struct Workspace;

// Two workspaces side by side share what is looked at.

/// The token of another model for one of `of`: the same learned token, or the patch at the same place of the image. The
/// nearest one where there is no such token.
int token_like(int token, const Config& of, const Config& in);

/// Makes `to` look at what `from` looks at, in all that has changed since `was`; where it has no such block, head,
/// token or unit, at the nearest one.
void link_focus(const Focus& was, const Workspace& from, Workspace& to);

/// Makes the pointer's target in one of two linked workspaces that of both.
void link_hover(Workspace& one, Workspace& other);

}  // namespace vitrine
