// screenshot FILE.png [X0 Y0 X1 Y1]
//
// Writes what the X screen shows (or that part of it) and prints how many colours it has and the share of the most
// frequent one, in percent: a window that drew nothing has one colour.

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

namespace {

struct Part {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    int width() const { return x1 - x0; }
    int height() const { return y1 - y0; }
};

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

/// The part of a screen with 8 bits a channel in the order of TrueColor.
Picture take(Display* display, const Part& part) {
    Picture picture{part.width(), part.height(), {}};
    XImage* const image =
        XGetImage(display, DefaultRootWindow(display), part.x0, part.y0, static_cast<unsigned>(part.width()),
                  static_cast<unsigned>(part.height()), AllPlanes, ZPixmap);
    if (image == nullptr) return picture;
    for (int y = 0; y < part.height(); ++y) {
        for (int x = 0; x < part.width(); ++x) {
            const unsigned long pixel = XGetPixel(image, x, y);
            for (int shift : {16, 8, 0}) picture.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
        }
    }
    XDestroyImage(image);
    return picture;
}

void print_colours(const Picture& picture) {
    std::unordered_map<std::uint32_t, int> counts;
    int most = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
        const std::uint32_t colour = picture.rgb[i] << 16U | picture.rgb[i + 1] << 8U | picture.rgb[i + 2];
        most = std::max(most, ++counts[colour]);
    }
    std::printf("%zu %d\n", counts.size(), static_cast<int>(300LL * most / static_cast<long long>(picture.rgb.size())));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 6) {
        std::fputs("usage: screenshot FILE.png [X0 Y0 X1 Y1]\n", stderr);
        return 2;
    }
    Display* const display = XOpenDisplay(nullptr);
    if (display == nullptr) {
        std::fputs("screenshot: there is no X display; set DISPLAY\n", stderr);
        return 1;
    }
    const int screen = DefaultScreen(display);
    const Part whole{0, 0, DisplayWidth(display, screen), DisplayHeight(display, screen)};
    Part part = whole;
    if (argc == 6) part = {std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5])};
    if (part.x0 < 0 || part.y0 < 0 || part.x1 > whole.x1 || part.y1 > whole.y1 || part.width() < 1 ||
        part.height() < 1) {
        std::fputs("screenshot: that part is not on the screen\n", stderr);
        return 2;
    }
    const Picture picture = take(display, part);
    XCloseDisplay(display);
    if (picture.rgb.empty() ||
        stbi_write_png(argv[1], picture.width, picture.height, 3, picture.rgb.data(), picture.width * 3) == 0) {
        std::fprintf(stderr, "screenshot: %s cannot be written\n", argv[1]);
        return 1;
    }
    print_colours(picture);
    return 0;
}
