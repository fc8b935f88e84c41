// RUN: ferrule-opt %s --split-input-file --verify-diagnostics | ferrule-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func @buffers
func.func @buffers(%a: memref<?x4xf32>, %n: index, %v: f32) {
  // CHECK: byre.constant dense<{{.*}}> : tensor<2xf32> as memref<2xf32>
  %c = byre.constant dense<[1.0, 2.0]> : tensor<2xf32> as memref<2xf32>
  // CHECK: byre.alloc sizes(%{{.*}}) : memref<?x4xf32>
  %d = byre.alloc sizes(%n) : memref<?x4xf32>
  // CHECK: byre.alloc at 128 : memref<2xf32>
  %s = byre.alloc at 128 : memref<2xf32>
  // CHECK: byre.alloc output 0 : memref<2xf32>
  %o = byre.alloc output 0 : memref<2xf32>
  // CHECK: byre.view %{{.*}} at 16 plus %{{.*}} sizes(%{{.*}}) : memref<?x4xf32> to memref<?xf32>
  %w = byre.view %d at 16 plus %n sizes(%n) : memref<?x4xf32> to memref<?xf32>
  // CHECK: byre.copy %{{.*}} to %{{.*}} : memref<2xf32> to memref<2xf32>
  byre.copy %c to %o : memref<2xf32> to memref<2xf32>
  // CHECK: byre.fill %{{.*}} with %{{.*}} : memref<?xf32>
  byre.fill %w with %v : memref<?xf32>
  // CHECK: byre.call_provider "acme.sort" ins(%{{.*}} : memref<?x4xf32>) outs(%{{.*}} : memref<2xf32>) config {axis = 0 : i64}
  byre.call_provider "acme.sort" ins(%a : memref<?x4xf32>) outs(%o : memref<2xf32>) config {axis = 0 : i64}
  // CHECK: byre.free %{{.*}} : memref<?x4xf32>
  byre.free %d : memref<?x4xf32>
  return
}

// -----

func.func @no_missing_size() {
  // expected-error @+1 {{expected 1 sizes for 'memref<?xf32>', found 0}}
  %0 = byre.alloc : memref<?xf32>
  return
}

// -----

func.func @no_unaligned_offset() {
  // expected-error @+1 {{expected an offset that is a multiple of 64, found 8}}
  %0 = byre.alloc at 8 : memref<4xf32>
  return
}

// -----

func.func @no_offset_of_dynamic_size(%n: index) {
  // expected-error @+1 {{expected a static size with 'at', found 'memref<?xf32>'}}
  %0 = byre.alloc sizes(%n) at 64 : memref<?xf32>
  return
}

// -----

func.func @no_offset_and_output() {
  // expected-error @+1 {{expected 'at' or 'output', found both}}
  %0 = byre.alloc at 64 output 0 : memref<4xf32>
  return
}

// -----

func.func @no_negative_offset(%a: memref<4xf32>) {
  // expected-error @+1 {{expected an offset that is not negative, found -4}}
  %0 = byre.view %a at -4 : memref<4xf32> to memref<1xf32>
  return
}

// -----

func.func @no_copy_of_other_size(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @+1 {{expected source and target of the same element type and size}}
  byre.copy %a to %b : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @no_strided_buffer(%a: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{must be contiguous memref}}
  byre.free %a : memref<4xf32, strided<[2]>>
  return
}
