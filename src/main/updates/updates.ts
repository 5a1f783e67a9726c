import type { UpdateStatus } from '../../contract/desktop.ts';
import { Fault } from '../../lib/fault.ts';

/** What this app uses of electron-updater. */
export interface Updater {
  setFeed(url: string): void;
  /** The newer version, or null. */
  check(): Promise<string | null>;
  download(progress: (percent: number) => void): Promise<void>;
  /** Ends the app and starts the new one. */
  install(): void;
}

export interface UpdatesParts {
  /** Made on first use. */
  updater(): Promise<Updater>;
  fromEnvironment: string | undefined;
  now(): Date;
}

export interface Updates {
  status(): UpdateStatus;
  /** Takes the feed of the preferences; null: none. */
  use(feed: string | null): void;
  check(): Promise<UpdateStatus>;
  download(): Promise<UpdateStatus>;
  install(): void;
  onChange(listener: (status: UpdateStatus) => void): void;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address of a feed in its plain form. A program comes from there: https, or http on this machine. Throws `Fault` FEED_INVALID. */
export function parseFeed(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new Fault(
      'FEED_INVALID',
      `expected the URL of an update folder such as https://downloads.example.com/yardmaster, got "${text}"`,
    );
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new Fault('FEED_INVALID', `updates over http:// from ${url.host} could be tampered with: use https://`);
  if (url.username || url.password || url.search || url.hash)
    throw new Fault('FEED_INVALID', 'the feed URL must not contain a user name, password, query or fragment');
  return url.href.replace(/\/+$/, '');
}

/** off → idle → checking → current | available → downloading → ready; what fails says why, and can be tried again. */
export function createUpdates({ updater, fromEnvironment, now }: UpdatesParts): Updates {
  const listeners: ((status: UpdateStatus) => void)[] = [];
  let status: UpdateStatus = {
    state: 'off',
    feed: null,
    feedFromEnvironment: false,
    version: null,
    percent: null,
    message: null,
    checkedAt: null,
  };
  const set = (change: Partial<UpdateStatus>): UpdateStatus => {
    status = { ...status, ...change };
    for (const listener of listeners) listener(status);
    return status;
  };
  const failed = (what: string, error: unknown) =>
    set({ state: 'failed', percent: null, message: `${what}: ${words(error)}` });

  return {
    status: () => status,
    use(preferred) {
      const environment = fromEnvironment !== undefined && fromEnvironment !== '';
      let feed: string | null = null;
      try {
        const named = environment ? fromEnvironment : preferred;
        feed = named === null || named === undefined ? null : parseFeed(named);
      } catch (error) {
        set({ state: 'failed', feed: null, feedFromEnvironment: environment, message: words(error) });
        return;
      }
      if (feed === status.feed && status.state !== 'failed' && status.feedFromEnvironment === environment) return;
      set({
        state: feed === null ? 'off' : 'idle',
        feed,
        feedFromEnvironment: environment,
        version: null,
        percent: null,
        message: null,
      });
    },
    async check() {
      if (status.feed === null || ['checking', 'downloading', 'ready'].includes(status.state)) return status;
      const { feed } = status;
      set({ state: 'checking', message: null });
      try {
        const own = await updater();
        own.setFeed(feed);
        const version = await own.check();
        if (status.feed !== feed) return status;
        return set({ state: version === null ? 'current' : 'available', version, checkedAt: now().toISOString() });
      } catch (error) {
        return status.feed === feed ? failed(`could not check ${feed} for updates`, error) : status;
      }
    },
    async download() {
      if (status.state !== 'available') throw new Fault('NO_UPDATE', 'no update to download: check for updates first');
      set({ state: 'downloading', percent: 0, message: null });
      try {
        await (
          await updater()
        ).download(
          (percent) =>
            status.state === 'downloading' &&
            Math.floor(percent) !== status.percent &&
            set({ percent: Math.floor(percent) }),
        );
        return set({ state: 'ready', percent: null });
      } catch (error) {
        return failed('could not download the update', error);
      }
    },
    install() {
      if (status.state !== 'ready') throw new Fault('NO_UPDATE', 'no update is downloaded');
      void updater()
        .then((own) => own.install())
        .catch((error: unknown) => failed('could not install the update', error));
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The first line says it; the rest is headers and stacks. */
const words = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';
