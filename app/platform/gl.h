#pragma once

#include <GL/glcorearb.h>

#include <string>

namespace vitrine::gl {

/// Loads the OpenGL 3.3 functions used by the app; false if one is missing. ImGui's backend has its own loader. Every
/// loaded context must be unloaded once; windows of one display share the functions.
bool load(void* (*address_of)(const char* name));

/// True if a context is loaded. Without one, every object below is empty and every call does nothing, so that the same
/// frame runs in tests without a display.
bool available();

/// Must be called when a context is destroyed; after the last one `available` is false.
void unload();

struct Functions {
    PFNGLGENTEXTURESPROC GenTextures;
    PFNGLDELETETEXTURESPROC DeleteTextures;
    PFNGLBINDTEXTUREPROC BindTexture;
    PFNGLTEXIMAGE2DPROC TexImage2D;
    PFNGLTEXPARAMETERIPROC TexParameteri;
    PFNGLPIXELSTOREIPROC PixelStorei;
    PFNGLACTIVETEXTUREPROC ActiveTexture;
    PFNGLGENERATEMIPMAPPROC GenerateMipmap;
    PFNGLGENFRAMEBUFFERSPROC GenFramebuffers;
    PFNGLDELETEFRAMEBUFFERSPROC DeleteFramebuffers;
    PFNGLBINDFRAMEBUFFERPROC BindFramebuffer;
    PFNGLFRAMEBUFFERTEXTURE2DPROC FramebufferTexture2D;
    PFNGLCHECKFRAMEBUFFERSTATUSPROC CheckFramebufferStatus;
    PFNGLREADPIXELSPROC ReadPixels;
    PFNGLVIEWPORTPROC Viewport;
    PFNGLCLEARCOLORPROC ClearColor;
    PFNGLCLEARPROC Clear;
    PFNGLENABLEPROC Enable;
    PFNGLDISABLEPROC Disable;
    PFNGLISENABLEDPROC IsEnabled;
    PFNGLCREATESHADERPROC CreateShader;
    PFNGLSHADERSOURCEPROC ShaderSource;
    PFNGLCOMPILESHADERPROC CompileShader;
    PFNGLGETSHADERIVPROC GetShaderiv;
    PFNGLGETSHADERINFOLOGPROC GetShaderInfoLog;
    PFNGLDELETESHADERPROC DeleteShader;
    PFNGLCREATEPROGRAMPROC CreateProgram;
    PFNGLATTACHSHADERPROC AttachShader;
    PFNGLLINKPROGRAMPROC LinkProgram;
    PFNGLGETPROGRAMIVPROC GetProgramiv;
    PFNGLGETPROGRAMINFOLOGPROC GetProgramInfoLog;
    PFNGLUSEPROGRAMPROC UseProgram;
    PFNGLDELETEPROGRAMPROC DeleteProgram;
    PFNGLGETUNIFORMLOCATIONPROC GetUniformLocation;
    PFNGLUNIFORM1IPROC Uniform1i;
    PFNGLUNIFORM1FPROC Uniform1f;
    PFNGLGENVERTEXARRAYSPROC GenVertexArrays;
    PFNGLDELETEVERTEXARRAYSPROC DeleteVertexArrays;
    PFNGLBINDVERTEXARRAYPROC BindVertexArray;
    PFNGLDRAWARRAYSPROC DrawArrays;
    PFNGLGETINTEGERVPROC GetIntegerv;
    PFNGLGETSTRINGPROC GetString;
    PFNGLFINISHPROC Finish;
};

/// The loaded functions; only if `available`.
const Functions& call();

/// Two of the embedded files of shaders/, compiled and linked.
class Shader {
public:
    Shader(const std::string& vertex_file, const std::string& fragment_file);
    ~Shader();
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    void use() const;
    void set(const char* uniform, int value) const;
    void set(const char* uniform, float value) const;

private:
    unsigned id_ = 0;
};

class Texture {
public:
    enum class Format { rgba8, r32f };
    enum class Filter { nearest, linear, mipmaps };

    Texture() = default;
    Texture(Format format, int width, int height, const void* pixels, Filter filter);
    ~Texture();
    Texture(Texture&& other) noexcept;
    Texture& operator=(Texture&& other) noexcept;

    unsigned id() const { return id_; }
    int width() const { return width_; }
    int height() const { return height_; }
    void bind(int unit) const;

private:
    unsigned id_ = 0;
    int width_ = 0, height_ = 0;
};

/// Redirects drawing into a texture until the end of the scope, then restores framebuffer and viewport.
class RenderTo {
public:
    explicit RenderTo(const Texture& target);
    ~RenderTo();
    RenderTo(const RenderTo&) = delete;
    RenderTo& operator=(const RenderTo&) = delete;

private:
    unsigned id_ = 0;
    int before_ = 0;
    int viewport_[4] = {};
};

/// Draws one triangle that covers the whole target; the shader computes vertices from their index.
void draw_full_screen();

}  // namespace vitrine::gl
