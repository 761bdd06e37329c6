#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// dai2026: the ADMM of the tensor nuclear norm that meets the released cells exactly. The result is the t-SVD
// of the completed tensor, released cells included, cut to the rank if one is asked for.
Completion meet_released_cells(const SparseTensor& cells, const FitOptions& options);

// The same as published, with every frontal slice divided by its largest absolute value.
Completion input_tubal_as_published(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
