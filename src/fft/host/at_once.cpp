#include "fft/host/at_once.hpp"

namespace phpc::fft {

template <class Real>
void HostAtOnce<Real>::run_narrow(const Real* from, Real* to) const {
  if (const NarrowStage<Real>* const only = narrow_->only_stage()) {
    for (index_t line = 0; line < loop_.count; ++line) {
      only->run(*only, from + line * loop_.from, to + line * loop_.to);
    }
    return;
  }
  alignas(PackValue<Real>) std::byte scratch[stack_bytes];
  for (index_t line = 0; line < loop_.count; ++line) {
    narrow_->run(from, to, reinterpret_cast<Real*>(scratch));
    from += loop_.from;
    to += loop_.to;
  }
}

template <class Real>
void HostAtOnce<Real>::run_columns(const Real* from, Real* to) const {
  alignas(PackValue<Real>) std::byte scratch[stack_bytes];
  for (index_t i = 0; i < loop_.count; ++i) {
    columns_->run(from, to, neighbours_, reinterpret_cast<Real*>(scratch));
    from += loop_.from;
    to += loop_.to;
  }
}

template <class Real>
void HostAtOnce<Real>::run_long_lines(const Array<const Real>& from, const Array<Real>& to) const {
  alignas(PackValue<Real>) std::byte scratch[stack_bytes];
  Prefetcher none;
  for (index_t line = 0; line < loop_.count; ++line) {
    long_lines_->run_line(Crew{}, from.from(line * loop_.from), to.from(line * loop_.to), Stores::cached, none,
                          {scratch + own_bytes_, scratch});
  }
}

template class HostAtOnce<float>;
template class HostAtOnce<double>;

}  // namespace phpc::fft
