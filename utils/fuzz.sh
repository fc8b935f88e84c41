#!/usr/bin/env bash
# Runs the fuzzer of the readers: utils/fuzz.sh BUILD_FOLDER SECONDS
# Text and bytecode have corpora of their own, since few mutations lead from one
# to the other. An input that crashes stays in BUILD_FOLDER/crash-*.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 seconds=$2
mkdir -p "$build/corpus-text" "$build/corpus-bytecode"
n=0
for file in test/Dialect/{StableHLO,CHLO,Check}/*.mlir; do
  csplit -s -z -f "$build/corpus-text/$((n += 1))-" "$file" '/^\/\/ -----/' '{*}'
done
cp test/Dialect/VHLO/Inputs/*.mlirbc "$build/corpus-bytecode/"
for kind in text bytecode; do
  echo "[fuzz] $kind for $seconds s"
  "$build/bin/fuzz-readers" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$build/crash-" "$build/corpus-$kind"
done
