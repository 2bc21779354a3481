/* xdnd WINDOW FILE : drops a file on an X window, speaking XDND version 5 to it as a file manager would.
 * Exit status 0 when the window says that it has taken the drop. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { patience_ms = 300000 };

static Display* display;
static Window source, target;

static Atom atom(const char* name) { return XInternAtom(display, name, False); }

static void say(const char* message, long a, long b, long c, long d) {
    XEvent event;
    memset(&event, 0, sizeof event);
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)source;
    event.xclient.data.l[1] = a;
    event.xclient.data.l[2] = b;
    event.xclient.data.l[3] = c;
    event.xclient.data.l[4] = d;
    XSendEvent(display, target, False, NoEventMask, &event);
    XFlush(display);
}

/* The target asks for the file's name. */
static void answer(const XSelectionRequestEvent* request, const char* uri) {
    XEvent reply;
    XChangeProperty(display, request->requestor, request->property, request->target, 8, PropModeReplace,
                    (const unsigned char*)uri, (int)strlen(uri));
    memset(&reply, 0, sizeof reply);
    reply.xselection.type = SelectionNotify;
    reply.xselection.requestor = request->requestor;
    reply.xselection.selection = request->selection;
    reply.xselection.target = request->target;
    reply.xselection.property = request->property;
    reply.xselection.time = request->time;
    XSendEvent(display, request->requestor, False, NoEventMask, &reply);
    XFlush(display);
}

static int next_event(XEvent* event) {
    struct pollfd connection = {ConnectionNumber(display), POLLIN, 0};
    if (!XPending(display) && poll(&connection, 1, patience_ms) <= 0) return 0;
    XNextEvent(display, event);
    return 1;
}

int main(int argc, char** argv) {
    char path[4096], uri[4200];
    XEvent event;
    if (argc != 3 || realpath(argv[2], path) == NULL) {
        fprintf(stderr, "usage: xdnd WINDOW FILE\n");
        return 2;
    }
    display = XOpenDisplay(NULL);
    if (display == NULL) return 2;
    target = strtoul(argv[1], NULL, 0);
    source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    snprintf(uri, sizeof uri, "file://%s\r\n", path);

    XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
    say("XdndEnter", 5L << 24, (long)atom("text/uri-list"), None, None);
    say("XdndPosition", 0, (200L << 16) | 200, CurrentTime, (long)atom("XdndActionCopy"));
    while (next_event(&event)) {
        if (event.type == SelectionRequest) answer(&event.xselectionrequest, uri);
        if (event.type != ClientMessage) continue;
        if (event.xclient.message_type == atom("XdndStatus")) {
            if (!(event.xclient.data.l[1] & 1)) return 1;
            say("XdndDrop", 0, CurrentTime, 0, 0);
        }
        if (event.xclient.message_type == atom("XdndFinished")) return 0;
    }
    return 3;
}
