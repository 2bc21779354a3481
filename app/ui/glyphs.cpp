#include "app/ui/glyphs.h"

#include <imgui.h>

#include "app/platform/imgui_compat.h"

namespace vitrine {

namespace {

constexpr unsigned first_cjk = 0x2E80, last_plane = 0xFFEF;  // ImGui's letters have 16 bits

}  // namespace

void Glyphs::look(const std::string& words) {
    for (std::size_t i = 0; i < words.size();) {
        const auto lead = static_cast<unsigned char>(words[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (i + length > words.size()) return;
        unsigned code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(words[i + k]) & 0x3FU);
        i += length;
        if (code < first_cjk || code > last_plane || has_glyph(ImGui::GetIO().FontDefault, code)) continue;
        if (seen_.insert(code).second) pending_ = true;
    }
}

}  // namespace vitrine
