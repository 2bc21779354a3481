#version 330 core

// A matrix of numbers becomes colours: every number fills whole pixels, so that edges stay crisp whatever sampler
// later shows the result. texelFetch ignores samplers.

uniform sampler2D values;             // R32F, (rows, columns)
uniform sampler2D colours;            // the map, 256 x 1
uniform int cell_width, cell_height;  // pixels of one number
uniform float low, high;              // the scale's range
uniform bool signed_scale;            // the map's middle is its zero
uniform int curve;                    // 0 linear, 1 square root, 2 logarithm
uniform float log_decades;            // powers of ten that a logarithm shows
uniform float opacity_floor;          // the weakest numbers keep this opacity; it grows with the square root

out vec4 colour;  // straight alpha, as ImGui blends it

void main() {
    float value = texelFetch(values, ivec2(gl_FragCoord.xy) / ivec2(cell_width, cell_height), 0).r;
    float place = high > low ? (value - low) / (high - low) : 0.0;
    if (curve == 1 && !signed_scale) place = sqrt(max(0.0, place));
    if (curve == 1 && signed_scale) place = 0.5 + 0.5 * sign(2.0 * place - 1.0) * sqrt(abs(2.0 * place - 1.0));
    if (curve == 2 && !signed_scale) place = place > 0.0 ? 1.0 + log2(place) / (log2(10.0) * log_decades) : 0.0;
    place = place > 0.0 ? min(place, 1.0) : 0.0;
    float amount = signed_scale ? abs(2.0 * place - 1.0) : place;
    vec4 shown = texelFetch(colours, ivec2(int(place * 255.0 + 0.5), 0), 0);
    colour = vec4(shown.rgb, mix(opacity_floor, 1.0, sqrt(amount)));
}
