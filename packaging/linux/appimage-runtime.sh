#!/bin/sh
# The head of an AppImage to try out, where AppImage's own runtime cannot be had: it unpacks the image that follows it with
# unsquashfs of this system (Debian: squashfs-tools), runs it, and removes what it unpacked.
offset=@OFFSET@
self=$(readlink -f "$0")
if ! command -v unsquashfs >/dev/null; then
  echo "$self: this AppImage was built to be tried out and needs unsquashfs (Debian: apt-get install squashfs-tools)" >&2
  exit 127
fi
case "$1" in
  --appimage-offset) echo "$offset"; exit 0 ;;
  --appimage-extract) exec unsquashfs -no-progress -quiet -offset "$offset" -dest squashfs-root "$self" ;;
esac
folder=$(mktemp -d "${TMPDIR:-/tmp}/.mount_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unsquashfs -no-progress -quiet -offset "$offset" -dest "$folder/app" "$self" >/dev/null || exit 1
APPIMAGE="$self" APPDIR="$folder/app" OWD="$PWD" ARGV0="$0" "$folder/app/AppRun" "$@" &
app=$!
trap 'kill -TERM $app 2>/dev/null' TERM INT HUP
# A signal ends the wait, not the app: it may take its time to stop in order.
while kill -0 $app 2>/dev/null; do wait $app; code=$?; done
exit "${code:-0}"
