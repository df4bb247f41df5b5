#include "port/parsing/spaced_launches.hpp"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace phpc::port {

namespace {

clang::LangOptions cuda_language() {
  clang::LangOptions language;
  language.CPlusPlus = true;
  language.CPlusPlus11 = true;
  language.LineComment = true;
  language.CUDA = true;
  return language;
}

bool has_spaced_launches(llvm::StringRef source) {
  return source.contains("<< <") || source.contains(">> >");
}

class JoinedFile : public llvm::vfs::File {
 public:
  explicit JoinedFile(std::unique_ptr<llvm::vfs::File> file) : file_(std::move(file)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t size, bool terminated,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, is_volatile);
    if (!buffer || !has_spaced_launches((*buffer)->getBuffer())) {
      return buffer;
    }
    return llvm::MemoryBuffer::getMemBufferCopy(with_joined_launches((*buffer)->getBuffer().str()), name);
  }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
};

class JoinedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file || path.str().ends_with(".pch")) {  // precompiled headers hold no text
      return file;
    }
    return std::make_unique<JoinedFile>(std::move(*file));
  }
};

}  // namespace

std::string with_joined_launches(std::string source) {
  if (!has_spaced_launches(source)) {
    return source;
  }
  const clang::LangOptions language = cuda_language();
  clang::Lexer lexer(clang::SourceLocation(), language, source.data(), source.data(), source.data() + source.size());
  std::vector<std::pair<std::size_t, std::string_view>> joined;  // places of four bytes and what they become
  std::size_t launches = 0;                                      // begun and not ended
  std::size_t last_end = 0;
  clang::tok::TokenKind last = clang::tok::unknown;
  clang::Token token;
  for (bool at_end = false; !at_end;) {
    at_end = lexer.LexFromRawLexer(token);
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - source.data());
    const bool is_behind_a_blank = end == last_end + 2 && source[last_end] == ' ';
    if (token.is(clang::tok::lesslessless) || (last == clang::tok::lessless && token.is(clang::tok::less) && is_behind_a_blank)) {
      ++launches;
      if (token.is(clang::tok::less)) {
        joined.emplace_back(last_end - 2, "<<< ");
      }
    } else if (launches > 0 && (token.is(clang::tok::greatergreatergreater) ||
                                (last == clang::tok::greatergreater && token.is(clang::tok::greater) && is_behind_a_blank))) {
      --launches;
      if (token.is(clang::tok::greater)) {
        joined.emplace_back(last_end - 2, ">>> ");
      }
    }
    last = token.getKind();
    last_end = end;
  }
  for (const auto& [place, text] : joined) {
    source.replace(place, text.size(), text);
  }
  return source;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_joined_launches() {
  return llvm::makeIntrusiveRefCnt<JoinedFiles>(llvm::vfs::getRealFileSystem());
}

}  // namespace phpc::port
