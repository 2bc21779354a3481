#include "app/platform/clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>

#include "app/platform/child_process.h"
#include "app/platform/user.h"
#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience{2000};  // longest wait for each answer of the owner
constexpr std::size_t largest_picture = std::size_t{1} << 30;

/// The functions of Xlib that are used. The library is the one that GLFW loads; without it nothing can be pasted.
struct Xlib {
    explicit Xlib(const SharedLibrary& library) {
        complete = library.look_up(open, "XOpenDisplay", close, "XCloseDisplay", atom, "XInternAtom", window,
                                   "XCreateSimpleWindow", select, "XSelectInput", owner, "XGetSelectionOwner", convert,
                                   "XConvertSelection", property, "XGetWindowProperty", remove, "XDeleteProperty", free,
                                   "XFree", flush, "XFlush", pending, "XPending", next, "XNextEvent", root,
                                   "XDefaultRootWindow", socket, "XConnectionNumber");
    }

    bool complete = false;
    decltype(XOpenDisplay)* open = nullptr;
    decltype(XCloseDisplay)* close = nullptr;
    decltype(XInternAtom)* atom = nullptr;
    decltype(XCreateSimpleWindow)* window = nullptr;
    decltype(XSelectInput)* select = nullptr;
    decltype(XGetSelectionOwner)* owner = nullptr;
    decltype(XConvertSelection)* convert = nullptr;
    decltype(XGetWindowProperty)* property = nullptr;
    decltype(XDeleteProperty)* remove = nullptr;
    decltype(XFree)* free = nullptr;
    decltype(XFlush)* flush = nullptr;
    decltype(XPending)* pending = nullptr;
    decltype(XNextEvent)* next = nullptr;
    decltype(XDefaultRootWindow)* root = nullptr;
    decltype(XConnectionNumber)* socket = nullptr;
};

/// A client of the clipboard's owner (ICCCM, chapter 2).
class Requestor {
public:
    explicit Requestor(const Xlib& x) : x_(x), display_(x.open(nullptr)) {
        if (display_ == nullptr) return;
        clipboard_ = x_.atom(display_, "CLIPBOARD", False);
        place_ = x_.atom(display_, "VITRINE_PASTED", False);
        incremental_ = x_.atom(display_, "INCR", False);
        window_ = x_.window(display_, x_.root(display_), 0, 0, 1, 1, 0, 0, 0);
        x_.select(display_, window_, PropertyChangeMask);
    }
    ~Requestor() {
        if (display_ != nullptr) x_.close(display_);
    }
    Requestor(const Requestor&) = delete;
    Requestor& operator=(const Requestor&) = delete;

    bool has_owner() const { return display_ != nullptr && x_.owner(display_, clipboard_) != None; }

    /// The types in which the owner offers its content.
    std::vector<Atom> types() {
        const auto answer = content(x_.atom(display_, "TARGETS", False));
        std::vector<Atom> atoms;
        if (!answer) return atoms;
        for (std::size_t at = 0; at + sizeof(Atom) <= answer->size(); at += sizeof(Atom)) {
            Atom atom = 0;
            std::copy_n(answer->data() + at, sizeof atom, reinterpret_cast<char*>(&atom));
            atoms.push_back(atom);
        }
        return atoms;
    }

    Atom named(const char* type) const { return x_.atom(display_, type, False); }

    /// The content in a type; none if the owner does not answer in time, or refuses.
    std::optional<std::string> content(Atom type) {
        x_.remove(display_, window_, place_);
        x_.convert(display_, clipboard_, type, place_, window_, CurrentTime);
        const auto answer = event(SelectionNotify);
        if (!answer || answer->xselection.property == None) return {};
        Atom kind = None;
        std::optional<std::string> bytes = take(kind);
        if (!bytes || kind != incremental_) return bytes;
        std::string all;  // content in parts: the owner sends each one after the previous one was read; an empty one is
                          // the last
        for (;;) {
            const auto change = event(PropertyNotify);
            if (!change) return {};
            if (change->xproperty.atom != place_ || change->xproperty.state != PropertyNewValue) continue;
            bytes = take(kind);
            if (!bytes || all.size() + bytes->size() > largest_picture) return {};
            if (bytes->empty()) return all;
            all += *bytes;
        }
    }

private:
    /// The next event of a type; none if it does not arrive in time.
    std::optional<XEvent> event(int type) {
        const auto until = Clock::now() + patience;
        XEvent event{};
        x_.flush(display_);
        for (;;) {
            while (x_.pending(display_) > 0) {
                x_.next(display_, &event);
                if (event.type == type) return event;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
            if (left <= 0) return {};
            pollfd socket{x_.socket(display_), POLLIN, 0};
            poll(&socket, 1, static_cast<int>(left));
        }
    }

    /// Reads and deletes our property, into which the owner has put the content; sets its type.
    std::optional<std::string> take(Atom& type) {
        int bits = 0;
        unsigned long count = 0, rest = 0;
        unsigned char* data = nullptr;
        constexpr long most = largest_picture / 4;  // in units of four bytes
        if (x_.property(display_, window_, place_, 0, most, True, AnyPropertyType, &type, &bits, &count, &rest,
                        &data) != Success)
            return {};
        const std::size_t size = count * (bits == 32 ? sizeof(long) : static_cast<std::size_t>(bits) / 8);
        std::string bytes(reinterpret_cast<const char*>(data), data == nullptr ? 0 : size);
        if (data != nullptr) x_.free(data);
        return bytes;
    }

    const Xlib& x_;
    Display* display_;
    ::Window window_ = None;
    Atom clipboard_ = None, place_ = None, incremental_ = None;
};

/// The path of a line that is a path or a file URI, without the URI's escapes; none for any other line.
std::optional<std::string> path_of(std::string_view line) {
    constexpr std::string_view scheme = "file://";
    if (line.starts_with('/')) return std::string(line);
    if (!line.starts_with(scheme)) return {};
    line.remove_prefix(scheme.size());
    line.remove_prefix(std::min(line.find('/'), line.size()));  // the host's name
    std::string path;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto digit = [](char c) {
            return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
        };
        const int high = i + 2 < line.size() ? digit(line[i + 1]) : -1, low = high < 0 ? -1 : digit(line[i + 2]);
        if (line[i] == '%' && low >= 0) {
            path += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            path += line[i];
        }
    }
    return path;
}

}  // namespace

std::vector<std::filesystem::path> files_named_in(std::string_view text) {
    std::vector<std::filesystem::path> files;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        std::error_code unreachable;
        if (const auto path = path_of(text.substr(0, end)); path && std::filesystem::exists(*path, unreachable))
            files.emplace_back(*path);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return files;
}

namespace {

/// The clipboard's content, given its types and a function that reads the content in one of them.
template <class Has, class ContentIn>
Pasted pasted_of(Has has, ContentIn content_in) {
    Pasted pasted;
    constexpr const char* list = "text/uri-list";
    if (const auto files = has(list) ? content_in(list) : std::nullopt) pasted.files = files_named_in(*files);
    if (!pasted.files.empty()) return pasted;
    for (const PictureType& type : picture_types()) {
        auto picture = has(type.name.c_str()) ? content_in(type.name.c_str()) : std::nullopt;
        if (!picture || picture->empty()) continue;
        pasted.picture = std::move(*picture);
        pasted.ending = type.ending;
        break;
    }
    return pasted;
}

Pasted read_x11() {
    static const SharedLibrary library("libX11.so.6");
    static const Xlib x(library);
    if (!x.complete) return {};
    Requestor requestor(x);
    if (!requestor.has_owner()) return {};
    const std::vector<Atom> types = requestor.types();
    return pasted_of([&](const char* type) { return std::ranges::find(types, requestor.named(type)) != types.end(); },
                     [&](const char* type) { return requestor.content(requestor.named(type)); });
}

/// The output of wl-paste, with a shell's exit status: 127 if it is not installed. The script appends a full stop,
/// which is removed here, since `ChildProcess` drops an output's last line breaks.
ChildProcess::End wl_paste(std::vector<std::string> arguments) {
    constexpr const char* script = "command -v wl-paste >/dev/null || exit 127; timeout 4 wl-paste \"$@\" && printf .";
    arguments.insert(arguments.begin(), {"-c", script, "sh"});
    ChildProcess::End end = ChildProcess({arguments, "/bin/sh", {}, ChildProcess::Kept::output}).wait();
    if (end.status == 0 && !end.words.empty()) end.words.pop_back();
    return end;
}

Pasted read_wayland() {
    const ChildProcess::End listed = wl_paste({"--list-types"});
    if (listed.status == 127) {
        Pasted nothing;
        nothing.lacks_wl_paste = true;
        return nothing;
    }
    const std::string types = "\n" + listed.words;
    return pasted_of([&](const std::string& type) { return types.find("\n" + type + "\n") != std::string::npos; },
                     [](const char* type) -> std::optional<std::string> {
                         ChildProcess::End content = wl_paste({"--no-newline", "--type", type});
                         return content.status == 0 ? std::optional(std::move(content.words)) : std::nullopt;
                     });
}

}  // namespace

Pasted read_clipboard() {
    Pasted pasted = read_x11();
    const bool nothing = pasted.files.empty() && pasted.picture.empty();
    return nothing && !environment_variable("WAYLAND_DISPLAY").empty() ? read_wayland() : pasted;
}

}  // namespace vitrine
