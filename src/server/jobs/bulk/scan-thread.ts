import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { Fault } from '../../../lib/fault.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import { countReruns, rerunCandidates } from './rerun-queries.ts';
import { createSearch, type SearchLimits } from '../search/search.ts';
import { exportChunks, snapshotTargets, type ExportOf } from './scan-queries.ts';
import type { BulkPurpose, ExportFormat, RerunChoice, Target } from './port.ts';

/** A thread that reads whole sets of jobs: for exports, and for bulk operations. The master's own loop would be held. */
export interface ScanThreadData {
  file: string;
  searchFile: string;
  limits: SearchLimits;
}
const { file, searchFile, limits } = threadData<ScanThreadData>();
// Nothing is mapped: what is read once from end to end should not count as the master's memory.
const handle = openForReading(file, 8192, 0);
const { read } = handle;
// What is done to many jobs is done to all of them: every job that is not indexed yet is read.
const search = createSearch(handle, searchFile, { ...limits, searchScan: Number.MAX_SAFE_INTEGER - 1 });
const exports = new Map<number, Generator<string>>();
const encoder = new TextEncoder();

/** The next piece of an export's text; null: there is none. */
function next(id: number): Uint8Array<ArrayBuffer> | null {
  const pieces = exports.get(id);
  if (!pieces) throw new Fault('STORE_UNAVAILABLE', 'the export was interrupted; start it again');
  try {
    const { value, done } = pieces.next();
    if (!done) return encoder.encode(value);
    exports.delete(id);
    return null;
  } catch (error) {
    exports.delete(id);
    throw error;
  }
}

const methods = {
  countReruns: (target: Target, choice: RerunChoice) => countReruns(read, search, target, choice),
  rerunCandidates: (target: Target, choice: RerunChoice, most: number) =>
    rerunCandidates(read, search, target, choice, most),
  snapshotTargets: (target: Target, purpose: BulkPurpose, most: number) =>
    snapshotTargets(read, search, target, purpose, most),
  /** Begins an export, with its first piece. */
  export(id: number, of: ExportOf, format: ExportFormat, secrets: readonly NamedSecret[]) {
    exports.set(id, exportChunks(read, search, of, format, createRedactor(secrets, MIN_REDACTED_CHARACTERS)));
    return next(id);
  },
  next,
  drop: (id: number) => void exports.delete(id),
};
export type ScanMethods = typeof methods;
serveThread(methods);
