#include <tulle/privacy/rehearsal.hpp>

namespace tulle {
namespace {

thread_local Rehearsal* present_rehearsal = nullptr;

}  // namespace

Rehearsal::Rehearsal() : before_(present_rehearsal) {
  present_rehearsal = this;
}

Rehearsal::~Rehearsal() {
  present_rehearsal = before_;
}

Rehearsal* Rehearsal::of_this_thread() {
  return present_rehearsal;
}

}  // namespace tulle
