// A tensor must know nothing of files: with the include paths of its room, this does not compile.
#include <tulle/io/read.hpp>
