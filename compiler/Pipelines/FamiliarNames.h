// Passes under the names that users of StableHLO know as well.
#ifndef FERRULE_COMPILER_PIPELINES_FAMILIARNAMES_H
#define FERRULE_COMPILER_PIPELINES_FAMILIARNAMES_H

namespace ferrule {
/// Registers them as pipelines of one pass; registerPipelines() does it.
void registerFamiliarNames();
} // namespace ferrule

#endif // FERRULE_COMPILER_PIPELINES_FAMILIARNAMES_H
