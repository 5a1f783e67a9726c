import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DATA_PARTS, type DataCheck, type DataPart } from '../../contract/data-health.ts';
import type { Limits } from '../../contract/limits.ts';
import { every, iso, isoOrNull } from '../../lib/clock.ts';
import { errorMessage } from '../../lib/errors.ts';
import { parseStored } from '../../lib/json.ts';
import type { DataChecks, Verify } from './port.ts';

export interface DataChecksDeps {
  /** What reads a part whole; parts that have none are not checked. */
  readonly parts: Partial<Readonly<Record<DataPart, Verify>>>;
  /** Keeps when each part was last read, and how far a check under way has come. */
  readonly file: string;
  readonly limits: Pick<Limits, 'dataCheckDays' | 'dataCheckBytesPerSecond'>;
  now(): number;
  log(line: string): void;
  onError(error: unknown): void;
  /** How often it is looked whether a part is due. */
  readonly lookMs?: number;
}

/** Times in Unix ms. */
interface Kept {
  startedAt: number;
  finishedAt: number;
  bytes: number;
  damages: number;
}
interface State {
  /** Unix ms; since when there is this part, as far as is known here. */
  since?: number;
  last?: Kept;
  running?: { startedAt: number; from: string | null };
}

const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;
/** What was never read is due so long after it was first seen: whoever begins, or moves, has other work for the disk. */
const FIRST_MS = 3_600_000;
/** A check under way is noted so often, so that it goes on from there after a restart. */
const NOTE_MS = 2000;

/** Reads all data once in some days, one part after another and slowly, and at once where somebody asks. */
export function createDataChecks({
  parts,
  file,
  limits,
  now,
  log,
  onError,
  lookMs = LOOK_MS,
}: DataChecksDeps): DataChecks {
  const states = remembered(file);
  const asked = new Set<DataPart>();
  const closing = new AbortController();
  let hurry = new AbortController();
  let working: Promise<void> | null = null;
  let notedAt = Number.NEGATIVE_INFINITY;

  const stateOf = (part: DataPart): State => (states[part] ??= {});

  function save(): void {
    try {
      writeFileSync(`${file}.tmp`, JSON.stringify(states), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    } catch (error) {
      log(
        `${file} cannot be written, so a restart forgets how far the check of the data has come: ${errorMessage(error)}`,
      );
    }
  }

  const isDue = (part: DataPart): boolean => {
    const { since = now(), last, running } = stateOf(part);
    const dueAt = last ? last.finishedAt + limits.dataCheckDays * DAY_MS : since + FIRST_MS;
    return asked.has(part) || (limits.dataCheckDays > 0 && (running !== undefined || now() >= dueAt));
  };

  /** So that a master which is never long at work comes to it, too. */
  function noteNewParts(): void {
    const added = DATA_PARTS.filter((part) => parts[part] && Object.keys(stateOf(part)).length === 0);
    for (const part of added) stateOf(part).since = now();
    if (added.length > 0) save();
  }

  async function check(part: DataPart, verify: Verify): Promise<void> {
    const state = stateOf(part);
    const isAsked = asked.delete(part);
    // Whoever asks wants all of it to be read from now on.
    const running = (state.running = isAsked || !state.running ? { startedAt: now(), from: null } : state.running);
    save();
    const signal = isAsked ? closing.signal : AbortSignal.any([closing.signal, hurry.signal]);
    try {
      const { bytes, damages } = await verify({
        bytesPerSecond: isAsked ? 0 : limits.dataCheckBytesPerSecond,
        signal,
        resume: {
          from: running.from,
          save(from) {
            running.from = from;
            if (performance.now() - notedAt < NOTE_MS) return;
            notedAt = performance.now();
            save();
          },
        },
      });
      state.last = { startedAt: running.startedAt, finishedAt: now(), bytes, damages: damages.length };
      delete state.running;
      save();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function work(): Promise<void> {
    noteNewParts();
    for (const part of DATA_PARTS) {
      const verify = parts[part];
      if (verify && isDue(part) && !closing.signal.aborted) await check(part, verify);
    }
  }

  /** One at a time. */
  const look = (): Promise<void> => (working ??= work().finally(() => (working = null)));
  const stop = every(lookMs, look, onError);

  return {
    list: () =>
      DATA_PARTS.flatMap((part) => {
        const { last, running } = stateOf(part);
        return [
          ...(last ? [viewOf(part, last)] : []),
          ...(running ? [viewOf(part, { ...running, finishedAt: null, bytes: 0, damages: 0 })] : []),
        ];
      }),
    start() {
      for (const part of DATA_PARTS) if (parts[part]) asked.add(part);
      hurry.abort();
      hurry = new AbortController();
      void (working ?? Promise.resolve()).then(look).catch(onError);
    },
    async close() {
      closing.abort();
      await stop();
      await working?.catch(() => {});
      save();
    },
  };
}

const viewOf = (
  part: DataPart,
  { startedAt, finishedAt, bytes, damages }: Omit<Kept, 'finishedAt'> & { finishedAt: number | null },
): DataCheck => ({ part, startedAt: iso(startedAt), finishedAt: isoOrNull(finishedAt), bytes, damages });

function remembered(file: string): Partial<Record<DataPart, State>> {
  try {
    return parseStored<Partial<Record<DataPart, State>>>(readFileSync(file, 'utf8'));
  } catch {
    // There is none yet, or it cannot be read: all is due.
    return {};
  }
}
