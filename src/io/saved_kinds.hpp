// The kinds of models on disk: their names in "tulle.json", and the functions that read each from an archive.
#pragma once

#include "binary/zip_reader.hpp"

#include <tulle/base/json.hpp>
#include <tulle/io/coupled_file.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/network_file.hpp>

#include <string>
#include <string_view>

namespace tulle {

inline constexpr std::string_view kModelFormat = "tulle model";
inline constexpr std::string_view kCoupledFormat = "tulle coupled model";
inline constexpr std::string_view kNetworkFormat = "tulle network";

// `name` is the member with the description, for messages.
ModelFile model_from(const ZipReader& zip, const std::string& name, const Json& json);
CoupledFile coupled_from(const ZipReader& zip, const std::string& name, const Json& json);
NetworkFile network_from(const ZipReader& zip, const std::string& name, const Json& json);

}  // namespace tulle
