// A model that a fit starts from, and why a private run may start from it: what the model knows goes into the
// new one, which keeps all of a mode that is held.
#pragma once

#include <tulle/model/model.hpp>

#include <memory>
#include <optional>
#include <string>

#pragma GCC visibility push(default)

namespace tulle {

class WarmStart {
 public:
  WarmStart() = default;  // from nothing
  // A model of which nothing is known: for fits without privacy. A private run refuses it.
  WarmStart(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  // The owner states that it was not fitted to private data.
  static WarmStart stated_public(std::shared_ptr<const Model> model);
  // What is promised of it is the guarantee in its file (to_json(Guarantee)), whose cost adds up with that of
  // the new run if both saw the same data. Where none holds, nothing is known of the model. `name` is what
  // errors call it.
  static WarmStart with_guarantee(std::shared_ptr<const Model> model, const std::string& guarantee,
                                  std::string name);

  explicit operator bool() const { return model_ != nullptr; }
  const Model& operator*() const { return *model_; }

  // What the new guarantee says of it; a UsageError where nothing is known of it. Empty: from nothing.
  const std::string& source() const;

 private:
  std::shared_ptr<const Model> model_;
  std::string source_, name_ = "the model to start from";
};

// What is promised of a model, in words, from the guarantee in its file. None where no guarantee holds: the
// model may have been fitted to the very data of the new run, and the new model would carry that on.
std::optional<std::string> source_with_guarantee(const std::string& guarantee);

}  // namespace tulle

#pragma GCC visibility pop
