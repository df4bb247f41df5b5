#pragma once
#include <string>
#include <type_traits>
#include <vector>

namespace phpc::bench {

/// A shared library that is loaded when the program runs, and stays loaded until its end.
class SharedLibrary {
 public:
  /// Loads the first of `names` that the system's loader finds or, failing that, one of `folders` holds.
  SharedLibrary(const std::vector<std::string>& names, const std::vector<std::string>& folders);

  [[nodiscard]] bool is_loaded() const { return handle_ != nullptr; }

  /// Sets a pointer to a function of the library, null where it has none of that name; says which.
  template <class Function>
  bool load(Function& function, const std::string& symbol) const {
    function = reinterpret_cast<std::remove_reference_t<Function>>(find(symbol));
    return function != nullptr;
  }
  /// The address of a function or a variable; null where there is none.
  [[nodiscard]] void* find(const std::string& symbol) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace phpc::bench
