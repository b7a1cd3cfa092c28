#!/usr/bin/env bash
# Install a .deb in a bare Debian root, start it under Xvfb, make a demo, print, uninstall, and list remaining files.
# Needs root and debootstrap.
#   sudo installer/linux/try.sh out/bundle/dist/tdapp_0.1.0_amd64.deb [RELEASE]
set -euo pipefail
deb=$(realpath "$1")
release=${2:-bookworm}
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT

say() { printf '=== %s\n' "$*"; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"; }
# Ignore files that the system and its users write. Removing the package also removes an empty /opt.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./root -o -path ./tmp -o -path ./var -o -path ./opt -empty \) -prune -o -print) | sort; }

say "a bare $release"
debootstrap --variant=minbase "$release" "$root" >/dev/null
mount -t proc proc "$root/proc"
cp "$deb" "$root/tmp/tdapp.deb"

say "install"
apt update
apt install -y --no-install-recommends xvfb xauth desktop-file-utils shared-mime-info >/dev/null
apt install -y --no-install-recommends libgl1 libegl1 fontconfig-config >/dev/null # needed by tdapp
files >"$root/tmp/before"
apt install -y --no-install-recommends /tmp/tdapp.deb >/dev/null
inside desktop-file-validate /usr/share/applications/tdapp.desktop
inside tdapp --version

say "self-test, off screen"
inside env QT_QPA_PLATFORM=offscreen tdapp --self-test

say "demo, print, file type"
inside tdapp demo /tmp/demo.tdapp --players 24 --rounds 5
inside tdapp print /tmp/demo.tdapp standings -o /tmp/standings.pdf
inside tdapp check /tmp/demo.tdapp
[ "$(head -c 5 "$root/tmp/standings.pdf")" = "%PDF-" ]
inside grep -q 'application/x-tdapp' /usr/share/mime/globs2

say "a window under Xvfb"
inside xvfb-run -a timeout 20 tdapp /tmp/demo.tdapp && code=0 || code=$?
[ "$code" = 124 ] # 124: the window was open until the timeout

say "uninstall"
apt purge -y tdapp >/dev/null
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after"
say "passed: no files remain"
