// The decoder of pictures once more, watched: Debian's library comes compiled.
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
