#!/usr/bin/env bash
# Mount the disk image, copy the program out of it as a user does, try the copy, and open a tournament with it.
#   installer/macos/try.sh out/bundle/dist/tdapp-0.1.0-arm64.dmg
set -euo pipefail
place=$(mktemp -d)
trap 'hdiutil detach -quiet "$place/image" || true; rm -rf "$place"' EXIT
program=$place/tdapp.app/Contents/MacOS/tdapp

hdiutil attach -quiet -nobrowse -readonly -mountpoint "$place/image" "$1"
[ "$(readlink "$place/image/Applications")" = /Applications ]
ditto "$place/image/tdapp.app" "$place/tdapp.app"
if [ -n "${TDAPP_SIGNED_BY:-}" ]; then codesign --verify --deep --strict "$place/tdapp.app"; fi

"$program" --version
QT_QPA_PLATFORM=offscreen "$program" --self-test
"$program" demo "$place/try.tdapp"
"$program" standings "$place/try.tdapp"

QT_QPA_PLATFORM=offscreen "$program" "$place/try.tdapp" &
window=$!
sleep 20
kill "$window" # fails if the window has closed
echo "well: the disk image, the program and its window work"
