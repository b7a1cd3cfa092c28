#!/usr/bin/env bash
# Has Apple look at the disk image, and staples the answer to it. APPLE_ID, APPLE_TEAM and APPLE_PASSWORD (one for
# this program only, made at account.apple.com) are the maintainer's; does nothing without them.
#   installer/macos/notarise.sh out/bundle/dist/tdapp-0.1.0-arm64.dmg
set -euo pipefail
[ -n "${APPLE_ID:-}" ] || { echo "tdapp: not notarised, APPLE_ID is empty"; exit 0; }
xcrun notarytool submit "$1" --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM" --password "$APPLE_PASSWORD" --wait
xcrun stapler staple "$1"
