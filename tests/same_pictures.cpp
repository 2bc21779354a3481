// Prints the hash of the pictures, for same_pictures.sh.
#include <cstdio>

#include "tests/picture_hash.h"

int main() { std::printf("%s\n", vitrine::hash_of_pictures().c_str()); }
