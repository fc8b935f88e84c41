#!/usr/bin/env bash
# Installs what is missing for building and running Ferrule and nothing else:
#   utils/setup.sh demo   Debian packages, .venv with what the demo needs
#   utils/setup.sh test   also the frameworks and models that the tests use, and
#                         .venv-tf with TensorFlow, which wants its own
#   utils/setup.sh full   also the large models of FERRULE_FULL=1
# Repeating it is cheap; without root it works when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-demo}

say() { printf '\033[1m[setup]\033[0m %s\n' "$*"; }
die() { printf '[setup] error: %s\n' "$*" >&2; exit 1; }

apt_packages=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22
  lld-22 liblld-22-dev libflatbuffers-dev flatbuffers-compiler
  libprotozero-dev nlohmann-json3-dev libcli11-dev libgtest-dev libzip-dev
  zlib1g-dev libzstd-dev ccache ninja-build cmake make git python3
  python3-venv python3-dev)
# Speech and letters for the tests of pretrained models.
[ "$what" != demo ] && apt_packages+=(flite fonts-dejavu-core)
[ "$what" = fuzz ] && apt_packages+=(libclang-rt-22-dev)

# For programs that run on 64-bit Arm, built here and emulated. Without them the
# tests of these are skipped and say so.
emulation_packages=(qemu-user-static libc6-dev-arm64-cross
  libstdc++-12-dev-arm64-cross)

# install_debian PACKAGE...
install_debian() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && sudo=sudo ||
      die "these Debian packages are missing and this is not root: ${missing[*]}"
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  $sudo apt-get update -qq || die "apt-get update failed: is there a network?"
  apt-cache show libmlir-22-dev >/dev/null 2>&1 ||
    die "no source of Debian packages offers libmlir-22-dev (LLVM 22); on \
Debian 12 it is in bookworm's main and security repositories"
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install: ${missing[*]}"
}

# Installs a requirements file into an environment, which it makes when it is
# missing, unless this very file was installed before:
#   install_python ENVIRONMENT FILE [PIP_OPTION]...
install_python() {
  local environment=$1 file=$2 stamp
  shift 2
  if [ ! -x "$environment/bin/python" ]; then
    say "making $environment"
    python3 -m venv "$environment" || die "python3 -m venv failed"
  fi
  stamp=$environment/.installed-$(basename "$file" .txt)-$(sha256sum "$file" | cut -c1-12)
  [ -e "$stamp" ] && return
  say "installing Python packages of $file (into $environment)"
  "$environment/bin/python" -m pip install -q --disable-pip-version-check "$@" \
    -r "$file" 2> >(grep -v 'is ignored: it is neither' >&2) ||
    die "pip could not install the packages of $file: is there a network?"
  touch "$stamp"
}

install_debian "${apt_packages[@]}"
install_python .venv utils/requirements-build.txt
install_python .venv utils/requirements-demo.txt
install_python .venv utils/requirements-demo-nodeps.txt --no-deps
if [ "$what" != demo ]; then
  (install_debian "${emulation_packages[@]}") ||
    say "going on without emulation of 64-bit Arm: its tests will be skipped"
  install_python .venv utils/requirements-test.txt
  install_python .venv utils/requirements-test-nodeps.txt --no-deps
  install_python .venv-tf utils/requirements-tensorflow.txt
fi
if [ "$what" = full ]; then
  install_python .venv utils/requirements-full-nodeps.txt --no-deps
fi
.venv/bin/python utils/link_package.py
