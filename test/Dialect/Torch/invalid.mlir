// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @too_few_operands(%a: !torch.vtensor<[2],f32>) {
  // expected-error @below {{'torch.aten.mm' op expected 2 operands, but found 1}}
  %0 = torch.aten.mm %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return
}

// -----

func.func @wrong_kind(%a: !torch.vtensor<[2],f32>, %s: !torch.str) {
  // expected-error @below {{operand #1 ('mat2') has type '!torch.str', which the schema 'aten::mm(Tensor self, Tensor mat2) -> Tensor' does not take}}
  %0 = torch.aten.mm %a, %s : !torch.vtensor<[2],f32>, !torch.str -> !torch.vtensor<[2],f32>
  return
}

// -----

func.func @literal_l1() {
  // expected-error @below {{L1: the constant has element type 'si64', but the result is '!torch.vtensor<[2],f32>'}}
  %0 = torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],f32>
  return
}

// -----

func.func @bind_b1(%a: !torch.vtensor<[?,3],f32>, %s: !torch.int) {
  // expected-error @below {{B1: the map gives 1 sizes, but the tensor has 2}}
  torch.bind_symbolic_shape %a, [%s], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?,3],f32>
  return
}
