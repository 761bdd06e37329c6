// Refuses fits that are impossible, before anything is charged: these checks see public facts alone.
#pragma once

#include <tulle/method/completion.hpp>
#include <tulle/method/method.hpp>

namespace tulle {

// A UsageError unless the method fits this model for these neighbours.
void check_model(const Method& method, const Neighbours& neighbours, ModelKind model);

// A UsageError for options that no method takes: ranks that do not fit the model, negative numbers, a model
// to start from that is of another kind or shape.
void check_fit(const FitOptions& fit, const Shape& shape);

// A UsageError for a solver, biases or a warm start that is not available for tensors with (or without)
// missing cells, or an option that the solver does not read.
void check_solver(const FitOptions& fit, bool missing_cells);

// The same for a fit with exactly the given rank, rather than one chosen up to it.
void check_plain_fit(const FitOptions& fit, bool missing_cells);

}  // namespace tulle
