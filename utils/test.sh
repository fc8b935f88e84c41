#!/usr/bin/env bash
# Runs the tiers of tests: utils/test.sh BUILD_FOLDER JOBS
# All tiers run even when one fails; the exit status tells.
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:-build} jobs=${2:-2}
failed=()
# Machine code that tests keep is no business of the user.
export FERRULE_CACHE_DIR=${FERRULE_CACHE_DIR:-$PWD/$build/cache}

tier() {
  local name=$1 start=$SECONDS
  shift
  echo "[test] $name"
  "$@" || failed+=("$name")
  echo "[test] $name took $((SECONDS - start)) s"
}

tier tree .venv/bin/python utils/check_tree.py
tier unit ctest --test-dir "$build" --output-on-failure -j "$jobs"
tier lit .venv/bin/lit -q -j "$jobs" --param build="$build" test
tier e2e "$build/bin/ferrule-check" -j "$jobs" test/e2e
# Without fusion and packing, and without the instructions of this machine.
tier e2e-unoptimised "$build/bin/ferrule-check" -j "$jobs" --opt-level=0 test/e2e
tier e2e-baseline "$build/bin/ferrule-check" -j "$jobs" --target-cpu=x86-64-v3 test/e2e
# The interpreter of the reference target: an independent second opinion.
tier e2e-reference "$build/bin/ferrule-check" -j "$jobs" --target=reference test/e2e
tier python .venv/bin/python -m pytest -q -n "$jobs" --dist loadgroup test/python
if [ ${#failed[@]} -gt 0 ]; then
  echo "[test] failed: ${failed[*]}" >&2
  exit 1
fi
echo "[test] all tiers passed"
