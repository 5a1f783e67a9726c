import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './processes.mjs';
import { Problem } from './problem.mjs';

/** What Electron's runtime loads, by Debian's names; a later Debian calls two of them otherwise. */
const NEEDS = ['libgtk-3-0 | libgtk-3-0t64', 'libnss3', 'libasound2 | libasound2t64', 'libgbm1', 'libxss1', 'libatk-bridge2.0-0 | libatk-bridge2.0-0t64', 'libdrm2', 'libsecret-1-0', 'xdg-utils'];
const HOME = '/opt/Yardmaster';

/**
 * A .deb of the unpacked app, by Debian's own dpkg-deb: electron-builder's way needs a Ruby program that it fetches from
 * GitHub. Returns the path of the package.
 */
export async function makeDeb(unpacked, stage, packages, { version, architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch] }) {
  const work = join(dirname(stage), 'deb');
  rmSync(work, { recursive: true, force: true });
  const put = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
    chmodSync(join(work, path), mode);
  };
  mkdirSync(join(work, HOME), { recursive: true });
  cpSync(unpacked, join(work, HOME), { recursive: true, verbatimSymlinks: true });
  // electron-updater sees by it how this app was installed.
  put(`${HOME}/resources/package-type`, 'deb');
  for (const size of readdirSync(join(stage, 'icons'))) {
    const folder = size.replace('.png', '');
    if (folder !== '1024x1024') put(`/usr/share/icons/hicolor/${folder}/apps/yardmaster.png`, readFileSync(join(stage, 'icons', size)));
  }
  put('/usr/share/applications/yardmaster.desktop', desktopEntry);
  put('/usr/share/mime/packages/yardmaster.xml', mimeTypes);
  put('/usr/share/doc/yardmaster/copyright', readFileSync(join(stage, 'server', 'LICENSE')));
  mkdirSync(join(work, 'usr/bin'), { recursive: true });
  symlinkSync(`${HOME}/yardmaster`, join(work, 'usr/bin/yardmaster-desktop'));
  symlinkSync(`${HOME}/resources/bin/yardmaster`, join(work, 'usr/bin/yardmaster'));
  open(work);
  put('/DEBIAN/control', control(version, architecture, Math.ceil(sizeOf(work) / 1024)));
  put('/DEBIAN/postinst', afterInstall, 0o755);
  put('/DEBIAN/postrm', afterRemove, 0o755);
  const file = join(packages, `Yardmaster-${version}-linux-${architecture}.deb`);
  const { code, output } = await run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', work, file]);
  if (code !== 0) throw new Problem('The .deb could not be built.', code === 127 ? 'dpkg-deb is missing (Debian: apt-get install dpkg).' : output.trim());
  rmSync(work, { recursive: true, force: true });
  return file;
}

const control = (version, architecture, kilobytes) => `Package: yardmaster
Version: ${version}
Architecture: ${architecture}
Maintainer: Yardmaster maintainers <maintainers@yardmaster.invalid>
Installed-Size: ${kilobytes}
Depends: ${NEEDS.join(', ')}
Recommends: libnotify4, libayatana-appindicator3-1 | libappindicator3-1
Section: devel
Priority: optional
Description: Operations console for workflow jobs
 The desktop app with its job master, workers, command line and documentation.
 It brings the Node.js that it runs on.
`;

const desktopEntry = `[Desktop Entry]
Type=Application
Name=Yardmaster
Comment=Operations console for workflow jobs
Exec=${HOME}/yardmaster %U
Icon=yardmaster
Terminal=false
Categories=Development;
Keywords=workflow;jobs;monitoring;
StartupWMClass=yardmaster
MimeType=x-scheme-handler/yardmaster;application/x-yardmaster-incident;application/x-yardmaster-workflow;
`;

const mimeTypes = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-yardmaster-incident">
    <comment>Yardmaster incident</comment>
    <glob pattern="*.yardmaster-incident"/>
  </mime-type>
  <mime-type type="application/x-yardmaster-workflow">
    <comment>Yardmaster workflow</comment>
    <sub-class-of type="application/json"/>
    <glob pattern="*.workflow.json" weight="80"/>
  </mime-type>
</mime-info>
`;

/** Chromium's sandbox uses user namespaces; where the system forbids them, its helper has to belong to root and be setuid. */
const afterInstall = `#!/bin/sh
set -e
if [ -f ${HOME}/chrome-sandbox ]; then
  if unshare --user true 2>/dev/null; then chmod 0755 ${HOME}/chrome-sandbox; else chmod 4755 ${HOME}/chrome-sandbox; fi
fi
update-mime-database /usr/share/mime 2>/dev/null || true
update-desktop-database /usr/share/applications 2>/dev/null || true
`;
const afterRemove = `#!/bin/sh
set -e
update-mime-database /usr/share/mime 2>/dev/null || true
update-desktop-database /usr/share/applications 2>/dev/null || true
`;

/** Everyone may read what is installed, whatever the builder's umask. */
function open(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) continue;
    chmodSync(path, stat.isDirectory() || stat.mode & 0o111 ? 0o755 : 0o644);
    if (stat.isDirectory()) open(path);
  }
}

function sizeOf(folder) {
  return readdirSync(folder).reduce((sum, name) => {
    const stat = lstatSync(join(folder, name));
    return sum + (stat.isDirectory() ? sizeOf(join(folder, name)) : stat.size);
  }, 0);
}
