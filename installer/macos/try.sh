#!/usr/bin/env bash
# Mount the disk image, copy the program as a user does, try the copy, and open a tournament with it.
#   installer/macos/try.sh out/bundle/dist/tdapp-0.1.0-arm64.dmg
set -euo pipefail
folder=$(mktemp -d)
trap 'hdiutil detach -quiet "$folder/image" || true; rm -rf "$folder"' EXIT
program=$folder/tdapp.app/Contents/MacOS/tdapp

hdiutil attach -quiet -nobrowse -readonly -mountpoint "$folder/image" "$1"
[ "$(readlink "$folder/image/Applications")" = /Applications ]
ditto "$folder/image/tdapp.app" "$folder/tdapp.app"
if [ -n "${TDAPP_SIGNED_BY:-}" ]; then codesign --verify --deep --strict "$folder/tdapp.app"; fi

"$program" --version
QT_QPA_PLATFORM=offscreen "$program" --self-test
"$program" demo "$folder/try.tdapp"
"$program" standings "$folder/try.tdapp"

QT_QPA_PLATFORM=offscreen "$program" "$folder/try.tdapp" &
window=$!
sleep 20
kill "$window" # fails if the window has closed
echo "passed: the disk image, the program and its window work"
