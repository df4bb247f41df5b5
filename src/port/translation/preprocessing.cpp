#include "port/translation/preprocessing.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroArgs.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

namespace phpc::port {

namespace {

struct Renamed {
  std::string_view cuda;
  std::string_view ours;
};
constexpr std::string_view whole = "phpc/cuda/cuda.hpp";
constexpr std::array renamed_headers{
    Renamed{"cuda_runtime.h", whole},
    Renamed{"cuda.h", whole},
    Renamed{"cuda_runtime_api.h", whole},
    Renamed{"device_launch_parameters.h", whole},
    Renamed{"cuda_profiler_api.h", whole},
    Renamed{"device_functions.h", whole},
    Renamed{"math_functions.h", whole},
    Renamed{"vector_types.h", whole},
    Renamed{"vector_functions.h", whole},
    Renamed{"driver_types.h", whole},
    Renamed{"builtin_types.h", whole},
    Renamed{"device_atomic_functions.h", whole},
    Renamed{"sm_60_atomic_functions.h", whole},
    Renamed{"host_defines.h", whole},
    Renamed{"crt/host_defines.h", whole},
    Renamed{"device_types.h", whole},
    Renamed{"math_constants.h", "phpc/cuda/math_constants.hpp"},
    Renamed{"cuda_fp16.h", "phpc/cuda/half.hpp"},
    Renamed{"cuda_bf16.h", "phpc/cuda/bfloat16.hpp"},
    Renamed{"cuComplex.h", "phpc/cuda/complex.hpp"},
    Renamed{"cooperative_groups.h", "phpc/cuda/cooperative_groups.hpp"},
    Renamed{"cooperative_groups/reduce.h", "phpc/cuda/cooperative_groups.hpp"},
    Renamed{"cooperative_groups/scan.h", "phpc/cuda/cooperative_groups.hpp"},
};

/// Libraries by the beginning of their headers' names.
constexpr std::array libraries{
    Renamed{"cub/", "cub"},
    Renamed{"thrust/", "thrust"},
    Renamed{"cublas", "cuBLAS"},
    Renamed{"cusparse", "cuSPARSE"},
    Renamed{"cusolver", "cuSOLVER"},
    Renamed{"cufft", "cuFFT"},
    Renamed{"curand", "cuRAND"},
    Renamed{"cudnn", "cuDNN"},
    Renamed{"cutensor", "cuTENSOR"},
    Renamed{"cutlass/", "CUTLASS"},
    Renamed{"cute/", "CUTLASS"},
    Renamed{"nccl", "NCCL"},
    Renamed{"nvshmem", "NVSHMEM"},
    Renamed{"npp", "NPP"},
    Renamed{"nvml", "NVML"},
    Renamed{"nvrtc", "NVRTC"},
    Renamed{"nvgraph", "nvGRAPH"},
    Renamed{"nvcomp", "nvCOMP"},
    Renamed{"mma.h", "tensor cores (wmma)"},
    Renamed{"cuda/std/", "libcu++"},
    Renamed{"cuda/", "libcu++"},
    Renamed{"cuda_fp8.h", "8-bit floating point numbers"},
    Renamed{"cuda_fp4.h", "4-bit floating point numbers"},
    Renamed{"cooperative_groups/", "cooperative groups beyond groups, reductions and scans"},
    Renamed{"nvfunctional", "nvstd::function"},
    Renamed{"cuda_pipeline", "asynchronous copies to shared memory"},
    Renamed{"texture_", "textures"},
    Renamed{"surface_", "surfaces"},
    Renamed{"cudaGL", "OpenGL interoperation"},
    Renamed{"cuda_gl_interop.h", "OpenGL interoperation"},
    Renamed{"nvToolsExt.h", "NVTX"},
    Renamed{"nvtx3/", "NVTX"},
};

class Watcher : public clang::PPCallbacks {
 public:
  Watcher(clang::SourceManager& sources, Translation& translation, Includes& includes)
      : sources_(sources), translation_(translation), includes_(includes) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token& /*token*/, llvm::StringRef name, bool is_angled,
                          clang::CharSourceRange name_range, clang::OptionalFileEntryRef file, llvm::StringRef /*search*/,
                          llvm::StringRef /*relative*/, const clang::Module* /*suggested*/, bool /*imported*/,
                          clang::SrcMgr::CharacteristicKind kind) override {
    const auto at = place(hash);
    if (!at) {
      return;
    }
    Includes::File& including = includes_.files[at->path];
    const std::size_t line = line_begin(at->path, at->offset);
    if (!including.has_first_include) {
      including.has_first_include = true;
      including.first_include = line;
      if (const auto code = code_before(at->path, line)) {
        including.meets_users = true;
        including.first_include = line_begin(at->path, *code);
      }
    }
    for (const auto& [cuda, ours] : renamed_headers) {
      if (std::string_view(name) == cuda) {
        rename_include(*at, including, name_range, std::string(ours));
        return;
      }
    }
    if (!file || kind != clang::SrcMgr::C_User) {
      for (const auto& [prefix, library] : libraries) {
        if (name.starts_with(prefix)) {
          refuse(hash, "a use of " + std::string(library) + ", " + name.str());
          return;
        }
      }
    }
    // After these, words.hpp would come too late to keep names that C++ has since 2020 out of the user's way (lerp).
    static constexpr std::string_view mathematics[] = {"math.h", "tgmath.h", "bits/stdc++.h"};
    if (std::find(std::begin(mathematics), std::end(mathematics), std::string_view(name)) != std::end(mathematics)) {
      including.meets_users = true;
    }
    if (file && kind == clang::SrcMgr::C_User) {
      const auto from = place(name_range.getBegin());
      including.meets_users = true;
      if (from) {
        includes_.headers.push_back({absolute(file->getName()), at->path, name.str(), from->offset, name.size() + 2, is_angled});
      }
    }
  }

  bool FileNotFound(llvm::StringRef name) override {
    // What is refused need not be here; any other is an error of the compiler's.
    for (const auto& [prefix, library] : libraries) {
      if (name.starts_with(prefix)) {
        return true;
      }
    }
    return false;
  }

  void Ifdef(clang::SourceLocation /*location*/, const clang::Token& name,
             const clang::MacroDefinition& /*definition*/) override {
    test(name);
  }
  void Ifndef(clang::SourceLocation /*location*/, const clang::Token& name,
              const clang::MacroDefinition& /*definition*/) override {
    test(name);
  }
  void Elifdef(clang::SourceLocation /*location*/, const clang::Token& name,
               const clang::MacroDefinition& /*definition*/) override {
    test(name);
  }
  void Elifndef(clang::SourceLocation /*location*/, const clang::Token& name,
                const clang::MacroDefinition& /*definition*/) override {
    test(name);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition& /*definition*/, clang::SourceRange /*range*/) override {
    test(name);
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& /*definition*/, clang::SourceRange /*range*/,
                    const clang::MacroArgs* /*arguments*/) override {
    test(name);
  }

  // An undefined name in a condition is met by its text alone.
  void If(clang::SourceLocation /*location*/, clang::SourceRange condition, ConditionValueKind /*value*/) override {
    find_openmp(condition);
  }
  void Elif(clang::SourceLocation /*location*/, clang::SourceRange condition, ConditionValueKind /*value*/,
            clang::SourceLocation /*if_location*/) override {
    find_openmp(condition);
  }

 private:
  void find_openmp(clang::SourceRange condition) {
    const auto from = place(condition.getBegin());
    if (!from || translation_.with_openmp) {
      return;
    }
    constexpr std::string_view word = "_OPENMP";
    const std::string_view text = text_of(from->path);
    const std::size_t end = text.find('\n', from->offset);
    for (std::size_t at = text.find(word, from->offset); at < end && at != std::string_view::npos; at = text.find(word, at + 1)) {
      const auto is_letter = [&](std::size_t place) {
        return place < text.size() && (std::isalnum(static_cast<unsigned char>(text[place])) != 0 || text[place] == '_');
      };
      if (!is_letter(at - 1) && !is_letter(at + word.size())) {
        translation_.edits.add(from->path, {at, word.size(), "PHPC_SOURCE_OPENMP"});
      }
    }
  }

  static std::string absolute(llvm::StringRef name) {
    llvm::SmallString<256> path(name);
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, true);
    return std::string(path);
  }

  [[nodiscard]] std::optional<Place> place(clang::SourceLocation location) const {
    const clang::SourceLocation spelled = sources_.getSpellingLoc(location);
    if (location.isInvalid() || sources_.isInSystemHeader(spelled)) {
      return std::nullopt;
    }
    const auto [file, offset] = sources_.getDecomposedLoc(spelled);
    const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(file);
    if (!entry) {
      return std::nullopt;
    }
    return Place{absolute(entry->getName()), offset};
  }

  [[nodiscard]] std::string_view text_of(const std::string& path) const {
    const auto entry = sources_.getFileManager().getOptionalFileRef(path);
    const auto buffer = entry ? sources_.getMemoryBufferForFileOrNone(*entry) : std::nullopt;
    return buffer ? std::string_view(buffer->getBuffer()) : std::string_view();
  }

  [[nodiscard]] std::size_t line_begin(const std::string& path, std::size_t offset) const {
    const std::string_view text = text_of(path);
    return offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  }

  /// Where a file begins but for comments, if more than directives stands before `offset`.
  [[nodiscard]] std::optional<std::size_t> code_before(const std::string& path, std::size_t offset) const {
    const std::string text(text_of(path).substr(0, offset));
    const clang::LangOptions language;
    clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
    std::optional<std::size_t> first;
    bool in_directive = false;
    for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
      if (!first) {
        first = static_cast<std::size_t>(lexer.getBufferLocation() - text.data()) - token.getLength();
      }
      in_directive = token.isAtStartOfLine() ? token.is(clang::tok::hash) : in_directive;
      if (!in_directive) {
        return first;
      }
    }
    return std::nullopt;
  }

  void refuse(clang::SourceLocation location, const std::string& what) {
    const clang::PresumedLoc presumed = sources_.getPresumedLoc(location);
    translation_.refusals.add({presumed.getFilename(), presumed.getLine(), what, "the library is NVIDIA's own"});
    const auto at = place(location);
    if (translation_.keep_going && at) {
      translation_.edits.add(at->path,
                             {at->offset, 0, "// not translated: " + what + "\n#error \"not translated: " + what + "\"\n"});
    }
  }

  void rename_include(const Place& at, Includes::File& including, clang::CharSourceRange name_range, const std::string& ours) {
    const auto from = place(name_range.getBegin());
    const std::string_view text = text_of(at.path);
    if (!from || from->offset >= text.size()) {
      return;
    }
    if (!including.headers_of_ours.insert(ours).second) {
      const std::size_t line = line_begin(at.path, at.offset);
      const std::size_t end = text.find('\n', line);
      translation_.edits.add(at.path, {line, (end == std::string_view::npos ? text.size() : end + 1) - line, ""});
      return;
    }
    if (ours == whole) {
      including.ours_leads = !including.meets_users;
    }
    const std::size_t end = text.find(text[from->offset] == '<' ? '>' : '"', from->offset + 1);
    translation_.edits.add(at.path, {from->offset, end + 1 - from->offset, '"' + ours + '"'});
  }

  void test(const clang::Token& name) {
    if (!name.isAnyIdentifier()) {
      return;
    }
    const llvm::StringRef word = name.getIdentifierInfo()->getName();
    const std::string_view ours = word == "__CUDACC__" || word == "__NVCC__"       ? "PHPC_CUDA"
                                  : word == "__CUDA_ARCH__"                        ? "PHPC_CUDA_ARCH"
                                  : word == "_OPENMP" && !translation_.with_openmp ? "PHPC_SOURCE_OPENMP"
                                                                                   : "";
    if (ours.empty()) {
      return;
    }
    const auto at = place(name.getLocation());
    if (!at || text_of(at->path).substr(at->offset, word.size()) != std::string_view(word)) {
      return;
    }
    Includes::File& file = includes_.files[at->path];
    if (!file.tests_cuda && word != "_OPENMP") {
      file.tests_cuda = true;
      file.first_test = line_begin(at->path, at->offset);
    }
    translation_.edits.add(at->path, {at->offset, word.size(), std::string(ours)});
  }

  clang::SourceManager& sources_;
  Translation& translation_;
  Includes& includes_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> watch_preprocessor(clang::Preprocessor& preprocessor, Translation& translation,
                                                       Includes& includes) {
  return std::make_unique<Watcher>(preprocessor.getSourceManager(), translation, includes);
}

}  // namespace phpc::port
