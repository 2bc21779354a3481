#include "app/ui/widgets/texture_cache.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/platform/gl.h"
#include "app/ui/widgets/equation_raster.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

using gl::Texture;

constexpr int map_edge = 4096;      // largest side of a coloured map
constexpr int picture_edge = 4096;  // largest side of a picture; larger ones are scaled down
constexpr int pixel_edge = 2048;    // limit for enlarging a picture's pixels
constexpr int map_frames = 8;       // frames that an undrawn map is kept: maps are quick to make and change often
constexpr int picture_frames = 120;
constexpr int saturation_steps = 8;

/// A fast hash (multiply and rotate, eight bytes at a time), since the attention of all heads is hashed once a frame.
class Hash {
public:
    void add(std::span<const std::byte> bytes) {
        for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data(), 8);
            mix(word);
        }
        std::uint64_t rest = bytes.size();
        for (const std::byte b : bytes) rest = rest << 8 | std::to_integer<std::uint64_t>(b);
        mix(rest);
    }
    template <class T>
    void add_value(const T& value) {
        add(std::as_bytes(std::span(&value, 1)));
    }
    std::uint64_t value() const { return state_ ^ state_ >> 29; }

private:
    void mix(std::uint64_t word) {
        state_ = std::rotl((state_ ^ word) * 0x9E3779B97F4A7C15U, 31) * 0xD6E8FEB86659FD93U;
    }

    std::uint64_t state_ = 0x243F6A8885A308D3U;
};

/// Pixels per cell so that `count` cells are at least `shown` wide: a power of two, so that a slowly growing figure
/// keeps its texture.
int pixels_of_cell(float shown, int count, int edge) {
    const int wanted = std::clamp(static_cast<int>(std::ceil(shown / static_cast<float>(count))), 1, edge);
    const int power = static_cast<int>(std::bit_ceil(static_cast<unsigned>(wanted)));
    return std::clamp(power, 1, std::max(1, edge / count));
}

std::vector<std::uint8_t> with_alpha(std::span<const std::uint8_t> rgb) {
    std::vector<std::uint8_t> rgba(rgb.size() / 3 * 4, 255);
    for (std::size_t i = 0; i < rgb.size() / 3; ++i) std::copy_n(&rgb[3 * i], 3, &rgba[4 * i]);
    return rgba;
}

/// Enlarges every pixel (4 bytes) to `times` × `times`.
std::vector<std::uint8_t> enlarged(const std::vector<std::uint8_t>& rgba, int width, int times) {
    if (times == 1) return rgba;
    const std::size_t pixels = rgba.size() / 4, columns = static_cast<std::size_t>(width);
    const std::size_t n = static_cast<std::size_t>(times), stride = columns * n * 4;
    std::vector<std::uint8_t> out(rgba.size() * n * n);
    for (std::size_t y = 0; y < pixels / columns; ++y) {
        std::uint8_t* row = &out[y * n * stride];
        for (std::size_t x = 0; x < columns * n; ++x) std::memcpy(row + 4 * x, &rgba[4 * (y * columns + x / n)], 4);
        for (std::size_t copy = 1; copy < n; ++copy) std::memcpy(row + copy * stride, row, stride);
    }
    return out;
}

struct PictureLook {
    bool pixelated;
    int times;
    int saturation;  // quantised
};

PictureLook look_of(const Picture& picture, Point shown) {
    const Image& image = *picture.image;
    const bool enlarges = shown.x >= static_cast<float>(image.width) && shown.y >= static_cast<float>(image.height);
    const bool pixelated = picture.pixelated && enlarges && std::max(image.width, image.height) <= picture_edge;
    const int times =
        std::min(pixels_of_cell(shown.x, image.width, pixel_edge), pixels_of_cell(shown.y, image.height, pixel_edge));
    const float steps = std::round(std::clamp(picture.saturation, 0.0F, 1.0F) * saturation_steps);
    return {pixelated, pixelated ? times : 1, static_cast<int>(steps)};
}

Texture upload(const Image& source, const PictureLook& look) {
    const bool fits = std::max(source.width, source.height) <= picture_edge;
    Image image = fits ? source : shrink_to_fit(source, picture_edge);
    desaturate(image.rgb, static_cast<float>(look.saturation) / saturation_steps);
    const std::vector<std::uint8_t> rgba = enlarged(with_alpha(image.rgb), image.width, look.times);
    return Texture(Texture::Format::rgba8, image.width * look.times, image.height * look.times, rgba.data(),
                   look.pixelated ? Texture::Filter::nearest : Texture::Filter::mipmaps);
}

}  // namespace

struct TextureCache::State {
    struct Entry {
        Texture texture;
        std::weak_ptr<const Image> image;  // for a picture
        int drawn = 0;                     // frame of the last use
    };

    std::unordered_map<std::uint64_t, Entry> maps, pictures, equations;
    std::optional<gl::Shader> shader;
    std::unordered_map<const void*, Texture> colours;  // by address of a map's table
    int frame = 0;

    const Texture& colours_texture(ColourMap map, ThemeKind kind);
    Texture colourised(const HeatMap& map, ThemeKind kind, Point cell);
};

const Texture& TextureCache::State::colours_texture(ColourMap map, ThemeKind kind) {
    const auto& table = colours_of(map, kind);
    const auto [found, is_new] = colours.try_emplace(table.data());
    if (is_new) {
        static_assert(sizeof(Color) == 4);
        found->second = Texture(Texture::Format::rgba8, colour_map_steps, 1, table.data(), Texture::Filter::nearest);
    }
    return found->second;
}

/// Draws a map into a texture, each value as a `cell` of whole pixels. ImGui's backend sets all the OpenGL state it
/// needs when it renders; texture units and framebuffer are restored here.
Texture TextureCache::State::colourised(const HeatMap& map, ThemeKind kind, Point cell) {
    if (!shader) shader.emplace("full_screen.vert", "heat_map.frag");
    const int cell_width = static_cast<int>(cell.x), cell_height = static_cast<int>(cell.y);
    const bool shrinks = cell_width == 1 || cell_height == 1;
    const Texture values(Texture::Format::r32f, map.columns, map.rows, map.values, Texture::Filter::nearest);
    Texture target(Texture::Format::rgba8, map.columns * cell_width, map.rows * cell_height, nullptr,
                   shrinks ? Texture::Filter::mipmaps : Texture::Filter::nearest);
    {
        const gl::RenderTo render(target);
        shader->use();
        shader->set("values", 0);
        shader->set("colours", 1);
        shader->set("cell_width", cell_width);
        shader->set("cell_height", cell_height);
        shader->set("low", map.scale.low);
        shader->set("high", map.scale.high);
        shader->set("signed_scale", is_signed(map.scale.map) ? 1 : 0);
        shader->set("curve", static_cast<int>(map.scale.curve));
        shader->set("log_decades", log_decades);
        shader->set("opacity_floor", map.opacity_floor);
        colours_texture(map.scale.map, kind).bind(1);
        values.bind(0);
        gl::draw_full_screen();
    }
    target.bind(0);
    if (shrinks) gl::call().GenerateMipmap(GL_TEXTURE_2D);
    return target;
}

TextureCache::TextureCache() : state_(std::make_unique<State>()) {}

TextureCache::~TextureCache() = default;

void TextureCache::begin_frame() {
    const int frame = ++state_->frame;
    std::erase_if(state_->maps, [&](const auto& row) { return row.second.drawn + map_frames < frame; });
    std::erase_if(state_->pictures, [&](const auto& row) {
        const bool owned = !row.second.image.expired() || row.second.drawn + 1 >= frame;
        return !owned || row.second.drawn + picture_frames < frame;
    });
    std::erase_if(state_->equations, [&](const auto& row) { return row.second.drawn + picture_frames < frame; });
}

unsigned TextureCache::heat_map(const HeatMap& map, ThemeKind kind, Point shown) {
    if (!gl::available() || map.rows < 1 || map.columns < 1 || map.values == nullptr) return 0;
    const int width = pixels_of_cell(shown.x, map.columns, map_edge),
              height = pixels_of_cell(shown.y, map.rows, map_edge);
    Hash hash;
    hash.add(std::as_bytes(std::span(map.values, static_cast<std::size_t>(map.rows) * map.columns)));
    for (const float number : {map.scale.low, map.scale.high, map.opacity_floor}) hash.add_value(number);
    for (const int number : {map.rows, map.columns, width, height, static_cast<int>(map.scale.map),
                             static_cast<int>(map.scale.curve), static_cast<int>(kind)})
        hash.add_value(number);
    const auto [found, is_new] = state_->maps.try_emplace(hash.value());
    const Point cell = {static_cast<float>(width), static_cast<float>(height)};
    if (is_new) found->second.texture = state_->colourised(map, kind, cell);
    found->second.drawn = state_->frame;
    return found->second.texture.id();
}

unsigned TextureCache::picture(const Picture& picture, Point shown) {
    if (!gl::available() || !picture.image || picture.image->rgb.empty()) return 0;
    const PictureLook look = look_of(picture, shown);
    Hash hash;
    hash.add_value(picture.image.get());
    for (const int number : {look.pixelated ? 1 : 0, look.times, look.saturation}) hash.add_value(number);
    State::Entry& entry = state_->pictures[hash.value()];
    if (entry.image.lock() != picture.image) {
        entry.texture = upload(*picture.image, look);
        entry.image = picture.image;
    }
    entry.drawn = state_->frame;
    return entry.texture.id();
}

EquationTexture TextureCache::equation(const EquationInk& ink, float scale) {
    if (!gl::available() || ink.paths == nullptr) return {};
    Hash hash;
    hash.add_value(ink.paths);
    hash.add_value(scale);
    hash.add(std::as_bytes(ink.colors));
    const auto [found, is_new] = state_->equations.try_emplace(hash.value());
    State::Entry& entry = found->second;
    if (is_new) {
        const EquationPixels pixels = rasterise(ink, scale);
        entry.texture =
            Texture(Texture::Format::rgba8, pixels.width, pixels.height, pixels.rgba.data(), Texture::Filter::nearest);
    }
    entry.drawn = state_->frame;
    return {entry.texture.id(), entry.texture.width(), entry.texture.height()};
}

std::size_t TextureCache::size() const {
    return state_->maps.size() + state_->pictures.size() + state_->equations.size();
}

}  // namespace vitrine
