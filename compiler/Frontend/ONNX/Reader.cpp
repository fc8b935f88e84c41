// Reads ModelProto with protozero. This file alone is built with exceptions,
// which protozero throws on damaged input; none leaves it.
#include "compiler/Frontend/ONNX/Model.h"
#include <protozero/pbf_reader.hpp>

using namespace ferrule::onnx;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

/// A field's number and wire type in one constant, for `switch`.
constexpr uint32_t varint(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::varint);
}
constexpr uint32_t fixed32(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::fixed32);
}
constexpr uint32_t fixed64(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::fixed64);
}
constexpr uint32_t bytes(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::length_delimited);
}

struct Damage {
  std::string what;
};

/// Keeps the path of the field being read, so that an error can name it. The
/// path is popped only on success: after a throw it still names the place.
class Reader {
public:
  void model(pbf_reader m, Model &out);
  void tensor(pbf_reader m, Tensor &out);
  std::string path() const;

private:
  // Deeper than any real model; bounds the recursion on hostile files.
  static constexpr size_t maxDepth = 200;

  void graph(pbf_reader m, Graph &out);
  void node(pbf_reader m, Node &out);
  void attribute(pbf_reader m, NodeAttribute &out);
  void sparse(pbf_reader m, SparseTensor &out);
  void valueInfo(pbf_reader m, ValueInfo &out);
  void type(pbf_reader m, TypeInfo &out);
  void tensorType(pbf_reader m, TypeInfo &out);
  void shape(pbf_reader m, TypeInfo &out);
  void function(pbf_reader m, Function &out);
  void opset(pbf_reader m, OpsetImports &out);
  std::pair<StringRef, StringRef> entry(pbf_reader m);

  /// Reads a nested message with `read`, its field on the path.
  template <typename Out>
  void nested(const char *field, pbf_reader &m, Out &out,
              void (Reader::*read)(pbf_reader, Out &), int64_t index = -1) {
    enter(field, index);
    (this->*read)(m.get_message(), out);
    fields.pop_back();
  }
  template <typename Out>
  void element(const char *field, pbf_reader &m, std::vector<Out> &list,
               void (Reader::*read)(pbf_reader, Out &)) {
    list.emplace_back();
    nested(field, m, list.back(), read, static_cast<int64_t>(list.size()) - 1);
  }
  StringRef text(const char *field, pbf_reader &m) {
    enter(field);
    auto view = m.get_view();
    fields.pop_back();
    return StringRef(view.data(), view.size());
  }
  template <typename T> void packedVarints(pbf_reader &m, std::vector<T> &out) {
    for (int64_t value : m.get_packed_int64())
      out.push_back(static_cast<T>(value));
  }
  void packedRaw(pbf_reader &m, Tensor &out, size_t size);
  void enter(const char *field, int64_t index = -1) {
    if (fields.size() >= maxDepth)
      throw Damage{"messages are nested more than 200 deep"};
    fields.push_back({field, index});
  }
  /// Skips a field that the importer has no use for; a known one with a
  /// wrong wire type is damage, which the format's readers ignore too.
  void skip(pbf_reader &m) { m.skip(); }

  struct Field {
    const char *name;
    int64_t index;
  };
  std::vector<Field> fields;
};

std::string Reader::path() const {
  std::string result;
  for (const Field &field : fields) {
    if (!result.empty())
      result += '.';
    result += field.name;
    if (field.index >= 0)
      result += '[' + std::to_string(field.index) + ']';
  }
  return result;
}

std::pair<StringRef, StringRef> Reader::entry(pbf_reader m) {
  std::pair<StringRef, StringRef> result;
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      result.first = text("key", m);
      break;
    case bytes(2):
      result.second = text("value", m);
      break;
    default:
      skip(m);
    }
  }
  return result;
}

void Reader::packedRaw(pbf_reader &m, Tensor &out, size_t size) {
  auto view = m.get_view();
  if (view.size() % size)
    throw Damage{"a packed field of " + std::to_string(view.size()) +
                 " bytes is not a whole number of elements"};
  if (!out.raw.empty())
    throw Damage{"a packed field is given in several pieces"};
  out.raw = StringRef(view.data(), view.size());
  out.hasRaw = true;
}

void Reader::tensor(pbf_reader m, Tensor &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case varint(1):
      out.dims.push_back(m.get_int64());
      break;
    case bytes(1):
      packedVarints(m, out.dims);
      break;
    case varint(2):
      out.type = static_cast<DataType>(m.get_int32());
      break;
    case bytes(4):
      enter("float_data");
      packedRaw(m, out, 4);
      fields.pop_back();
      break;
    case fixed32(4):
      out.floats.push_back(m.get_float());
      break;
    case bytes(5):
    case bytes(7):
    case bytes(11):
      packedVarints(m, out.ints);
      break;
    case varint(5):
    case varint(7):
    case varint(11):
      out.ints.push_back(m.get_int64());
      break;
    case bytes(6):
      out.strings.push_back(text("string_data", m));
      break;
    case bytes(8):
      out.name = text("name", m);
      break;
    case bytes(9):
      out.raw = text("raw_data", m);
      out.hasRaw = true;
      break;
    case bytes(10):
      enter("double_data");
      packedRaw(m, out, 8);
      fields.pop_back();
      break;
    case fixed64(10):
      out.doubles.push_back(m.get_double());
      break;
    case bytes(13):
      enter("external_data");
      out.externalData.push_back(entry(m.get_message()));
      fields.pop_back();
      break;
    case varint(14):
      out.external = m.get_int32() == 1;
      break;
    default:
      skip(m);
    }
  }
}

void Reader::sparse(pbf_reader m, SparseTensor &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      nested("values", m, out.values, &Reader::tensor);
      break;
    case bytes(2):
      nested("indices", m, out.indices, &Reader::tensor);
      break;
    case varint(3):
      out.dims.push_back(m.get_int64());
      break;
    case bytes(3):
      packedVarints(m, out.dims);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::shape(pbf_reader m, TypeInfo &out) {
  out.hasShape = true;
  while (m.next()) {
    if (m.tag_and_type() != bytes(1)) {
      skip(m);
      continue;
    }
    Dimension dim;
    enter("dim", static_cast<int64_t>(out.shape.size()));
    pbf_reader d = m.get_message();
    while (d.next()) {
      switch (d.tag_and_type()) {
      case varint(1):
        dim.value = d.get_int64();
        break;
      case bytes(2):
        dim.param = text("dim_param", d);
        break;
      default:
        skip(d);
      }
    }
    fields.pop_back();
    out.shape.push_back(dim);
  }
}

void Reader::tensorType(pbf_reader m, TypeInfo &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case varint(1):
      out.elementType = static_cast<DataType>(m.get_int32());
      break;
    case bytes(2):
      nested("shape", m, out, &Reader::shape);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::type(pbf_reader m, TypeInfo &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      out.kind = TypeInfo::TensorKind;
      nested("tensor_type", m, out, &Reader::tensorType);
      break;
    case bytes(4):
    case bytes(9): {
      bool sequence = m.tag() == 4;
      out.kind = sequence ? TypeInfo::SequenceKind : TypeInfo::OptionalKind;
      out.element = std::make_shared<TypeInfo>();
      enter(sequence ? "sequence_type" : "optional_type");
      pbf_reader inner = m.get_message();
      while (inner.next()) {
        if (inner.tag_and_type() == bytes(1))
          nested("elem_type", inner, *out.element, &Reader::type);
        else
          skip(inner);
      }
      fields.pop_back();
      break;
    }
    case bytes(5):
    case bytes(7):
    case bytes(8):
      out.kind = TypeInfo::Other;
      skip(m);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::valueInfo(pbf_reader m, ValueInfo &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      out.name = text("name", m);
      break;
    case bytes(2):
      nested("type", m, out.type, &Reader::type);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::attribute(pbf_reader m, NodeAttribute &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      out.name = text("name", m);
      break;
    case fixed32(2):
      out.f = m.get_float();
      break;
    case varint(3):
      out.i = m.get_int64();
      break;
    case bytes(4):
      out.s = text("s", m);
      break;
    case bytes(5):
      out.tensor = std::make_shared<Tensor>();
      nested("t", m, *out.tensor, &Reader::tensor);
      break;
    case bytes(6):
      out.graphs.push_back(std::make_shared<Graph>());
      nested("g", m, *out.graphs.back(), &Reader::graph);
      break;
    case fixed32(7):
      out.floats.push_back(m.get_float());
      break;
    case bytes(7):
      for (float value : m.get_packed_float())
        out.floats.push_back(value);
      break;
    case varint(8):
      out.ints.push_back(m.get_int64());
      break;
    case bytes(8):
      packedVarints(m, out.ints);
      break;
    case bytes(9):
      out.strings.push_back(text("strings", m));
      break;
    case bytes(11):
      out.graphs.push_back(std::make_shared<Graph>());
      nested("graphs", m, *out.graphs.back(), &Reader::graph);
      break;
    case bytes(14):
      out.typeInfo = std::make_shared<TypeInfo>();
      nested("tp", m, *out.typeInfo, &Reader::type);
      break;
    case varint(20):
      out.type = m.get_int32();
      break;
    case bytes(21):
      out.refName = text("ref_attr_name", m);
      break;
    case bytes(22):
      out.sparse = std::make_shared<SparseTensor>();
      nested("sparse_tensor", m, *out.sparse, &Reader::sparse);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::node(pbf_reader m, Node &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      out.inputs.push_back(text("input", m));
      break;
    case bytes(2):
      out.outputs.push_back(text("output", m));
      break;
    case bytes(3):
      out.name = text("name", m);
      break;
    case bytes(4):
      out.opType = text("op_type", m);
      break;
    case bytes(5):
      element("attribute", m, out.attributes, &Reader::attribute);
      break;
    case bytes(7):
      out.domain = text("domain", m);
      break;
    case bytes(8):
      out.overload = text("overload", m);
      break;
    default:
      skip(m);
    }
  }
  // "ai.onnx" is the long spelling of the default domain.
  if (out.domain == "ai.onnx")
    out.domain = "";
}

void Reader::graph(pbf_reader m, Graph &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      element("node", m, out.nodes, &Reader::node);
      break;
    case bytes(2):
      out.name = text("name", m);
      break;
    case bytes(5):
      element("initializer", m, out.initializers, &Reader::tensor);
      break;
    case bytes(15):
      element("sparse_initializer", m, out.sparseInitializers, &Reader::sparse);
      break;
    case bytes(11):
      element("input", m, out.inputs, &Reader::valueInfo);
      break;
    case bytes(12):
      element("output", m, out.outputs, &Reader::valueInfo);
      break;
    default:
      skip(m);
    }
  }
}

void Reader::opset(pbf_reader m, OpsetImports &out) {
  StringRef domain;
  int64_t version = 0;
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      domain = text("domain", m);
      break;
    case varint(2):
      version = m.get_int64();
      break;
    default:
      skip(m);
    }
  }
  out[domain == "ai.onnx" ? std::string() : domain.str()] = version;
}

void Reader::function(pbf_reader m, Function &out) {
  while (m.next()) {
    switch (m.tag_and_type()) {
    case bytes(1):
      out.name = text("name", m);
      break;
    case bytes(4):
      out.inputs.push_back(text("input", m));
      break;
    case bytes(5):
      out.outputs.push_back(text("output", m));
      break;
    case bytes(6):
      out.attributeNames.push_back(text("attribute", m));
      break;
    case bytes(7):
      element("node", m, out.nodes, &Reader::node);
      break;
    case bytes(9):
      nested("opset_import", m, out.opsets, &Reader::opset);
      break;
    case bytes(10):
      out.domain = text("domain", m);
      break;
    case bytes(11):
      element("attribute_proto", m, out.defaults, &Reader::attribute);
      break;
    case bytes(13):
      out.overload = text("overload", m);
      break;
    default:
      skip(m);
    }
  }
  if (out.domain == "ai.onnx")
    out.domain = "";
}

void Reader::model(pbf_reader m, Model &out) {
  enter("ModelProto");
  bool hasGraph = false;
  while (m.next()) {
    switch (m.tag_and_type()) {
    case varint(1):
      out.irVersion = m.get_int64();
      break;
    case bytes(2):
      out.producer = text("producer_name", m);
      break;
    case bytes(7):
      hasGraph = true;
      nested("graph", m, out.graph, &Reader::graph);
      break;
    case bytes(8):
      nested("opset_import", m, out.opsets, &Reader::opset);
      break;
    case bytes(14):
      enter("metadata_props");
      out.metadata.push_back(entry(m.get_message()));
      fields.pop_back();
      break;
    case bytes(25):
      element("functions", m, out.functions, &Reader::function);
      break;
    default:
      skip(m);
    }
  }
  if (!hasGraph)
    throw Damage{"there is no field 'graph', so this is no ONNX model or the "
                 "file is cut short"};
}

/// Runs `read`, turning what it throws into a message with the field's path.
template <typename Fn>
bool guarded(Reader &reader, std::string &error, Fn read) {
  auto damaged = [&](const char *what) {
    error = "damaged ONNX data at " + reader.path() + ": " + what;
    return false;
  };
  try {
    read();
    return true;
  } catch (const Damage &damage) {
    return damaged(damage.what.c_str());
  } catch (const protozero::end_of_buffer_exception &) {
    return damaged("a field is longer than what is left of the data");
  } catch (const protozero::varint_too_long_exception &) {
    return damaged("an integer is encoded in more than 10 bytes");
  } catch (const protozero::exception &exception) {
    return damaged(exception.what());
  }
}

} // namespace

bool ferrule::onnx::readModel(StringRef data, Model &model,
                              std::string &error) {
  Reader reader;
  return guarded(reader, error, [&] {
    reader.model(pbf_reader(data.data(), data.size()), model);
  });
}

bool ferrule::onnx::readTensor(StringRef data, Tensor &tensor,
                               std::string &error) {
  Reader reader;
  return guarded(reader, error, [&] {
    reader.tensor(pbf_reader(data.data(), data.size()), tensor);
  });
}
