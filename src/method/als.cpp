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
          .guarantee = "",
          .details = "",
          .models = {"cp"},
          .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::add_remove}},
          .takes = {"steps"},
          .sound = complete};
}

}  // namespace tulle
