#include <tulle/base/error.hpp>
#include <tulle/tensor/sparse.hpp>
