#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which GPUs the program holds images for; `targets` is what offload_targets() says: "x86_64, nvptx64 (sm_80,sm_90), amdgcn
/// (gfx90a)".
namespace phpc::exec {

/// The place, 0-based, of the first NVIDIA image that runs on a GPU of architecture sm_XY, and nullopt where none does: code for
/// one of the same X and no larger Y runs (CUDA C++ Programming Guide, Binary Compatibility), code for sm_90a on sm_90 alone.
std::optional<int> nvidia_image(std::string_view targets, int major, int minor);

/// Whether there is an image for exactly this architecture, "gfx90a", of whatever features ("gfx90a:xnack+").
bool has_amd_image(std::string_view targets, std::string_view architecture);

/// Architectures of AMD's GPUs, one for each, as their driver describes them in the folders below `nodes`; empty without such a
/// driver.
std::vector<std::string> amd_architectures(const std::string& nodes = "/sys/class/kfd/kfd/topology/nodes");

}  // namespace phpc::exec
