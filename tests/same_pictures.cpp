// Prints the hashes of the pictures, a line for each set of scenes, for same_pictures.sh.
#include <cstdio>

#include "tests/picture_hash.h"

int main() {
    for (const auto& [scenes, name] : vitrine::scenes_names)
        std::printf("%s\n", vitrine::hash_of_pictures(scenes).c_str());
}
