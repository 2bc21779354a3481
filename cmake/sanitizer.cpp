// Part of every program in the sanitized build: leaks of the OpenGL driver are not ours.

/// No library is unloaded, so that a leak can be told by the name of the library that made it.
extern "C" int dlclose(void*) { return 0; }

/// What LeakSanitizer passes over: Mesa and what it loads, X11's and GLVND's process-wide tables.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:_dri.so\nleak:libgallium\nleak:libLLVM\nleak:libEGL\nleak:libGLX\nleak:libGLdispatch\nleak:libX11\n";
}
