#!/usr/bin/env bash
# Configures when needed and builds: utils/build.sh BUILD_FOLDER JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build} jobs=${2:-2}
if [ ! -e "$build/build.ninja" ]; then
  echo "[build] configuring (log: $build/configure.log)"
  mkdir -p "$build"
  cmake --preset default -B "$build" >"$build/configure.log" 2>&1 ||
    { tail -20 "$build/configure.log" >&2; exit 1; }
fi
echo "[build] compiling with $jobs jobs; a clean build takes up to 15 minutes"
if [ -t 1 ]; then
  exec ninja -C "$build" -j "$jobs"
fi
# Without a terminal: one line for every tenth step instead of all of them.
NINJA_STATUS='[build %f/%t] ' ninja -C "$build" -j "$jobs" |
  awk '/^\[build [0-9]*0\// || !/^\[build/ { print; fflush() }'
