import type { Updater } from './updates.ts';

/** electron-updater, loaded when a feed is there. It verifies what it downloads by the sum in the feed, and on Windows and macOS by the signature. */
export async function electronUpdater(forceDevelopment: boolean): Promise<Updater> {
  const loaded = await import('electron-updater');
  // A CommonJS package: its names are members of the default export under some loaders.
  const { autoUpdater } = 'autoUpdater' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.logger = null;
  autoUpdater.forceDevUpdateConfig = forceDevelopment;
  // Every failure also rejects the call that it belongs to; unheard, this event would be an uncaught error.
  autoUpdater.on('error', () => undefined);
  return {
    setFeed: (url) => autoUpdater.setFeedURL({ provider: 'generic', url }),
    async check() {
      const result = await autoUpdater.checkForUpdates();
      return result?.isUpdateAvailable ? result.updateInfo.version : null;
    },
    async download(progress) {
      const hear = ({ percent }: { percent: number }) => progress(percent);
      autoUpdater.on('download-progress', hear);
      try {
        await autoUpdater.downloadUpdate();
      } finally {
        autoUpdater.off('download-progress', hear);
      }
    },
    install: () => autoUpdater.quitAndInstall(false, true),
  };
}
