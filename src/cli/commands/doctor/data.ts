import { setTimeout as delay } from 'node:timers/promises';
import type { DataHealth } from '../../../contract/data-health.ts';
import type { MasterApi } from '../../api-client.ts';
import { loadEntry, type ProcessIo } from '../../process-io.ts';
import { failed, passed, type Check } from './check.ts';

/** What the build's entry of the master offers for this. */
interface Entry {
  verifyLocal(folder: string, deep: boolean): Promise<{ damages: { file: string; what: string }[]; bytes: number }>;
}

const REMEDY =
  'check the disk, stop the master, and run `yardmaster repair --from BACKUP`: it restores what it can and lists what it cannot';
const LOOK_MS = 250;
const SHOWN = 10;

/** Damage that a running master knows; with `deep` it reads every byte first. */
export async function checkRunningData(api: MasterApi, deep: boolean): Promise<Check> {
  let health = deep ? await api.call('data.check') : await api.call('data.health');
  if (deep) {
    const asked = Date.now();
    const before = new Map(health.checks.map((one) => [`${one.part} ${one.startedAt}`, one]));
    do {
      await delay(LOOK_MS);
      health = await api.call('data.health');
    } while (!isRead(health, before) && Date.now() - asked < DEEP_MS);
  }
  const ended = health.checks.flatMap(({ finishedAt }) => finishedAt ?? []).sort();
  if (!health.sound) return damaged(health.damages);
  return passed(
    'data',
    ended.length === 0 ? 'no damage is known; not all data was read yet' : `sound, last read whole ${ended[0]}`,
  );
}

/** A whole check may take long; beyond this nobody waits. */
const DEEP_MS = 24 * 3600 * 1000;

/** True once each part was read whole since it was asked for. */
function isRead({ checks }: DataHealth, before: ReadonlyMap<string, unknown>): boolean {
  const parts = new Set(checks.map(({ part }) => part));
  return (
    parts.size > 0 &&
    checks.every(({ finishedAt }) => finishedAt !== null) &&
    [...parts].every((part) => checks.some((one) => one.part === part && !before.has(`${part} ${one.startedAt}`)))
  );
}

/** Reads the database of a data folder that no master uses, and with `deep` every byte of all else. */
export async function checkStoppedData(folder: string, io: ProcessIo, deep: boolean): Promise<Check> {
  const { damages, bytes } = await (await loadEntry<Entry>(io, './data-folder.js')).verifyLocal(folder, deep);
  if (damages.length > 0) return damaged(damages);
  const size = `${Math.ceil(bytes / 1024)} KiB`;
  // Files of metrics are looked at by SQLite alone while no master has them open (`checkStores`).
  return passed(
    'data',
    deep
      ? `database, logs and queued log lines read whole and sound, ${size}; start the master to have it read the metrics`
      : `the database is sound, ${size}`,
  );
}

function damaged(damages: readonly { file: string; what: string }[]): Check {
  const shown = damages.slice(0, SHOWN).map(({ file, what }) => `${file}: ${what}`);
  const more = damages.length - shown.length;
  return failed('data', `damaged: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, REMEDY);
}
