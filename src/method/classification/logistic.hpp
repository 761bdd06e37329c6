// The run of method logistic, which best chooses for examples that are no images.
#pragma once

#include <tulle/method/classification.hpp>
#include <tulle/privacy/curator.hpp>

namespace tulle {

ClassificationOutcome classify_logistically(const ClassificationRequest& request, Curator& curator);

}  // namespace tulle
