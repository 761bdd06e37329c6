#include "methods.hpp"

#include <tulle/method/topics.hpp>

namespace tulle {

Method plain_topics() {
  return {.job = Job::topics,
          .name = "plain",
          .title = "topics without privacy",
          .source = "Anandkumar et al. 2014",
          .guarantee = "none",
          .details =
              "Moments of all triples of words, whitening, robust tensor power method with deflation, then "
              "weighted least squares on the counts of triples: the same estimator as histogram, without "
              "noise.",
          .sound = histogram_topics().sound};
}

}  // namespace tulle
