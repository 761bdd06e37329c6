#include "input/data_arguments.hpp"

#include "privacy_options.hpp"

namespace tulle::cli {
namespace {

std::vector<PublicMode> stated(const std::vector<std::string>& texts) {
  std::vector<PublicMode> modes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos)
      modes.push_back({text.substr(0, equals), text.substr(equals + 1)});
    else
      for (const std::string& mode : split_at_commas(text)) modes.push_back({mode, ""});
  }
  return modes;
}

}  // namespace

void DataArguments::declare_public(Verb& verb) {
  verb.add_option(
          "--public", public_modes,
          "Under add-remove, what is public of a mode: MODE=FILE lists its positions, one per line; MODE "
          "alone says that those found in TRAIN are public. Repeat it, or MODE,MODE")
      .one_value_each_time()
      .group("Privacy");
  verb.add_option(
          "--unknown", unknown,
          "What to do with entries at positions that are not public: drop them, or refuse the file, which "
          "tells that there are some")
      .one_of({"drop", "refuse"})
      .show_default()
      .group("Privacy");
}

DataOptions DataArguments::chosen() const {
  DataOptions options{.train = train,
                      .test = test,
                      .reading = input.read_options(),
                      .holdout = holdout,
                      .validation = validation,
                      .public_modes = stated(public_modes),
                      .outside = unknown == "drop" ? OutsidePositions::drop : OutsidePositions::refuse};
  if (!crop.empty()) options.crop = Shape::parse(crop);
  if (!clamp.empty()) options.clamp = parse_range("--clamp", clamp);
  return options;
}

}  // namespace tulle::cli
