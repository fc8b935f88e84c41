"""Ops whose sizes or positions are values."""

import numpy as np
import stablehlo_parity as parity

RNG = np.random.default_rng(3)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def test_dynamic_iota_and_reshape():
    text = """
func.func @main(%s: tensor<2xi32>, %x: tensor<?xf32>) -> (tensor<?x?xi32>, tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %1 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xi32>, tensor<?x?xf32>
}
"""
    x = floats(12)
    iota, reshaped = parity.run(text, np.array([3, 4], np.int32), x)
    np.testing.assert_array_equal(iota, np.tile(np.arange(4), (3, 1)))
    np.testing.assert_array_equal(reshaped, x.reshape(3, 4))


def test_real_dynamic_slice():
    text = """
func.func @main(%x: tensor<?x?xf32>, %a: tensor<2xi32>, %b: tensor<2xi32>, %c: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    x = floats(6, 7)
    bounds = [np.array(v, np.int32) for v in ([1, 0], [5, 7], [2, 3])]
    (y,) = parity.run(text, x, *bounds)
    np.testing.assert_array_equal(y, x[1:5:2, 0:7:3])


def test_dynamic_pad():
    text = """
func.func @main(%x: tensor<?x?xf32>, %v: tensor<f32>, %a: tensor<2xi32>, %b: tensor<2xi32>, %c: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_pad %x, %v, %a, %b, %c : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    from jax import lax

    x = floats(3, 4)
    low, high, interior = (np.array(v, np.int32) for v in ([1, -1], [0, 2], [2, 0]))
    (y,) = parity.run(text, x, np.float32(9), low, high, interior)
    want = lax.pad(x, np.float32(9), [(1, 0, 2), (-1, 2, 0)])
    np.testing.assert_array_equal(y, want)


def test_dynamic_gather():
    text = """
func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x1xi64>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x?xf32>, tensor<?x1xi64>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    x = floats(5, 3)
    i = np.array([[4], [0], [9], [2]])
    (y,) = parity.run(text, x, i, np.array([1, 3], np.int32))
    np.testing.assert_array_equal(y, x[np.clip(i[:, 0], 0, 4)])


def test_dynamic_convolution():
    text = """
func.func @main(%x: tensor<1x1x?x?xf32>, %w: tensor<2x1x3x3xf32>, %p: tensor<2x2xi32>) -> tensor<1x2x?x?xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>}> : (tensor<1x1x?x?xf32>, tensor<2x1x3x3xf32>, tensor<2x2xi32>) -> tensor<1x2x?x?xf32>
  return %0 : tensor<1x2x?x?xf32>
}
"""
    from jax import lax

    x, w = floats(1, 1, 7, 6), floats(2, 1, 3, 3)
    (y,) = parity.run(text, x, w, np.array([[1, 1], [0, 2]], np.int32))
    parity.assert_close(y, lax.conv_general_dilated(x, w, (2, 1), [(1, 1), (0, 2)]), 1e-5, 1e-5)


def test_legacy_products():
    text = """
func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> (tensor<3x5xf32>, tensor<5x3xf32>) {
  %0 = stablehlo.dot %x, %y : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.einsum %x, %y, config = "ab,bc->ca" : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<5x3xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<5x3xf32>
}
"""
    x, y = floats(3, 4), floats(4, 5)
    dot, einsum = parity.run(text, x, y)
    parity.assert_close(dot, x @ y, 1e-5, 1e-5)
    parity.assert_close(einsum, (x @ y).T, 1e-5, 1e-5)


def test_assertion_stops_the_run():
    text = """
func.func @main(%ok: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @ferrule.assert(%ok) {backend_config = "x must be small", has_side_effect = true} : (tensor<i1>) -> ()
  return %x : tensor<4xf32>
}
"""
    x = floats(4)
    (y,) = parity.run(text, np.array(True), x)
    np.testing.assert_array_equal(y, x)
    try:
        parity.run(text, np.array(False), x)
    except Exception as error:
        assert "x must be small" in str(error)
    else:
        raise AssertionError("the assertion did not stop the run")
