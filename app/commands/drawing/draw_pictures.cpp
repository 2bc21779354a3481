#include <algorithm>
#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/exports/output_folder.h"
#include "app/exports/screen.h"
#include "app/platform/printable.h"
#include "core/training/pictures/pictures.h"
#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// Arranges pictures in rows.
DrawnPart lay_out(const DrawPicturesOptions& o, PictureRequest request) {
    DrawnPart sheet{o.columns * o.size, o.rows * o.size, 3, {}};
    sheet.bytes.resize(static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height) * 3);
    const auto bytes = [](int pixels) { return static_cast<std::size_t>(pixels) * 3; };
    std::vector<std::uint8_t> picture(bytes(o.size) * static_cast<std::size_t>(o.size));
    for (int i = 0; i < o.columns * o.rows; ++i) {
        request.index = o.first + static_cast<std::uint64_t>(i);
        draw_pixels(request, picture.data());
        const int left = i % o.columns * o.size, top = i / o.columns * o.size;
        for (int y = 0; y < o.size; ++y)
            std::copy_n(picture.data() + static_cast<std::size_t>(y) * bytes(o.size), bytes(o.size),
                        sheet.bytes.data() + static_cast<std::size_t>(top + y) * bytes(sheet.width) + bytes(left));
    }
    return sheet;
}

}  // namespace

int draw_command(const DrawPicturesOptions& o) {
    check_is_name("--out", o.out);
    if (picture_format_of(o.out).name != std::string_view("png"))
        throw UsageError("--out " + o.out.string() + ": a sheet of pictures is a PNG file; end the name in .png");
    guard_of(o.force, {}).check(o.out);
    PictureRequest request{
        {.seed = o.seed, .pairs = o.pairs, .scenes = *value_in(scenes_names, o.scenes)}, 0, o.size, {}};
    set_difficulty(request.set, o.difficulty);
    if (!o.label.empty()) {
        const std::vector<std::string> names = picture_classes(true, request.set.scenes);
        const auto found = std::find(names.begin(), names.end(), o.label);
        if (found == names.end()) {
            std::string all;
            for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
            throw UsageError("--class " + o.label + ": the " + o.scenes + " have no such class; choose from " + all);
        }
        request.label = static_cast<int>(found - names.begin());
    }
    if (static_cast<double>(o.columns) * o.rows * o.size * o.size > 2e8)
        throw UsageError("such a sheet has more than 200 million pixels; draw fewer or smaller pictures");
    write_png(o.out, lay_out(o, request));
    if (o.json)
        print_json(
            {{"file", o.out.string()}, {"pictures", o.columns * o.rows}, {"columns", o.columns}, {"rows", o.rows}});
    else
        std::printf("%s: %d pictures\n", printable(o.out.string()).c_str(), o.columns * o.rows);
    return 0;
}

}  // namespace vitrine
