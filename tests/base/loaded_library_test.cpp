#include <tulle/base/error.hpp>
#include <tulle/base/loaded_library.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

constinit const LoadedLibrary kMath("libtulle-none.so.1 libm.so.6");
constinit const LoadedLibrary kNone("libtulle-none.so.1 libtulle-none.so.2");

TEST(LoadedLibrary, TakesTheFirstFileThatIsInstalled) {
  constinit static const LoadedFunction<double(double)> root(kMath, "cbrt");
  EXPECT_TRUE(kMath.is_installed());
  EXPECT_EQ(root(8), std::cbrt(8.0));
  double (*const pointer)(double) = root;
  EXPECT_EQ(pointer(8), root(8));
}

TEST(LoadedLibrary, ReadsAValue) {
  constinit static const LoadedValue<int> sign(kMath, "signgam");
  EXPECT_EQ(static_cast<const int&>(sign), signgam);
}

TEST(LoadedLibrary, ThatIsNotInstalledIsAnErrorWhenItIsCalled) {
  constinit static const LoadedFunction<double(double)> root(kNone, "cbrt");
  EXPECT_FALSE(kNone.is_installed());
  EXPECT_THROW(root(8), Error);
}

TEST(LoadedLibrary, WithoutTheFunctionIsAnError) {
  constinit static const LoadedFunction<double(double)> none(kMath, "no_function_of_libm");
  EXPECT_THROW(none(8), Error);
}

}  // namespace
}  // namespace tulle
