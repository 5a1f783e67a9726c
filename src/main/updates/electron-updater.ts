import type { OutgoingHttpHeaders } from 'node:http';
import type { CancellationToken } from 'electron-updater';
import { verifyFeed } from './signature.ts';
import type { Updater } from './updates.ts';

/**
 * electron-updater, loaded when a feed is there. The feed is verified by its signature with `publicKey` (PEM; null: none was built
 * in, and nothing is taken), a download by the sum in the feed, and on Windows and macOS by its own signature as well.
 */
export async function electronUpdater(publicKey: string | null, forceDevelopment: boolean): Promise<Updater> {
  if (publicKey === null)
    throw new Error(
      'this build has no key to verify updates with: install a package that was made with `npm run package`',
    );
  const loaded = await import('electron-updater');
  const providers = await import('electron-updater/out/providers/GenericProvider.js');
  const { GenericProvider } =
    'GenericProvider' in providers ? providers : (providers as { default: typeof providers }).default;

  /** A folder whose feed is signed. */
  class SignedProvider extends GenericProvider {
    protected override async httpRequest(
      url: URL,
      headers?: OutgoingHttpHeaders | null,
      token?: CancellationToken,
    ): Promise<string | null> {
      const feed = await super.httpRequest(url, headers, token);
      const name = url.pathname.split('/').at(-1) ?? '';
      const signature = new URL(url);
      signature.pathname += '.sig';
      verifyFeed(
        name,
        feed ?? '',
        await super.httpRequest(signature, headers, token).catch(unlessThere),
        publicKey ?? '',
      );
      return feed;
    }
  }
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
    setFeed: (url) => autoUpdater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider as never, url }),
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

/** Null where the server says that there is no such file. */
function unlessThere(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null;
  throw error;
}
