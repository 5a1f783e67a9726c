import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { JobFilter } from '../../../contract/jobs.ts';
import { REDACTED_LEAST } from '../../../contract/secret-names.ts';
import { Fault } from '../../../lib/fault.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import type { Rule } from './eligible.ts';
import { countReruns, rerunCandidates } from './rerun-queries.ts';
import { createSearch, type SearchLimits } from '../search/search.ts';
import { exportPieces, freeze, survey } from './scan-queries.ts';
import type { ExportFormat, RerunChoice, Target } from './port.ts';

/** A thread that reads whole sets of jobs: for exports, and for bulk operations. The master's own loop would be held. */
export type ScanRequest =
  | { readonly what: 'survey'; readonly target: Target; readonly rule: Rule }
  | { readonly what: 'countReruns'; readonly target: Target; readonly choice: RerunChoice }
  | { readonly what: 'rerunCandidates'; readonly target: Target; readonly choice: RerunChoice; readonly most: number }
  | { readonly what: 'freeze'; readonly filter: JobFilter; readonly most: number }
  | {
      readonly what: 'export';
      readonly filter: JobFilter;
      readonly format: ExportFormat;
      readonly secrets: readonly NamedSecret[];
    };

/** Begins (with a request), goes on, or is dropped. */
export interface ScanCall {
  readonly id: number;
  readonly request: ScanRequest | null;
  readonly drop: boolean;
}

export type ScanReply =
  | { readonly id: number; readonly value: unknown; readonly done: boolean }
  | { readonly id: number; readonly fault: { code: string; detail: string; errors: Fault['errors'] } };

const port = parentPort as MessagePort;
export interface ScanThreadData {
  file: string;
  searchFile: string;
  limits: SearchLimits;
}
const { file, searchFile, limits } = workerData as ScanThreadData;
// Nothing is mapped: what is read once from end to end should not count as the master's memory.
const handle = openForReading(file, 8192, 0);
const { read } = handle;
// What is done to many jobs is done to all of them: every job that is not indexed yet is read.
const search = createSearch(handle, searchFile, { ...limits, searchScan: Number.MAX_SAFE_INTEGER - 1 });
const exports = new Map<number, Generator<string>>();
const encoder = new TextEncoder();

function once(request: Exclude<ScanRequest, { what: 'export' }>): unknown {
  switch (request.what) {
    case 'survey':
      return survey(read, search, request.target, request.rule);
    case 'countReruns':
      return countReruns(read, search, request.target, request.choice);
    case 'rerunCandidates':
      return rerunCandidates(read, search, request.target, request.choice, request.most);
    default:
      return freeze(read, search, request.filter, request.most);
  }
}

port.on('message', ({ id, request, drop }: ScanCall) => {
  if (drop) return void exports.delete(id);
  try {
    if (request && request.what !== 'export')
      return port.postMessage({ id, value: once(request), done: true } satisfies ScanReply);
    if (request)
      exports.set(
        id,
        exportPieces(read, search, request.filter, request.format, createRedactor(request.secrets, REDACTED_LEAST)),
      );
    const pieces = exports.get(id);
    if (!pieces) throw new Fault('STORE_UNAVAILABLE', 'the export was interrupted; begin it again');
    const { value, done = false } = pieces.next();
    if (done) exports.delete(id);
    const bytes = done ? undefined : encoder.encode(value as string);
    port.postMessage({ id, value: bytes, done } satisfies ScanReply, bytes ? [bytes.buffer as ArrayBuffer] : []);
  } catch (error) {
    exports.delete(id);
    const { code = 'INTERNAL', message, errors } = error as Fault;
    port.postMessage({ id, fault: { code, detail: message, errors } } satisfies ScanReply);
  }
});
