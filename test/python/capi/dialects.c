/* dialects FILE: parses StableHLO with MLIR's own C API. */
#include <ferrule/dialects.h>
#include <mlir-c/IR.h>

#include <stdio.h>

static void print(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stdout);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handles[] = {
      mlirGetDialectHandle__byre__(),      mlirGetDialectHandle__chlo__(),
      mlirGetDialectHandle__check__(),     mlirGetDialectHandle__ferrule__(),
      mlirGetDialectHandle__stablehlo__(), mlirGetDialectHandle__torch__()};
  for (int i = 0; i < 6; ++i) {
    mlirDialectHandleRegisterDialect(handles[i], context);
    MlirDialect dialect = mlirDialectHandleLoadDialect(handles[i], context);
    print(mlirDialectGetNamespace(dialect), NULL);
    puts("");
  }
  MlirOperation constant = mlirOperationCreateParse(
      context,
      mlirStringRefCreateFromCString(
          "stablehlo.constant dense<1.0> : tensor<2xf32>"),
      mlirStringRefCreateFromCString("source"));
  if (mlirOperationIsNull(constant))
    return 1;
  mlirOperationPrint(constant, print, NULL);
  puts("");
  mlirOperationDestroy(constant);
  mlirContextDestroy(context);
  return 0;
}
