// Verifiers of what goes through channels, to and from the host, and of
// operations that have not ended yet.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
namespace ferrule::stablehlo {

/// Kinds of channels in their handles.
enum ChannelType : int64_t { DeviceToDevice = 1, DeviceToHost, HostToDevice };

static LogicalResult checkTransfer(Operation *op, StringRef code,
                                   ChannelHandleAttr channel, bool isHost,
                                   ChannelType hostType) {
  int64_t expected = isHost ? hostType : DeviceToDevice;
  if (channel.getType() == expected)
    return success();
  return op->emitOpError() << code << ": found channel type "
                           << channel.getType() << " with is_host_transfer = "
                           << (isHost ? "true" : "false") << ", expected "
                           << expected;
}

/// Results of reading: tensors of known sizes, then a token.
static LogicalResult checkReceived(Operation *op, ArrayRef<StringRef> codes) {
  if (op->getNumResults() == 0)
    return op->emitOpError()
           << codes[0] << ": found no results, expected at least one";
  TypeRange results = op->getResultTypes();
  for (Type type : results.drop_back()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || (!tensor.hasStaticShape() && !tensor.getEncoding()))
      return op->emitOpError() << codes[1] << ": found result " << type
                               << " before the last, expected a tensor of "
                                  "known sizes";
  }
  if (!isa<TokenType>(results.back()))
    return op->emitOpError() << codes[2] << ": found last result "
                             << results.back() << ", expected a token";
  return success();
}

LogicalResult SendOp::verify() {
  return checkTransfer(*this, "C1", getChannelHandle(), getIsHostTransfer(),
                       DeviceToHost);
}

LogicalResult RecvOp::verify() {
  if (failed(checkTransfer(*this, "C1", getChannelHandle(), getIsHostTransfer(),
                           HostToDevice)))
    return failure();
  return checkReceived(*this, {"C2", "C3", "C4"});
}

LogicalResult InfeedOp::verify() {
  return checkReceived(*this, {"C1", "C2", "C3"});
}

LogicalResult AsyncStartOp::verifyRegions() {
  Block &body = getBody().front();
  if (!areCompatibleTypes(TypeRange(body.getArgumentTypes()),
                          getOperandTypes()))
    return emitOpError() << "C1: found arguments of types "
                         << TypeRange(body.getArgumentTypes())
                         << " of the body, expected those of the operands, "
                         << getOperandTypes();
  TypeRange returned = body.getTerminator()->getOperandTypes();
  auto future = cast<FutureType>(getResult().getType());
  if (!areCompatibleTypes(returned, TypeRange(future.getTypes())))
    return emitOpError() << "C2: found a body returning " << returned
                         << " for result " << future;
  return success();
}

} // namespace ferrule::stablehlo
