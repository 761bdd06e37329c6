#include "run_fields.hpp"

#include <tulle/base/json.hpp>
#include <tulle/base/threads.hpp>

namespace tulle {

void add_run_fields(Json& report, OwnerFields& owner, double seconds, std::uint64_t seed,
                    const std::vector<std::string>& remarks, const Method& method,
                    const Guarantee& guarantee) {
  owner.add(report, "seconds", seconds);
  report["seed"] = seed;
  report["threads"] = threads();
  report["remarks"] = remarks;
  report["guarantee"] = method.is_private() ? parse_json(to_json(guarantee)) : nullptr;
}

}  // namespace tulle
