#pragma once

namespace phpc::cli {

/// Opens descriptors 0, 1 and 2 where who started the program closed them, so that no file gets one of these numbers: messages
/// would go into a result. Reading such an input or writing data to such an output fails; messages to such an error stream are
/// lost.
void fill_standard_descriptors();

}  // namespace phpc::cli
