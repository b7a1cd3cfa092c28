#!/usr/bin/env bash
# Notarise the disk image and staple the ticket to it. APPLE_ID, APPLE_TEAM and APPLE_PASSWORD (an app-specific password
# from account.apple.com) belong to the maintainer. Without them do nothing.
#   installer/macos/notarise.sh out/bundle/dist/tdapp-0.1.0-arm64.dmg
set -euo pipefail
[ -n "${APPLE_ID:-}" ] || { echo "tdapp: not notarised, APPLE_ID is empty"; exit 0; }
xcrun notarytool submit "$1" --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM" --password "$APPLE_PASSWORD" --wait
xcrun stapler staple "$1"
