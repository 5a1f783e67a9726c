import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread, type Session } from '../../offload/thread.ts';
import { searchLimits } from '../search/search.ts';
import type { RerunCount } from './rerun-queries.ts';
import type { ExportOf, TargetSnapshot } from './scan-queries.ts';
import type { ScanMethods, ScanThreadData } from './scan-thread.ts';
import type { BulkPurpose, ExportFormat, RerunChoice, Target } from './port.ts';

/** An idle thread is ended after this long: it costs memory, and few exports are made. */
const IDLE_MS = 30_000;

export interface Scan {
  countReruns(target: Target, choice: RerunChoice): Promise<RerunCount[]>;
  rerunCandidates(target: Target, choice: RerunChoice, most: number): Promise<number[]>;
  snapshotTargets(target: Target, purpose: BulkPurpose, most: number): Promise<TargetSnapshot>;
  /** Pieces of the text; the next is read while one is taken. Ending the loop early ends the work. */
  export(of: ExportOf, format: ExportFormat): AsyncGenerator<Uint8Array>;
  /** How many run. */
  readonly exports: number;
  close(): Promise<void>;
}

export interface ScanDeps {
  /** The master's database, and the index of its search. */
  readonly file: string;
  readonly searchFile: string;
  readonly limits: Readonly<Limits>;
  /** What no export shows. */
  secrets(): readonly NamedSecret[];
  /** Called before a filter is read. */
  prepare(filter: JobFilter): Promise<void>;
}

/** Reads whole sets of jobs in a thread, which is started when it is needed. */
export function openScan({ file, searchFile, limits, secrets, prepare }: ScanDeps, idleMs: number = IDLE_MS): Scan {
  const thread = createThread<ScanMethods>({
    file: threadFile(import.meta.url, './scan-thread.ts', 'scan-thread.js'),
    name: 'the bulk scan thread',
    data: () => ({ file, searchFile, limits: searchLimits(limits) }) satisfies ScanThreadData,
    idleMs,
  });
  let last = 0;
  let exports = 0;
  const prepared = async (target: Target): Promise<Target> => {
    if ('filter' in target) await prepare(target.filter);
    return target;
  };

  return {
    countReruns: async (target, choice) => thread.call('countReruns', await prepared(target), choice),
    rerunCandidates: async (target, choice, most) =>
      thread.call('rerunCandidates', await prepared(target), choice, most),
    snapshotTargets: async (target, purpose, most) =>
      thread.call('snapshotTargets', await prepared(target), purpose, most),
    async *export(of, format) {
      const id = ++last;
      exports++;
      let session: Session<ScanMethods> | null = null;
      try {
        if ('filter' in of) await prepare(of.filter);
        // An export may pause for as long as its reader does.
        session = thread.session();
        let ahead = session.call('export', id, of, format, secrets());
        for (let piece = await ahead; piece !== null; piece = await ahead) {
          ahead = session.call('next', id);
          // Where nobody waits for it any more, its failure is nobody's.
          ahead.catch(() => undefined);
          yield piece;
        }
      } finally {
        exports--;
        session?.call('drop', id).catch(() => {});
        session?.release();
      }
    },
    get exports() {
      return exports;
    },
    close: () => thread.close(),
  };
}
