#include "compiler/Driver/Check/ParallelChecks.h"
#include "compiler/Driver/Check/ReadChecks.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ferrule;

Operation *ferrule::findRunParallel(func::FuncOp func) {
  for (Operation &op : func.getOps())
    if (op.getName().getStringRef() == "interpreter.run_parallel")
      return &op;
  return nullptr;
}

/// `programs`, which stands among the attributes or, of an operation that no
/// dialect knows, in its properties.
static ArrayAttr programsOf(Operation *run) {
  if (auto programs = run->getAttrOfType<ArrayAttr>("programs"))
    return programs;
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(run->getPropertiesAsAttribute());
  return properties ? properties.getAs<ArrayAttr>("programs") : ArrayAttr();
}

/// The name of a function, as a symbol or as text.
static StringRef nameOf(Attribute entry) {
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(entry))
    return symbol.getValue();
  auto text = dyn_cast<StringAttr>(entry);
  return text ? text.getValue() : StringRef();
}

void ferrule::collectProcessFunctions(Operation *run,
                                      llvm::StringSet<> &names) {
  if (ArrayAttr programs = programsOf(run))
    programs.walk([&](Attribute entry) {
      if (StringRef name = nameOf(entry); !name.empty())
        names.insert(name);
    });
}

/// The functions of the grid, row by row; sets the numbers of both kinds.
static LogicalResult readGrid(Operation *run, CheckedFunction &checked,
                              SmallVectorImpl<func::FuncOp> &functions) {
  ArrayAttr rows = programsOf(run);
  if (!rows || rows.empty())
    return run->emitOpError("found no programs, expected rows of functions");
  SymbolTable symbols(run->getParentOfType<ModuleOp>());
  checked.replicas = rows.size();
  for (Attribute row : rows) {
    auto entries = dyn_cast<ArrayAttr>(row);
    if (!entries || entries.empty() ||
        (!functions.empty() && entries.size() != checked.partitions))
      return run->emitOpError("found programs ")
             << rows << ", expected rows of equal length";
    checked.partitions = entries.size();
    for (Attribute entry : entries) {
      auto function = symbols.lookup<func::FuncOp>(nameOf(entry));
      if (!function || function.isDeclaration())
        return run->emitOpError("found no function ") << entry;
      functions.push_back(function);
    }
  }
  return success();
}

/// Programs know how many processes they run as.
static LogicalResult setCounts(Operation *run, const CheckedFunction &checked) {
  auto module = run->getParentOfType<ModuleOp>();
  for (auto [name, count] : {std::pair("mhlo.num_replicas", checked.replicas),
                             {"mhlo.num_partitions", checked.partitions}}) {
    auto value = IntegerAttr::get(IntegerType::get(run->getContext(), 32),
                                  static_cast<int64_t>(count));
    Attribute old = module->getAttr(name);
    if (old && cast<IntegerAttr>(old).getInt() != value.getInt())
      return run->emitOpError("found ")
             << value.getInt() << " for " << name << ", which is "
             << cast<IntegerAttr>(old).getInt() << " already";
    module->setAttr(name, value);
  }
  return success();
}

static LogicalResult readArguments(Operation *run, func::FuncOp function,
                                   unsigned &next, ProcessCall &process) {
  for (Type type : function.getArgumentTypes()) {
    ElementsAttr value;
    if (next >= run->getNumOperands())
      return run->emitOpError("found ")
             << run->getNumOperands() << " operands, expected more for @"
             << function.getName();
    Value operand = run->getOperand(next++);
    if (!matchPattern(operand, m_Constant(&value)))
      return run->emitOpError("operand ")
             << next - 1 << " is no constant, which is all that it can be here";
    if (operand.getType() != type)
      return run->emitOpError("found operand ")
             << operand.getType() << " for argument " << type << " of @"
             << function.getName();
    process.arguments.push_back(value);
  }
  return success();
}

/// Takes the checks of the results; both values are known or results.
static LogicalResult readResults(Operation *run, func::FuncOp func,
                                 CheckedFunction &checked) {
  for (Operation &op : llvm::make_early_inc_range(func.getOps())) {
    if (!isCheck(&op))
      continue;
    FailureOr<Check> check = readCheck(&op, {});
    if (failed(check))
      return failure();
    auto result = dyn_cast<OpResult>(check->actual);
    if (!result || result.getOwner() != run ||
        (check->expected && !check->known))
      return op.emitOpError("compares other values than a result of "
                            "interpreter.run_parallel with a constant");
    checked.expectations.push_back({check->agreement, check->name, op.getLoc(),
                                    getElementTypeOrSelf(check->actual),
                                    result.getResultNumber(), std::nullopt,
                                    check->known});
    op.erase();
  }
  if (run->use_empty())
    return success();
  return (*run->user_begin())
      ->emitOpError("uses a result of interpreter.run_parallel, expected "
                    "checks only");
}

LogicalResult ferrule::prepareParallel(func::FuncOp func, Operation *run,
                                       CheckedFunction &checked) {
  SmallVector<func::FuncOp> functions;
  if (failed(readGrid(run, checked, functions)) ||
      failed(setCounts(run, checked)))
    return failure();
  unsigned next = 0, output = 0;
  for (func::FuncOp function : functions) {
    ProcessCall process{function.getName().str(), {}, output};
    if (failed(readArguments(run, function, next, process)))
      return failure();
    for (Type type : function.getResultTypes())
      if (output >= run->getNumResults() ||
          run->getResult(output++).getType() != type)
        return run->emitOpError("has other results than the functions that it "
                                "runs: expected ")
               << type << " of @" << function.getName();
    function.setPublic();
    checked.processes.push_back(std::move(process));
  }
  if (next != run->getNumOperands() || output != run->getNumResults())
    return run->emitOpError("found ")
           << run->getNumOperands() << " operands and " << run->getNumResults()
           << " results, expected " << next << " and " << output;
  if (failed(readResults(run, func, checked)))
    return failure();
  run->erase();
  return success();
}
