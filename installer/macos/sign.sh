#!/usr/bin/env bash
# Sign the program for macOS with the identity in TDAPP_SIGNED_BY ("Developer ID Application: ..."). Without an identity
# do nothing.
#   installer/macos/sign.sh out/bundle/dist/tdapp.app
set -euo pipefail
[ -n "${TDAPP_SIGNED_BY:-}" ] || { echo "tdapp: not signed, TDAPP_SIGNED_BY is empty"; exit 0; }
codesign --force --deep --options runtime --timestamp --entitlements "$(dirname "$0")/entitlements.plist" \
  --sign "$TDAPP_SIGNED_BY" "$1"
codesign --verify --deep --strict "$1"
