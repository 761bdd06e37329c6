// A batch that could be copied would serve two releases, which are accounted as if they had two.
#include <tulle/privacy/curator.hpp>

tulle::Batch again(const tulle::Batch& batch) {
  return batch;  // error: use of deleted function
}
