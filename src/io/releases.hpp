// The releases that a model was made from, in its file: a JSON member "releases.json" with what is public of
// them, and an array for the values of each.
#pragma once

#include "binary/zip_reader.hpp"
#include "binary/zip_writer.hpp"

#include <tulle/data/measurement.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace tulle {

void write_releases(ZipWriter& zip, const Measurement& measured);
// Empty where the file has none. An Error where they are not what write_releases() writes.
std::optional<Measurement> read_releases(const ZipReader& zip, const Shape& shape);

// An Error where a release is not on the record of a guarantee (its JSON), or has more values than there.
void check_recorded(const Measurement& measured, const nlohmann::ordered_json& record);

}  // namespace tulle
