/* clipboard_owner TYPE FILE : owns the clipboard and gives a file's bytes in that type, in parts of 4000 bytes (INCR),
 * as programs do with large pictures. Prints "ready", and ends when another program takes the clipboard or stdin is
 * closed. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { part_size = 4000 };

static Display* display;
static unsigned char* bytes;
static long size, given;
static Window asker;
static Atom asked_in;

static Atom atom(const char* name) { return XInternAtom(display, name, False); }

static void answer(const XSelectionRequestEvent* request, Atom type) {
    XEvent reply = {0};
    reply.xselection.type = SelectionNotify;
    reply.xselection.requestor = request->requestor;
    reply.xselection.selection = request->selection;
    reply.xselection.target = request->target;
    reply.xselection.property = request->property;
    reply.xselection.time = request->time;
    if (request->target == atom("TARGETS")) {
        Atom types[2] = {atom("TARGETS"), type};
        XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace,
                        (unsigned char*)types, 2);
    } else if (request->target == type) {
        asker = request->requestor;
        asked_in = request->property;
        given = 0;
        XSelectInput(display, asker, PropertyChangeMask);
        XChangeProperty(display, asker, asked_in, atom("INCR"), 32, PropModeReplace, (unsigned char*)&size, 1);
    } else {
        reply.xselection.property = None;
    }
    XSendEvent(display, request->requestor, False, NoEventMask, &reply);
}

static void give_part(Atom type) {
    const long left = size - given, count = left < part_size ? left : part_size;
    XChangeProperty(display, asker, asked_in, type, 8, PropModeReplace, bytes + given, (int)count);
    given += count;
    if (count == 0) asker = None;
}

/* Who asked may be gone before all parts are given. */
static int ignore(Display* on, XErrorEvent* error) {
    (void)on;
    (void)error;
    return 0;
}

int main(int argc, char** argv) {
    FILE* file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (file == NULL || (display = XOpenDisplay(NULL)) == NULL) {
        fprintf(stderr, "usage: clipboard_owner TYPE FILE\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    bytes = malloc((size_t)size);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) return 2;
    XSetErrorHandler(ignore);
    const Atom type = atom(argv[1]);
    const Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display, atom("CLIPBOARD"), window, CurrentTime);
    XFlush(display);
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct pollfd sources[2] = {{ConnectionNumber(display), POLLIN, 0}, {0, POLLIN, 0}};
        while (XPending(display) > 0) {
            XEvent event;
            XNextEvent(display, &event);
            if (event.type == SelectionClear) return 0;
            if (event.type == SelectionRequest) answer(&event.xselectionrequest, type);
            if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete &&
                event.xproperty.window == asker && event.xproperty.atom == asked_in)
                give_part(type);
        }
        /* Nothing is left to send: XPending has flushed. XFlush here would read events that poll then never reports. */
        if (poll(sources, 2, -1) < 0 || sources[1].revents != 0) return 0;
    }
}
