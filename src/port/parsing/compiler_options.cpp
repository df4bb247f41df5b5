#include "port/parsing/compiler_options.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>

#include <array>
#include <optional>

namespace phpc::port {

namespace {

/// An option with a value: its names with other compilers, and with clang.
struct Valued {
  llvm::StringRef name;
  llvm::StringRef clang;
  bool may_be_joined;  ///< -Ifolder beside -I folder
  bool is_list;        ///< nvcc takes several values, separated by commas
};
constexpr std::array<Valued, 14> valued{{{"-I", "-I", true, true},
                                         {"--include-path", "-I", false, true},
                                         {"-isystem", "-isystem", true, true},
                                         {"--system-include", "-isystem", false, true},
                                         {"-iquote", "-iquote", true, false},
                                         {"-idirafter", "-idirafter", true, false},
                                         {"-D", "-D", true, false},
                                         {"--define-macro", "-D", false, false},
                                         {"-U", "-U", true, false},
                                         {"--undefine-macro", "-U", false, false},
                                         {"-include", "-include", false, true},
                                         {"--pre-include", "-include", false, true},
                                         {"-Xcompiler", "", false, true},
                                         {"--compiler-options", "", false, true}}};

/// Options whose value is a word of its own that must not be taken for an option.
constexpr std::array<llvm::StringRef, 9> skipped{"-o",     "-Xptxas",         "-Xlinker",         "-Xcudafe", "-Xnvlink",
                                                 "-ccbin", "--ptxas-options", "--linker-options", "-MF"};

bool is_file_of_options(llvm::StringRef name) {
  return name == "--options-file" || name == "-optf";
}

/// The parts of a list with commas. A comma in the name of a folder that exists is the name's.
llvm::SmallVector<llvm::StringRef> parts_of(llvm::StringRef value, const std::string& directory) {
  llvm::SmallString<256> path(value);
  llvm::sys::fs::make_absolute(directory, path);
  llvm::SmallVector<llvm::StringRef> parts;
  if (llvm::sys::fs::exists(path)) {
    parts.push_back(value);
  } else {
    value.split(parts, ',', -1, false);
  }
  return parts;
}

class Reader {
 public:
  Reader(const std::string& directory, std::string* error) : directory_(directory), error_(error) {}

  void read(llvm::ArrayRef<llvm::StringRef> words, int depth) {
    constexpr int deepest = 16;  // a file of options may name itself
    for (std::size_t i = 0; i < words.size() && depth < deepest; ++i) {
      const llvm::StringRef word = words[i];
      const auto [name, joined] = word.split('=');
      const std::optional<llvm::StringRef> value = name.size() < word.size() ? std::optional(joined)
                                                   : i + 1 < words.size()    ? std::optional(words[i + 1])
                                                                             : std::nullopt;
      const bool takes_next = name.size() == word.size();
      if (word.starts_with("@")) {
        read_file(word.drop_front(), depth);
      } else if (is_file_of_options(name) && value) {
        for (const llvm::StringRef file : parts_of(*value, directory_)) {
          read_file(file, depth);
        }
        i += takes_next ? 1 : 0;
      } else if (word == "-fopenmp") {
        kept_.emplace_back("-fopenmp");
      } else if (llvm::is_contained(skipped, word)) {
        ++i;
      } else if (const Valued* const option = find(name); option != nullptr && value) {
        take(*option, *value, depth);
        i += takes_next ? 1 : 0;
      } else {
        take_joined(word, depth);
      }
    }
  }

  std::vector<std::string> kept() && { return std::move(kept_); }

 private:
  static const Valued* find(llvm::StringRef name) {
    for (const Valued& option : valued) {
      if (option.name == name) {
        return &option;
      }
    }
    return nullptr;
  }

  void take_joined(llvm::StringRef word, int depth) {
    for (const Valued& option : valued) {
      if (option.may_be_joined && word.starts_with(option.name)) {
        take(option, word.drop_front(option.name.size()), depth);
        return;
      }
    }
  }

  void take(const Valued& option, llvm::StringRef value, int depth) {
    if (!option.is_list) {
      keep(option.clang, value);
    } else if (option.clang.empty()) {  // for the host's compiler
      llvm::SmallVector<llvm::StringRef> words;
      for (const llvm::StringRef part : parts_of(value, directory_)) {
        part.split(words, ' ', -1, false);
      }
      read(words, depth + 1);
    } else {
      for (const llvm::StringRef part : parts_of(value, directory_)) {
        keep(option.clang, part);
      }
    }
  }

  void keep(llvm::StringRef option, llvm::StringRef value) {
    kept_.push_back(option.str());
    kept_.push_back(value.str());
  }

  void read_file(llvm::StringRef file, int depth) {
    llvm::SmallString<256> path(file);
    llvm::sys::fs::make_absolute(directory_, path);
    const auto text = llvm::MemoryBuffer::getFile(path);
    if (!text) {
      *error_ = "cannot read the file of options '" + path.str().str() + "': " + text.getError().message();
      return;
    }
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char*> tokens;
    llvm::cl::TokenizeGNUCommandLine((*text)->getBuffer(), saver, tokens);
    read(llvm::SmallVector<llvm::StringRef>(tokens.begin(), tokens.end()), depth + 1);
  }

  const std::string& directory_;
  std::string* error_;
  std::vector<std::string> kept_;
};

}  // namespace

std::vector<std::string> parser_options(const std::vector<std::string>& command, const std::string& directory,
                                        std::string* error) {
  Reader reader(directory, error);
  reader.read(llvm::SmallVector<llvm::StringRef>(command.begin(), command.end()), 0);
  return std::move(reader).kept();
}

}  // namespace phpc::port
