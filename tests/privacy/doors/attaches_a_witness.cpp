// Only an auditor watches a curator: a method cannot learn what lies beneath its releases.
#include <tulle/privacy/curator.hpp>

void watch(tulle::Curator& curator, tulle::Witness& witness) {
  curator.witness_ = &witness;
}
