#include "port/precompiled/precompile.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

namespace phpc::port {

namespace {

/// Which header includes which, by the names that the compiler has for them. "" includes what is parsed ahead of a source.
class Record {
 public:
  Record() { index(""); }
  void add(llvm::StringRef includer, llvm::StringRef included) {
    const unsigned from = index(includer);
    const unsigned to = index(included);
    includes_[from].push_back(to);
  }
  void know(llvm::StringRef name) { known_.insert(name.str()); }
  [[nodiscard]] llvm::json::Value json() const {
    return llvm::json::Object{{"headers", llvm::json::Array(names_)},
                              {"includes", llvm::json::Array(includes_)},
                              {"known", llvm::json::Array(std::vector<std::string>(known_.begin(), known_.end()))}};
  }

 private:
  unsigned index(llvm::StringRef name) {
    const auto [entry, is_new] = indices_.try_emplace(name, static_cast<unsigned>(names_.size()));
    if (is_new) {
      names_.push_back(name.str());
      includes_.emplace_back();
    }
    return entry->second;
  }

  llvm::StringMap<unsigned> indices_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint64_t>> includes_;
  std::set<std::string> known_;
};

class Recorder : public clang::PPCallbacks {
 public:
  Recorder(const clang::SourceManager& sources, Record& record) : sources_(sources), record_(record) {}
  void InclusionDirective(clang::SourceLocation hash, const clang::Token& /*token*/, llvm::StringRef /*name*/, bool /*is_angled*/,
                          clang::CharSourceRange /*name_range*/, clang::OptionalFileEntryRef file, llvm::StringRef /*search*/,
                          llvm::StringRef /*relative*/, const clang::Module* /*suggested*/, bool /*imported*/,
                          clang::SrcMgr::CharacteristicKind /*kind*/) override {
    const clang::OptionalFileEntryRef includer = sources_.getFileEntryRefForID(sources_.getFileID(hash));
    if (file) {
      record_.add(includer ? includer->getName() : "", file->getName());
    }
  }

 private:
  const clang::SourceManager& sources_;
  Record& record_;
};

class WritingAction : public clang::GeneratePCHAction {
 public:
  WritingAction(std::string path, Record& record) : path_(std::move(path)), record_(record) {}

 protected:
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.getFrontendOpts().OutputFile = path_;
    compiler.getLangOpts().PCHInstantiateTemplates = true;
    return GeneratePCHAction::BeginInvocation(compiler);
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Recorder>(compiler.getSourceManager(), record_));
    return GeneratePCHAction::CreateASTConsumer(compiler, file);
  }
  void EndSourceFileAction() override {
    for (const auto& word : getCompilerInstance().getPreprocessor().getIdentifierTable()) {
      record_.know(word.first());
    }
    GeneratePCHAction::EndSourceFileAction();
  }

 private:
  std::string path_;
  Record& record_;
};

class WritingFactory : public clang::tooling::FrontendActionFactory {
 public:
  WritingFactory(const std::string& path, Record& record) : path_(path), record_(record) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<WritingAction>(path_, record_); }

 private:
  const std::string& path_;
  Record& record_;
};

}  // namespace

std::string header_record_path(const std::string& precompiled) {
  return precompiled + ".json";
}

std::vector<std::string> write_precompiled_headers(const std::string& file, const std::vector<std::string>& arguments,
                                                   const std::string& path) {
  // A precompiled header is used with its record alone, so the record is there first, and an old header is gone before.
  if (const std::error_code error = llvm::sys::fs::remove(path)) {
    return {"cannot replace '" + path + "': " + error.message()};
  }
  llvm::SmallString<256> unfinished_path;
  if (const std::error_code error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%", unfinished_path)) {
    return {"cannot write '" + path + "': " + error.message()};
  }
  const std::string unfinished(unfinished_path);
  const clang::tooling::FixedCompilationDatabase database(".", arguments);
  clang::tooling::ClangTool tool(database, {file});
  clang::TextDiagnosticBuffer messages;
  tool.setDiagnosticConsumer(&messages);
  tool.setPrintErrorMessage(false);
  Record record;
  WritingFactory factory(unfinished, record);
  const bool is_read = tool.run(&factory) == 0;
  std::vector<std::string> errors;
  for (auto error = messages.err_begin(); error != messages.err_end(); ++error) {
    errors.push_back("error: " + error->second);
  }
  if (!is_read || !errors.empty()) {
    errors.push_back("cannot write '" + path + "'");
    llvm::sys::fs::remove(unfinished);
    return errors;
  }
  std::error_code failed;
  {
    llvm::raw_fd_ostream output(header_record_path(path), failed);
    if (!failed) {
      output << record.json() << '\n';
      output.close();
      failed = output.error();
      output.clear_error();
    }
  }
  failed = failed ? failed : llvm::sys::fs::rename(unfinished, path);
  if (failed) {
    llvm::sys::fs::remove(unfinished);
    return {"cannot write '" + path + "': " + failed.message()};
  }
  return {};
}

}  // namespace phpc::port
