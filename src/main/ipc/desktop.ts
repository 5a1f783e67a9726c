import { shell } from 'electron';
import { mkdirSync } from 'node:fs';
import type { DesktopState } from '../../contract/desktop.ts';
import { Fault } from '../../lib/fault.ts';
import { t } from '../../lib/language.ts';
import type { PendingItems } from '../links/opened-file.ts';
import type { LoginItem } from '../preferences/login-item.ts';
import type { PreferencesStore } from '../preferences/preferences.ts';
import type { CrashReports } from '../crash-reports/crash-reports.ts';
import { parseFeed, type Updates } from '../updates/updates.ts';
import type { Confirm } from '../window/confirm-dialog.ts';
import type { HandlersOf } from './register.ts';

export interface DesktopDeps {
  preferences: PreferencesStore;
  loginItem: LoginItem;
  notesSupported(): boolean;
  pending: PendingItems;
  chooseFile(): Promise<void>;
  updates: Updates;
  reports: CrashReports;
  confirm: Confirm;
}

export function desktopHandlers({
  preferences,
  loginItem,
  notesSupported,
  pending,
  chooseFile,
  updates,
  reports,
  confirm,
}: DesktopDeps): HandlersOf<'desktop' | 'updates' | 'reports'> {
  const state = (): DesktopState => ({
    preferences: preferences.get(),
    notesSupported: notesSupported(),
    loginItemFault: loginItem.fault(),
  });
  /** What comes from there is run as a program: that is for the person to decide, and not for a page that was taken over. */
  const agreed = async (feed: string) => {
    const asked = {
      question: t('Use updates from {feed}?', { feed }),
      detail: t('Anyone who can write to this feed can run programs on this machine. Use only feeds you trust.'),
      keep: t("Don't use it"),
      allow: t('Use this feed'),
    };
    if (!(await confirm(asked))) throw new Fault('FEED_REFUSED', `the update feed ${feed} is not used: not confirmed`);
  };
  return {
    'desktop:state': state,
    'desktop:prefer': async ({ updateFeed, ...change }) => {
      if (change.startAtLogin && loginItem.fault() !== null)
        throw new Fault('LOGIN_ITEM_REFUSED', loginItem.fault() ?? '');
      const feed = typeof updateFeed === 'string' ? parseFeed(updateFeed) : updateFeed;
      if (typeof feed === 'string' && feed !== preferences.get().updateFeed) await agreed(feed);
      preferences.set({ ...change, ...(feed === undefined ? {} : { updateFeed: feed }) });
      return state();
    },
    'desktop:take': () => pending.takeAll(),
    'desktop:open-file': async () => {
      await chooseFile();
      return null;
    },
    'updates:status': () => updates.status(),
    'updates:check': () => updates.check(),
    'updates:download': () => updates.download(),
    'updates:install': () => {
      updates.install();
      return null;
    },
    'reports:list': () => reports.list(),
    'reports:read': ({ id }) => reports.read(id),
    'reports:clear': () => {
      reports.clear();
      return null;
    },
    'reports:show': async () => {
      mkdirSync(reports.folder, { recursive: true });
      const fault = await shell.openPath(reports.folder);
      if (fault) throw new Fault('FOLDER_NOT_OPENED', `could not open ${reports.folder}: ${fault}`);
      return null;
    },
    'reports:add': ({ message, stack, path }) => {
      reports.add('page', message, { stack, path });
      return null;
    },
  };
}
