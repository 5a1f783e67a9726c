/**
 * Packages of the desktop app. Its folder is made by scripts/package.mjs: app/ goes into the archive, server/ and node/ lie
 * beside it, since plain Node cannot read an archive (docs/packaging.md).
 */
module.exports = {
  appId: 'io.yardmaster.desktop',
  productName: 'Yardmaster',
  copyright: 'MIT licence',
  directories: { app: 'app', output: '../packages', buildResources: '.' },
  // eslint-disable-next-line no-template-curly-in-string -- electron-builder fills it.
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  compression: 'normal',
  asar: true,
  npmRebuild: false,
  nodeGypRebuild: false,
  buildDependenciesFromSource: false,
  files: ['**/*'],
  extraResources: [
    { from: 'app-update.yml', to: 'app-update.yml' },
    { from: 'bin', to: 'bin' },
  ],
  afterPack: './after-pack.cjs',

  // The app never runs as plain Node, takes no debugger, and loads nothing but its archive, whose sums are checked where the
  // system can (macOS, Windows).
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // A Mac with Apple's processor runs nothing whose signature a changed fuse has broken; a real signature comes after it.
    resetAdHocDarwinSignature: true,
  },

  protocols: [{ name: 'Yardmaster link', schemes: ['yardmaster'] }],
  fileAssociations: [
    {
      ext: 'yardmaster-incident',
      name: 'Yardmaster incident',
      description: 'A run of a workflow with all that is known of it',
      role: 'Viewer',
    },
  ],

  linux: {
    executableName: 'yardmaster',
    // The name of the desktop file is that of `desktopName` in the package, by which its windows and notes are known.
    syncDesktopName: true,
    icon: 'icons',
    category: 'Development',
    synopsis: 'Operations console for workflow jobs',
    description: 'Find, understand and mend failures of workflow jobs; with its job master, workers and Node.js',
    target: ['deb', 'AppImage'],
    // Their file names are told in linux/mime.xml: `.workflow.json` is a kind of its own on Linux; macOS and Windows know only
    // what follows the last dot.
    mimeTypes: ['application/x-yardmaster-incident', 'application/x-yardmaster-workflow'],
    desktop: {
      entry: {
        Name: 'Yardmaster',
        GenericName: 'Operations console',
        Keywords: 'workflow;jobs;monitoring;',
        StartupNotify: 'true',
      },
    },
  },
  deb: {
    packageCategory: 'devel',
    priority: 'optional',
    compression: 'gz',
    // What Electron's runtime loads, by Debian's names; a later Debian calls some of them otherwise.
    depends: [
      'libgtk-3-0 | libgtk-3-0t64',
      'libnss3',
      'libasound2 | libasound2t64',
      'libgbm1',
      'libxss1',
      'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
      'libdrm2',
      'libsecret-1-0',
      'xdg-utils',
    ],
    recommends: ['libnotify4', 'libayatana-appindicator3-1 | libappindicator3-1'],
    afterInstall: 'linux/after-install.tpl',
    afterRemove: 'linux/after-remove.tpl',
    // Files beside the app; electron-updater sees by package-type how it was installed.
    fpm: [
      'linux/package-type=/opt/Yardmaster/resources/package-type',
      'linux/mime.xml=/usr/share/mime/packages/yardmaster.xml',
      'linux/bin/=/usr/bin',
      'server/LICENSE=/usr/share/doc/yardmaster/copyright',
    ],
  },
  // The runtime that needs no libfuse of the system.
  toolsets: { appimage: '1.0.3' },

  mac: {
    category: 'public.app-category.developer-tools',
    icon: 'icon.icns',
    target: ['dmg', 'zip'],
    hardenedRuntime: true,
    gatekeeperAssess: false,
    // The Node that it brings compiles code as it runs.
    entitlements: 'entitlements.plist',
    entitlementsInherit: 'entitlements.plist',
  },

  win: {
    icon: 'icon.ico',
    target: ['nsis'],
    ...(process.env.YARDMASTER_WINDOWS_PUBLISHER
      ? { signtoolOptions: { publisherName: [process.env.YARDMASTER_WINDOWS_PUBLISHER] } }
      : {}),
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },

  publish: null,
};
