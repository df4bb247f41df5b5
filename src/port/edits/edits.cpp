#include "port/edits/edits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace phpc::port {

std::string to_string(unsigned how) {
  if ((how & cooperate) != 0) {
    how &= ~static_cast<unsigned>(share_memory);  // is a part of it
  }
  if (how != own_arrays) {
    how &= ~static_cast<unsigned>(own_arrays);  // matters to threads that do nothing together
  }
  std::string words;
  for (const auto& [bit, word] : {std::pair{share_memory, "share_memory"},
                                  {cooperate, "cooperate"},
                                  {ask_indices, "ask_indices"},
                                  {own_arrays, "own_arrays"},
                                  {in_step, "in_step"}}) {
    if ((how & bit) != 0) {
      words += (words.empty() ? "" : " | ") + std::string(word);
    }
  }
  return words.empty() ? "independent" : words;
}

namespace {

/// Whether two insertions are kernels' launchers: one text has one.
bool are_launchers(const Edit& a, const Edit& b) {
  return a.text.find(Edit::how_mark) != std::string::npos && b.text.find(Edit::how_mark) != std::string::npos;
}

}  // namespace

bool Edits::add(const std::string& path, Edit edit) {
  std::vector<Edit>& edits = files_[path];
  // The same edit of an earlier unit, or of this one where one text is reached twice (a macro's, a template's).
  for (Edit& held : edits) {
    const bool same = held.offset == edit.offset && held.length == edit.length && held.text == edit.text;
    if (same) {
      held.how |= edit.how;
      return true;
    }
  }
  const std::size_t end = edit.offset + edit.length;
  for (const Edit& held : edits) {
    const std::size_t held_end = held.offset + held.length;
    const bool both_replace = edit.length > 0 && held.length > 0;
    if ((both_replace && edit.offset < held_end && held.offset < end) ||
        (edit.length == 0 && edit.offset > held.offset && edit.offset < held_end) ||
        (held.length == 0 && held.offset > edit.offset && held.offset < end) ||
        (held.offset == edit.offset && are_launchers(held, edit))) {
      return false;
    }
  }
  edits.push_back(std::move(edit));
  return true;
}

std::string Edits::apply(const std::string& path, std::string_view original) const {
  const auto found = files_.find(path);
  if (found == files_.end()) {
    return std::string(original);
  }
  std::vector<const Edit*> edits;
  for (const Edit& held : found->second) {
    edits.push_back(&held);
  }
  // Insertions come before a replacement that begins at the same place.
  std::ranges::sort(edits, [](const Edit* a, const Edit* b) {
    return std::tuple(a->offset, a->length > 0, a) < std::tuple(b->offset, b->length > 0, b);
  });
  std::string text;
  std::size_t done = 0;
  for (const Edit* const edit : edits) {
    text += original.substr(done, edit->offset - done);
    std::string inserted = edit->text;
    if (const std::size_t mark = inserted.find(Edit::how_mark); mark != std::string::npos) {
      inserted.replace(mark, Edit::how_mark.size(), to_string(edit->how));
    }
    text += inserted;
    done = edit->offset + edit->length;
  }
  text += original.substr(done);
  return text;
}

}  // namespace phpc::port
