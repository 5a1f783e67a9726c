#!/bin/sh
set -e
# An upgrade puts a newer profile in its place. What users have made is theirs, and stays also when the package is purged.
case "$1" in
  remove | purge)
    if [ -f '/etc/apparmor.d/${executable}' ]; then
      apparmor_parser --remove '/etc/apparmor.d/${executable}' 2>/dev/null || true
      rm -f '/etc/apparmor.d/${executable}'
    fi
    ;;
esac
update-mime-database /usr/share/mime 2>/dev/null || true
update-desktop-database /usr/share/applications 2>/dev/null || true
gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor 2>/dev/null || true
