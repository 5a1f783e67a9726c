import type { DesktopPreferences, DesktopNotification } from '../../contract/desktop.ts';
import { t } from '../../lib/language.ts';
import type { Updates } from './updates.ts';

const FIRST_MS = 15_000;
const DAY_MS = 86_400_000;

/** Looks for updates soon after the start and once a day, where the user wants that, and tells of a new version once. */
export function scheduleUpdateChecks(
  updates: Updates,
  preferences: () => DesktopPreferences,
  notify: (notice: DesktopNotification) => void,
): void {
  let notifiedVersion: string | null = null;
  const check = async () => {
    if (!preferences().updateCheck) return;
    const { state, version } = await updates.check();
    if (state !== 'available' || version === notifiedVersion) return;
    notifiedVersion = version;
    notify({
      title: t('Yardmaster {version} is available', { version: version ?? '' }),
      message: t('Download it in Settings, Desktop.'),
      failed: false,
    });
  };
  setTimeout(() => void check(), FIRST_MS).unref();
  setInterval(() => void check(), DAY_MS).unref();
}
