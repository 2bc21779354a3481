#include "app/platform/gl.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/platform/embedded.h"
#include "embedded/shaders.h"

namespace vitrine::gl {

namespace {

Functions functions = {};
int contexts = 0;
bool loaded = false;  // in at least one OpenGL context

/// Shaders are part of the program: they only fail on drivers that do not support OpenGL 3.3.
[[noreturn]] void give_up(const std::string& what, const char* log) {
    std::fprintf(stderr, "vitrine: shader %s: %s\n", what.c_str(), log);
    std::abort();
}

unsigned compile(GLenum kind, const std::string& file) {
    const unsigned shader = functions.CreateShader(kind);
    const std::string_view text = embedded(shaders(), file).text();
    const char* const source = text.data();
    const int length = static_cast<int>(text.size());
    functions.ShaderSource(shader, 1, &source, &length);
    functions.CompileShader(shader);
    int good = 0;
    functions.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == 0) {
        char log[2048] = {};
        functions.GetShaderInfoLog(shader, sizeof log, nullptr, log);
        give_up(file, log);
    }
    return shader;
}

}  // namespace

bool load(void* (*address_of)(const char*)) {
    bool all = true;
    const auto get = [&]<class F>(F& function, const char* name) {
        function = reinterpret_cast<F>(address_of(name));
        all = all && function != nullptr;
    };
#define VITRINE_GL(name) get(functions.name, "gl" #name)
    VITRINE_GL(GenTextures), VITRINE_GL(DeleteTextures), VITRINE_GL(BindTexture), VITRINE_GL(TexImage2D);
    VITRINE_GL(TexParameteri), VITRINE_GL(PixelStorei), VITRINE_GL(ActiveTexture), VITRINE_GL(GenerateMipmap);
    VITRINE_GL(GenFramebuffers), VITRINE_GL(DeleteFramebuffers), VITRINE_GL(BindFramebuffer);
    VITRINE_GL(FramebufferTexture2D), VITRINE_GL(CheckFramebufferStatus), VITRINE_GL(ReadPixels), VITRINE_GL(Viewport);
    VITRINE_GL(ClearColor), VITRINE_GL(Clear), VITRINE_GL(Enable), VITRINE_GL(Disable), VITRINE_GL(IsEnabled);
    VITRINE_GL(CreateShader), VITRINE_GL(ShaderSource), VITRINE_GL(CompileShader), VITRINE_GL(GetShaderiv);
    VITRINE_GL(GetShaderInfoLog), VITRINE_GL(DeleteShader), VITRINE_GL(CreateProgram), VITRINE_GL(AttachShader);
    VITRINE_GL(LinkProgram), VITRINE_GL(GetProgramiv), VITRINE_GL(GetProgramInfoLog);
    VITRINE_GL(UseProgram), VITRINE_GL(DeleteProgram);
    VITRINE_GL(GetUniformLocation), VITRINE_GL(Uniform1i), VITRINE_GL(Uniform1f), VITRINE_GL(GenVertexArrays);
    VITRINE_GL(DeleteVertexArrays), VITRINE_GL(BindVertexArray), VITRINE_GL(DrawArrays), VITRINE_GL(GetIntegerv);
    VITRINE_GL(GetString), VITRINE_GL(Finish);
#undef VITRINE_GL
    contexts += all ? 1 : 0;
    loaded = contexts > 0;
    return all;
}

bool available() { return loaded; }

void unload() { loaded = --contexts > 0; }

const Functions& call() { return functions; }

Shader::Shader(const std::string& vertex_file, const std::string& fragment_file) {
    if (!loaded) return;
    const unsigned vertex = compile(GL_VERTEX_SHADER, vertex_file),
                   fragment = compile(GL_FRAGMENT_SHADER, fragment_file);
    id_ = functions.CreateProgram();
    functions.AttachShader(id_, vertex);
    functions.AttachShader(id_, fragment);
    functions.LinkProgram(id_);
    functions.DeleteShader(vertex);
    functions.DeleteShader(fragment);
    int good = 0;
    functions.GetProgramiv(id_, GL_LINK_STATUS, &good);
    if (good != 0) return;
    char log[2048] = {};
    functions.GetProgramInfoLog(id_, sizeof log, nullptr, log);
    give_up(vertex_file + " with " + fragment_file, log);
}

Shader::~Shader() {
    if (loaded && id_ != 0) functions.DeleteProgram(id_);
}

void Shader::use() const {
    if (loaded) functions.UseProgram(id_);
}

void Shader::set(const char* uniform, int value) const {
    if (loaded) functions.Uniform1i(functions.GetUniformLocation(id_, uniform), value);
}

void Shader::set(const char* uniform, float value) const {
    if (loaded) functions.Uniform1f(functions.GetUniformLocation(id_, uniform), value);
}

Texture::Texture(Format format, int width, int height, const void* pixels, Filter filter)
    : width_(width), height_(height) {
    if (!loaded) return;
    int before = 0;
    functions.GetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    functions.GenTextures(1, &id_);
    functions.BindTexture(GL_TEXTURE_2D, id_);
    functions.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (format == Format::rgba8)
        functions.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    else
        functions.TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, pixels);
    if (filter == Filter::mipmaps) functions.GenerateMipmap(GL_TEXTURE_2D);
    const int small = filter == Filter::mipmaps  ? GL_LINEAR_MIPMAP_LINEAR
                      : filter == Filter::linear ? GL_LINEAR
                                                 : GL_NEAREST;
    functions.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, small);
    functions.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter == Filter::nearest ? GL_NEAREST : GL_LINEAR);
    functions.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    functions.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    functions.BindTexture(GL_TEXTURE_2D, static_cast<unsigned>(before));
}

Texture::~Texture() {
    if (loaded && id_ != 0) functions.DeleteTextures(1, &id_);
}

Texture::Texture(Texture&& other) noexcept
    : id_(std::exchange(other.id_, 0)), width_(other.width_), height_(other.height_) {}

Texture& Texture::operator=(Texture&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    return *this;
}

void Texture::bind(int unit) const {
    if (!loaded) return;
    functions.ActiveTexture(GL_TEXTURE0 + static_cast<unsigned>(unit));
    functions.BindTexture(GL_TEXTURE_2D, id_);
}

RenderTo::RenderTo(const Texture& target) {
    if (!loaded) return;
    functions.GetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
    functions.GetIntegerv(GL_VIEWPORT, viewport_);
    functions.GenFramebuffers(1, &id_);
    functions.BindFramebuffer(GL_FRAMEBUFFER, id_);
    functions.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.id(), 0);
    functions.Viewport(0, 0, target.width(), target.height());
}

RenderTo::~RenderTo() {
    if (!loaded) return;
    functions.BindFramebuffer(GL_FRAMEBUFFER, static_cast<unsigned>(before_));
    functions.Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    functions.DeleteFramebuffers(1, &id_);
}

void draw_full_screen() {
    if (!loaded) return;
    functions.Disable(GL_SCISSOR_TEST);
    functions.Disable(GL_BLEND);
    unsigned vertices = 0;
    functions.GenVertexArrays(1, &vertices);
    functions.BindVertexArray(vertices);
    functions.DrawArrays(GL_TRIANGLES, 0, 3);
    functions.BindVertexArray(0);
    functions.DeleteVertexArrays(1, &vertices);
}

}  // namespace vitrine::gl
