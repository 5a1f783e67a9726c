import type { Settings } from '../../../../contract/settings.ts';

const GIB = 1024 ** 3;
const STEP = 256 * 1024 ** 2;

/** Settings that say how long something is kept. */
const DAYS = ['jobRetentionDays', 'logRetentionDays', 'metricsRetentionDays', 'metricsRollupRetentionDays'] as const;
/** Shares of the free disk that a store may take. */
const SHARES = { logStoreBytes: 0.25, metricsStoreBytes: 0.125 } as const;
const BYTES = ['logStoreBytes', 'metricsStoreBytes'] as const;
export type RetentionName = (typeof DAYS)[number] | (typeof BYTES)[number];
/** Days and bytes, by the names of the settings. */
export type Retention = Readonly<Partial<Record<RetentionName, number>>>;

/** Days for jobs, log lines, metrics and their roll-ups, by the free disk. */
const BY_FREE_DISK: readonly (readonly [below: number, ...days: readonly [number, number, number, number]])[] = [
  [10 * GIB, 7, 3, 7, 30],
  [50 * GIB, 30, 14, 30, 180],
  [500 * GIB, 90, 30, 90, 365],
  [Infinity, 180, 60, 180, 730],
];

/**
 * What is worth to be set where nothing was ever decided about retention, by the free disk; null: somebody has decided (by a
 * setting, also one to keep everything, or by an option of the master), or the master does not tell its disk. Stores
 * elsewhere have a retention of their own.
 */
export function proposeRetention({ disk, settings, logs, metrics }: Settings): Retention | null {
  const byName = new Map(settings.map((setting) => [setting.name, setting]));
  const isUndecided = (name: string) => {
    const setting = byName.get(name);
    return setting?.override === null && setting.default === 0;
  };
  if (disk === undefined || ![...DAYS, 'jobRetentionCount'].every(isUndecided)) return null;
  const [, ...days] = BY_FREE_DISK.find(([below]) => disk.freeBytes < below) ?? [0, 0, 0, 0, 0];
  const isElsewhere = (name: string) =>
    (name.startsWith('log') && logs.kind !== 'embedded') || (name.startsWith('metrics') && metrics.kind !== 'embedded');
  const sizes = BYTES.flatMap((name) => {
    const most = Math.max(STEP, Math.floor((disk.freeBytes * SHARES[name]) / STEP) * STEP);
    const setting = byName.get(name);
    // A little less than there is already is not worth a question.
    return setting?.override === null && Number(setting.value) > most * 1.5 ? [[name, most] as const] : [];
  });
  return Object.fromEntries(
    [...DAYS.map((name, i) => [name, days[i] ?? 0] as const), ...sizes].filter(([name]) => !isElsewhere(name)),
  );
}

/** The same settings, as they say that everything is kept: a decision as well. */
export const keepEverything = (): Retention => Object.fromEntries(DAYS.map((name) => [name, 0]));
