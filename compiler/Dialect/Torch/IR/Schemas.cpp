#include "compiler/Dialect/Torch/IR/Schemas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ferrule::torch {
namespace {

/// Reads the text of a schema from left to right.
class SchemaParser {
public:
  explicit SchemaParser(StringRef text) : rest(text) {}

  bool parseArguments(std::vector<SchemaValue> &arguments) {
    if (!rest.consume_front("("))
      return false;
    bool keywordOnly = false;
    while (!consume(")")) {
      if (rest.consume_front("*, ")) {
        keywordOnly = true;
        continue;
      }
      SchemaValue value;
      value.keywordOnly = keywordOnly;
      if (!parseType(value) || !parseName(value))
        return false;
      arguments.push_back(value);
      consume(", ");
    }
    return true;
  }

  bool parseResults(std::vector<SchemaValue> &results) {
    if (!rest.consume_front(" -> "))
      return false;
    bool several = rest.consume_front("(");
    if (several && rest.consume_front(")"))
      return rest.empty();
    do {
      SchemaValue value;
      if (!parseType(value))
        return false;
      if (several && rest.starts_with(" "))
        parseName(value);
      results.push_back(value);
    } while (several && consume(", "));
    return !several || rest.consume_front(")");
  }

private:
  bool consume(StringRef token) { return rest.consume_front(token); }

  StringRef takeIdentifier() {
    StringRef word =
        rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    return word;
  }

  /// base, then any of (alias), [n] and ?.
  bool parseType(SchemaValue &value) {
    StringRef base = takeIdentifier();
    if (base.empty())
      return false;
    using Kind = SchemaValue::Kind;
    value.kind = StringSwitch<Kind>(base)
                     .Case("Tensor", Kind::Tensor)
                     .Cases({"int", "SymInt", "ScalarType", "Layout",
                             "MemoryFormat", "QScheme"},
                            Kind::Int)
                     .Cases({"float", "SymFloat"}, Kind::Float)
                     .Cases({"bool", "SymBool"}, Kind::Bool)
                     .Case("str", Kind::String)
                     .Case("Scalar", Kind::Number)
                     .Case("Device", Kind::Device)
                     .Case("Generator", Kind::Generator)
                     .Default(Kind::Any);
    while (true) {
      if (consume("(")) {
        StringRef alias = rest.take_until([](char c) { return c == ')'; });
        rest = rest.drop_front(alias.size());
        if (!consume(")"))
          return false;
        value.aliases = true;
        value.mutated |= alias.contains('!');
      } else if (consume("[")) {
        rest = rest.drop_while([](char c) { return isDigit(c); });
        if (!consume("]"))
          return false;
        value.optionalElement = value.optional;
        value.optional = false;
        value.list = true;
      } else if (consume("?")) {
        value.optional = true;
      } else {
        return true;
      }
    }
  }

  bool parseName(SchemaValue &value) {
    if (!consume(" "))
      return false;
    value.name = takeIdentifier();
    if (consume("=")) {
      value.defaultText = takeDefault();
      if (value.defaultText->empty())
        return false;
    }
    return true;
  }

  StringRef takeDefault() {
    unsigned depth = 0, end = 0;
    for (; end < rest.size(); ++end) {
      char c = rest[end];
      if (c == '"' || c == '\'') {
        end = rest.find(c, end + 1);
        if (end == unsigned(StringRef::npos))
          return "";
        continue;
      }
      depth += c == '[';
      if (depth == 0 && (c == ',' || c == ')'))
        break;
      depth -= c == ']';
    }
    StringRef text = rest.take_front(end);
    rest = rest.drop_front(end);
    return text.trim("\"'");
  }

  StringRef rest;
};

struct TableRow {
  StringRef schema;
  bool random;
};

constexpr bool Same = false, Random = true;
const TableRow table[] = {
#define TORCH_OP(NAME, SCHEMA, FLAGS) {SCHEMA, FLAGS},
#include "compiler/Dialect/Torch/IR/Schemas.inc"
#undef TORCH_OP
};

std::vector<Schema> readTable() {
  std::vector<Schema> schemas;
  schemas.reserve(std::size(table));
  for (const TableRow &row : table) {
    std::optional<Schema> schema = parseSchema(row.schema);
    if (!schema)
      llvm_unreachable("the table of operators holds a malformed schema");
    schema->random = row.random;
    schemas.push_back(std::move(*schema));
  }
  llvm::sort(schemas, [](const Schema &a, const Schema &b) {
    return a.opName < b.opName;
  });
  return schemas;
}

} // namespace

bool Schema::mutates() const {
  return llvm::any_of(arguments, [](auto &value) { return value.mutated; });
}

bool Schema::aliases() const {
  return llvm::any_of(results, [](auto &value) { return value.aliases; });
}

std::optional<unsigned> Schema::findArgument(StringRef name) const {
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.name == name)
      return index;
  return std::nullopt;
}

std::string getOpName(StringRef qualifiedName) {
  auto [space, name] = qualifiedName.split("::");
  return ("torch." + space + "." + name).str();
}

std::optional<Schema> parseSchema(StringRef text) {
  Schema schema;
  schema.text = text;
  StringRef name = text.take_until([](char c) { return c == '('; });
  schema.opName = getOpName(name);
  SchemaParser parser(text.drop_front(name.size()));
  if (!parser.parseArguments(schema.arguments) ||
      !parser.parseResults(schema.results))
    return std::nullopt;
  return schema;
}

ArrayRef<Schema> getSchemas() {
  static const std::vector<Schema> schemas = readTable();
  return schemas;
}

const Schema *lookupSchema(StringRef opName) {
  ArrayRef<Schema> schemas = getSchemas();
  auto found = llvm::lower_bound(
      schemas, opName, [](const Schema &schema, StringRef name) {
        return schema.opName < name;
      });
  if (found == schemas.end() || found->opName != opName)
    return nullptr;
  return &*found;
}

} // namespace ferrule::torch
