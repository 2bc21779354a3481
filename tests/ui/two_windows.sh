#!/bin/bash
# two_windows.sh TOOLS
#
# Runs two_windows on a virtual screen that has room for both. TOOLS is the folder of two_windows and screenshot.
# Exit status 77: there is no Xvfb on this machine.
set -euo pipefail

command -v xvfb-run >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
xvfb-run --auto-servernum --server-args='-screen 0 1700x600x24 -noreset' "$1/two_windows" "$1/screenshot" "$folder"
