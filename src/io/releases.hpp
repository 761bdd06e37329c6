// The releases that a model was estimated from, in its file: a JSON member "releases.json" with their
// descriptions, and an array with the values of each.
#pragma once

#include "binary/zip_reader.hpp"
#include "binary/zip_writer.hpp"

#include <tulle/data/measurement.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace tulle {

void write_releases(ZipWriter& zip, const Measurement& measured);
// Empty if the file has none. Throws an Error if they are not as write_releases() writes them.
std::optional<Measurement> read_releases(const ZipReader& zip, const Shape& shape);

// Throws an Error if a release is not on the record of a guarantee (its JSON), or has more values than
// recorded.
void check_recorded(const Measurement& measured, const nlohmann::ordered_json& record);

}  // namespace tulle
