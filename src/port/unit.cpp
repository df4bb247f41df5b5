#include "port/unit.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

#include <memory>

#include "port/facts.hpp"
#include "port/invocation.hpp"
#include "port/preprocessing.hpp"
#include "port/translator.hpp"

namespace phpc::port {

namespace {

/// Keeps the errors that the compiler finds.
class Errors : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) {
      return;
    }
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    std::string where;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const clang::PresumedLoc presumed =
          diagnostic.getSourceManager().getPresumedLoc(diagnostic.getSourceManager().getExpansionLoc(diagnostic.getLocation()));
      if (presumed.isValid()) {
        where = std::string(presumed.getFilename()) + ":" + std::to_string(presumed.getLine()) + ": ";
      }
    }
    lines.push_back(where + "error: " + std::string(text));
  }
  std::vector<std::string> lines;
};

class Consumer : public clang::ASTConsumer {
 public:
  explicit Consumer(Translation& translation) : translation_(translation) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) {
      return;
    }
    const Facts facts(context);
    Translator(context, facts, translation_).run();
  }

 private:
  Translation& translation_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(Translation& translation, Includes& includes) : translation_(translation), includes_(includes) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef /*file*/) override {
    compiler.getPreprocessor().addPPCallbacks(watch_preprocessor(compiler.getPreprocessor(), translation_, includes_));
    return std::make_unique<Consumer>(translation_);
  }

 private:
  Translation& translation_;
  Includes& includes_;
};

class ActionFactory : public clang::tooling::FrontendActionFactory {
 public:
  ActionFactory(Translation& translation, Includes& includes) : translation_(translation), includes_(includes) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<Action>(translation_, includes_); }

 private:
  Translation& translation_;
  Includes& includes_;
};

}  // namespace

std::vector<std::string> read_unit(const Unit& unit, Translation& translation, Includes& includes) {
  const clang::tooling::FixedCompilationDatabase database(unit.directory, unit.arguments);
  clang::tooling::ClangTool tool(database, {unit.file});
  Errors errors;
  tool.setDiagnosticConsumer(&errors);
  tool.setPrintErrorMessage(false);
  ActionFactory factory(translation, includes);
  if (tool.run(&factory) != 0 && errors.lines.empty()) {
    errors.lines.push_back(unit.file + ": error: clang could not read it");
  }
  return errors.lines;
}

bool database_options(const std::string& build_folder, const std::string& file, Unit* unit, std::string* error) {
  const auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(build_folder + "/compile_commands.json", *error,
                                                                              clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr) {
    return false;
  }
  const std::vector<clang::tooling::CompileCommand> commands =
      database->getCompileCommands(clang::tooling::getAbsolutePath(file));
  if (!commands.empty()) {
    unit->directory = commands.front().Directory;
    unit->arguments = parser_options(commands.front().CommandLine);
  }
  return true;
}

}  // namespace phpc::port
