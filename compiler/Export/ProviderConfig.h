// The attributes of provider operations as JSON text.
#ifndef FERRULE_COMPILER_EXPORT_PROVIDERCONFIG_H
#define FERRULE_COMPILER_EXPORT_PROVIDERCONFIG_H

#include "mlir/IR/BuiltinAttributes.h"
#include <string>

namespace ferrule {

/// A JSON object of numbers, strings, booleans and arrays of these, keys
/// sorted. Fails for other attributes.
mlir::FailureOr<std::string> writeProviderConfig(mlir::DictionaryAttr config);

/// The reverse: integers become i64, other numbers f64.
mlir::FailureOr<mlir::DictionaryAttr>
readProviderConfig(llvm::StringRef text, mlir::MLIRContext *context);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_PROVIDERCONFIG_H
