// A copy would not know which units the other one answered for.
#include <tulle/privacy/curator.hpp>

tulle::Portions again(const tulle::Portions& portions) {
  return portions;  // error: use of deleted function
}
