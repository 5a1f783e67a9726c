const { cpSync } = require('node:fs');
const { join } = require('node:path');

/** Puts the server and the Node that runs it beside the archive: before fuses are set and the app is signed, so that they are signed with it. */
exports.default = async function afterPack({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  for (const part of ['server', 'node'])
    cpSync(join(packager.projectDir, part), join(resources, part), { recursive: true, verbatimSymlinks: true });
};
