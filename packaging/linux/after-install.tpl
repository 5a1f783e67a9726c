#!/bin/sh
set -e
home='/opt/${sanitizedProductName}'

# Chromium's sandbox uses user namespaces; where the kernel has none, its helper has to belong to root and be setuid.
if [ -f "$home/chrome-sandbox" ]; then
  if unshare --user true 2>/dev/null; then chmod 0755 "$home/chrome-sandbox"; else chmod 4755 "$home/chrome-sandbox"; fi
fi

# Ubuntu from 24.04 on gives user namespaces only to programs with a profile. An AppArmor that is too old to read it needs none.
if [ -d /etc/apparmor.d ] && apparmor_parser --skip-kernel-load --skip-cache "$home/resources/apparmor-profile" >/dev/null 2>&1; then
  cp "$home/resources/apparmor-profile" '/etc/apparmor.d/${executable}'
  apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' 2>/dev/null || true
fi

update-mime-database /usr/share/mime 2>/dev/null || true
update-desktop-database /usr/share/applications 2>/dev/null || true
gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor 2>/dev/null || true
