// Part of every program in a watched build: what libraries do is not ours to mend.

/// No library is unloaded, so that a leak can be told by the name of the library that made it.
extern "C" int dlclose(void*) { return 0; }

/// What LeakSanitizer passes over: Mesa and what it loads, X11's and GLVND's process-wide tables, and what
/// decoders of AVIF and HEIC lose of damaged files.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:_dri.so\nleak:libgallium\nleak:libLLVM\nleak:libEGL\nleak:libGLX\nleak:libGLdispatch\nleak:libX11\n"
           "leak:libheif\nleak:libdav1d\nleak:libde265\nleak:libaom\n";
}

/// ThreadSanitizer sees the locks of instrumented code alone: accesses that a library which is compiled without it
/// makes (oneDNN, libgomp, Mesa's threads) are passed over where it makes them.
extern "C" const char* __tsan_default_options() { return "ignore_noninstrumented_modules=1:second_deadlock_stack=1"; }
