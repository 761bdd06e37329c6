#include "als.hpp"

#include "als_forms.hpp"

#include <tulle/base/error.hpp>

namespace tulle {
namespace {

Completion complete(const PrivateRequest& request, Curator& curator) {
  return request.terms.unit == Unit::user ? als_for_users(request, curator)
                                          : als_for_entries(request, curator);
}

}  // namespace

Method als_method() {
  return {.name = "als",
          .title = "private offsets and low-rank interactions, by noise-aware least squares",
          .source = "Tulle",
          .guarantee =
              "epsilon-private, or (epsilon, delta)-private, for one entry under replace, where positions "
              "are public; (epsilon, delta) jointly private for one user under add-remove, where all "
              "but the shape is private and each user alone sees her own row",
          .details =
              "Entries: one release of weighted sums, from which offsets and the interactions that public "
              "positions hint at are estimated together, with noise and shares of the budget chosen on "
              "made-up data at the same positions; then --steps sweeps of alternating least squares over "
              "--rank components. Users: sums and counts of every position of the other modes, from which "
              "offsets and popularity are estimated, then --steps sweeps. Sweeps are left out where public "
              "facts say that they do not pay.",
          .models = {"cp"},
          .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::add_remove}},
          .takes = {"noise", "steps"},
          .sound = complete};
}

}  // namespace tulle
