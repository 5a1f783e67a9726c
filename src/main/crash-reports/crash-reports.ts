import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStored } from '../../lib/json.ts';
import type { CrashReport, ReportSource } from '../../contract/desktop.ts';
import { Fault } from '../../lib/fault.ts';

export interface CrashReports {
  folder: string;
  /** Never throws: a report that cannot be written must not make things worse. */
  add(source: ReportSource, message: string, detail: Record<string, unknown>): void;
  /** Newest first. */
  list(): CrashReport[];
  /** The whole report, as text to hand on. */
  read(id: string): string;
  clear(): void;
}

export interface ReportsParts {
  folder: string;
  /** What every report says about the app: versions, platform. */
  about: Record<string, unknown>;
  now(): Date;
}

const MAX_REPORTS = 50;
const MAX_DUMPS = 10;
const MAX_CHARACTERS = 64_000;
/** An error that repeats itself must not fill the folder with one story. */
const SAME_AGAIN_MS = 60_000;
const ID = /^\d{8}T\d{9}Z-(app|window|page|helper|master)(-\d+)?\.json$/;

/** Reports of crashes and uncaught errors, on this machine alone: bounded in count and size, the oldest go first. */
export function createCrashReports({ folder, about, now }: ReportsParts): CrashReports {
  const told = new Map<string, number>();
  const ids = () => {
    try {
      return readdirSync(folder)
        .filter((name) => ID.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  };
  const one = (id: string): CrashReport | null => {
    try {
      const { at, source, message } = parseStored<CrashReport>(readFileSync(join(folder, id), 'utf8'));
      return { id, at, source, message };
    } catch {
      return null;
    }
  };
  pruneDumps(folder);
  return {
    folder,
    add(source, message, detail) {
      const at = now();
      const last = told.get(`${source} ${message}`);
      if (last !== undefined && at.getTime() - last < SAME_AGAIN_MS) return;
      if (told.size > MAX_REPORTS) told.clear();
      told.set(`${source} ${message}`, at.getTime());
      try {
        mkdirSync(folder, { recursive: true });
        const stem = `${at.toISOString().replaceAll(/[-:.]/g, '')}-${source}`;
        const taken = ids();
        let id = `${stem}.json`;
        for (let n = 2; taken.includes(id); n++) id = `${stem}-${n}.json`;
        const short = (text: unknown) => (typeof text === 'string' ? text.slice(0, MAX_CHARACTERS) : text);
        writeFileSync(
          join(folder, id),
          `${JSON.stringify({ at: at.toISOString(), source, message: message.slice(0, 2000), ...Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, short(value)])), ...about }, null, 2)}\n`,
          { mode: 0o600 },
        );
        for (const old of ids().slice(MAX_REPORTS)) rmSync(join(folder, old), { force: true });
      } catch {
        // The disk is full, or the folder is not ours.
      }
    },
    list: () =>
      ids()
        .map(one)
        .filter((report) => report !== null),
    read(id) {
      if (!ID.test(id)) throw new Fault('REPORT_NOT_FOUND', `report "${id}" not found`);
      try {
        return readFileSync(join(folder, id), 'utf8');
      } catch (error) {
        throw new Fault('REPORT_NOT_FOUND', `report "${id}" no longer exists`, { cause: error });
      }
    },
    clear() {
      told.clear();
      for (const id of ids()) rmSync(join(folder, id), { force: true });
      rmSync(dumpFolder(folder), { recursive: true, force: true });
    },
  };
}

/** Where the memory pictures of crashed processes go. */
export const dumpFolder = (folder: string): string => join(folder, 'dumps');

function pruneDumps(folder: string): void {
  try {
    const dumps = readdirSync(dumpFolder(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => join(dumpFolder(folder), name));
    const byAge = dumps.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { file } of byAge.slice(MAX_DUMPS)) rmSync(file, { force: true });
  } catch {
    // None yet.
  }
}
