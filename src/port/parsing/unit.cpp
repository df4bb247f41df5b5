#include "port/parsing/unit.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include "port/parsing/compiler_options.hpp"
#include "port/parsing/spaced_launches.hpp"
#include "port/precompiled/header_uses.hpp"
#include "port/translation/facts.hpp"
#include "port/translation/preprocessing.hpp"
#include "port/translation/translator.hpp"

namespace phpc::port {

namespace {

/// The name in "unknown type name 'cudaIpcMemHandle_t'" and the like that CUDA has by its looks, or nothing.
llvm::StringRef missing_cuda_name(unsigned diagnostic, llvm::StringRef text) {
  static constexpr std::array unknown{clang::diag::err_undeclared_var_use, clang::diag::err_undeclared_var_use_suggest,
                                      clang::diag::err_unknown_typename,   clang::diag::err_unknown_typename_suggest,
                                      clang::diag::err_no_template,        clang::diag::err_no_template_suggest,
                                      clang::diag::err_undeclared_use,     clang::diag::err_no_member,
                                      clang::diag::err_no_member_template, clang::diag::err_no_member_template_suggest,
                                      clang::diag::err_no_member_suggest,  clang::diag::err_typename_nested_not_found};
  if (std::find(unknown.begin(), unknown.end(), diagnostic) == unknown.end()) {
    return {};
  }
  const llvm::StringRef name = text.split('\'').second.split('\'').first;
  if (text.contains("in namespace 'cooperative_groups")) {
    return name;
  }
  llvm::StringRef rest = name;
  const bool is_cuda = (rest.consume_front("cuda") || rest.consume_front("cu") || rest.consume_front("CU") ||
                        rest.consume_front("tex") || rest.consume_front("surf") || rest.consume_front("__nv_")) &&
                       !rest.empty() &&
                       (name.starts_with("CU") ? std::islower(rest.front()) != 0 || rest.front() == '_'
                                               : std::isupper(rest.front()) != 0 || std::isdigit(rest.front()) != 0);
  return is_cuda ? name : llvm::StringRef();
}

/// Keeps the errors that the compiler finds; names of CUDA's that are not known are refusals as well.
class Errors : public clang::DiagnosticConsumer {
 public:
  explicit Errors(Refusals& refusals) : refusals_(refusals) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) {
      return;
    }
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    std::string where;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const clang::SourceManager& sources = diagnostic.getSourceManager();
      const clang::SourceLocation location = sources.getExpansionLoc(diagnostic.getLocation());
      const clang::PresumedLoc presumed = sources.getPresumedLoc(location);
      if (presumed.isValid()) {
        where = std::string(presumed.getFilename()) + ":" + std::to_string(presumed.getLine()) + ": ";
        const llvm::StringRef name = missing_cuda_name(diagnostic.getID(), text);
        if (!name.empty() && !sources.isInSystemHeader(location)) {
          refusals_.add({presumed.getFilename(), presumed.getLine(), name.str(), "a name of CUDA's that phpc/cuda/ has not"});
        }
      }
    }
    lines.push_back(where + "error: " + std::string(text));
  }
  std::vector<std::string> lines;

 private:
  Refusals& refusals_;
};

/// Limits traversals to what the source and its headers declare themselves; precompiled headers hold a hundred times as much.
void traverse_own_declarations(clang::ASTContext& context) {
  std::vector<clang::Decl*> own;
  for (clang::Decl* const declaration : context.getTranslationUnitDecl()->noload_decls()) {
    if (!declaration->isFromASTFile()) {
      own.push_back(declaration);
    }
  }
  context.setTraversalScope(own);
}

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(Translation& translation, HeaderUses* uses) : translation_(translation), uses_(uses) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) {
      return;
    }
    traverse_own_declarations(context);
    if (uses_ != nullptr) {
      uses_->look_through(context);
      if (!uses_->are_included()) {
        return;
      }
    }
    const Facts facts(context, uses_ == nullptr ? nullptr : &uses_->included());
    if (facts.depend_on_others()) {
      uses_->note_other();
      return;
    }
    Translator(context, facts, translation_).run();
  }

 private:
  Translation& translation_;
  HeaderUses* uses_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(Translation& translation, Includes& includes, HeaderUses* uses)
      : translation_(translation), includes_(includes), uses_(uses) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef /*file*/) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(watch_preprocessor(preprocessor, translation_, includes_));
    if (uses_ != nullptr) {
      preprocessor.addPPCallbacks(uses_->watch_preprocessor(preprocessor));
    }
    return std::make_unique<Consumer>(translation_, uses_);
  }

 private:
  Translation& translation_;
  Includes& includes_;
  HeaderUses* uses_;
};

class ActionFactory : public clang::tooling::FrontendActionFactory {
 public:
  ActionFactory(Translation& translation, Includes& includes, HeaderUses* uses)
      : translation_(translation), includes_(includes), uses_(uses) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<Action>(translation_, includes_, uses_); }

 private:
  Translation& translation_;
  Includes& includes_;
  HeaderUses* uses_;
};

/// Reads a source, with precompiled headers where there are `uses`. Returns the errors.
std::vector<std::string> read_once(const Unit& unit, Translation& translation, Includes& includes, HeaderUses* uses) {
  std::vector<std::string> arguments = unit.arguments;
  if (uses != nullptr) {
    arguments.insert(arguments.end(), {"-include-pch", unit.precompiled, "-Xclang", "-fmodules-validate-system-headers"});
  }
  const clang::tooling::FixedCompilationDatabase database(unit.directory, arguments);
  clang::tooling::ClangTool tool(database, {unit.file}, std::make_shared<clang::PCHContainerOperations>(),
                                 files_with_joined_launches());
  Errors errors(translation.refusals);
  tool.setDiagnosticConsumer(&errors);
  tool.setPrintErrorMessage(false);
  ActionFactory factory(translation, includes, uses);
  if (tool.run(&factory) != 0 && errors.lines.empty()) {
    errors.lines.push_back(unit.file + ": error: clang could not read it");
  }
  return errors.lines;
}

}  // namespace

std::vector<std::string> read_unit(const Unit& unit, Translation& translation, Includes& includes) {
  if (std::optional<IncludedHeaders> headers = IncludedHeaders::find(unit.precompiled)) {
    HeaderUses uses(*std::move(headers));
    Translation with_headers = translation;
    Includes with_headers_includes = includes;
    if (read_once(unit, with_headers, with_headers_includes, &uses).empty() && uses.are_included()) {
      translation = std::move(with_headers);
      includes = std::move(with_headers_includes);
      return {};
    }
  }
  // The headers do not fit any more, the source leaves some out that it needs, or it has errors, which are to be its own.
  return read_once(unit, translation, includes, nullptr);
}

bool database_options(const std::string& build_folder, const std::string& file, Unit* unit, std::string* error) {
  const std::string path = build_folder + "/compile_commands.json";
  const auto text = llvm::MemoryBuffer::getFile(path);
  if (!text) {
    *error = "cannot read '" + path + "': " + text.getError().message();
    return false;
  }
  // The database's own reader takes YAML and prints what is wrong with it.
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*text)->getBuffer());
  if (!json) {
    *error = "'" + path + "': " + llvm::toString(json.takeError());
    return false;
  }
  std::string why;
  const auto database = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
      (*text)->getBuffer(), why, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr) {
    *error = "'" + path + "': " + why;
    return false;
  }
  const std::vector<clang::tooling::CompileCommand> commands =
      database->getCompileCommands(clang::tooling::getAbsolutePath(file));
  if (commands.empty()) {
    *error = "no command for '" + file + "' in '" + path + "'";
    return false;
  }
  unit->directory = commands.front().Directory;
  unit->arguments = parser_options(commands.front().CommandLine, unit->directory, error);
  return error->empty();
}

}  // namespace phpc::port
