#!/usr/bin/env bash
# Builds the wheels: utils/build_wheels.sh [OUT] [full|runtime]...
#   ferrule          with the compiler, from the modules that `make build` made
#   ferrule-runtime  without it; compiled here, in build-wheel-runtime
# (`pip wheel .` compiles everything of the full one instead.)
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
shift || true
[ $# -gt 0 ] || set -- full runtime
for kind in "$@"; do
  case $kind in
    full) arguments=(. -C cmake.define.FERRULE_USE_BUILT_MODULES=ON
      -C build-dir=build-wheel-built) ;;
    runtime) arguments=(python/runtime_only) ;;
    *) echo "build_wheels: unknown wheel '$kind', expected full or runtime" >&2
       exit 2 ;;
  esac
  .venv/bin/python -m pip wheel -q --disable-pip-version-check --no-deps \
    --no-build-isolation --wheel-dir "$out" "${arguments[@]}"
done
