#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "phpc/core/error.hpp"
#include "phpc/io/sequence.hpp"

namespace phpc::fuzz {

/// The bytes that the fuzzer gives, as a file that lives in memory only.
class InputInMemory {
 public:
  InputInMemory(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("fuzz", 0)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) {
      std::abort();
    }
  }
  ~InputInMemory() { close(descriptor_); }
  InputInMemory(const InputInMemory&) = delete;
  InputInMemory& operator=(const InputInMemory&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Aborts when a reader breaks the order of its calls or delivers what is no base.
class StrictConsumer final : public io::SequenceConsumer {
 public:
  void begin_sequence(std::string_view /*name*/) override { change(false, true); }
  void letters(std::string_view block) override {
    change(true, true);
    for (const char letter : block) {
      require((letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || letter == '-' || letter == '*' ||
              letter == '.');
    }
  }
  void bases(std::span<const BaseWord> words, index_t count) override {
    change(true, true);
    require(count > 0 && base_words(count) <= static_cast<index_t>(words.size()));
    for (index_t i = 0; i < count; ++i) {
      require(base_letter(words, i) != '?');
    }
  }
  void end_sequence() override { change(true, false); }

 private:
  static void require(bool condition) {
    if (!condition) {
      std::abort();
    }
  }
  void change(bool from, bool to) {
    require(open_ == from);
    open_ = to;
  }
  bool open_ = false;
};

/// Calls `read`; an Error that says what is wrong with the input is as good as none.
template <class Read>
void allow_errors(Read read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || std::string_view(error.what()).empty()) {
      std::abort();
    }
  }
}

}  // namespace phpc::fuzz
