import { statSync } from 'node:fs';
import type { Limits } from '../../../contract/limits.ts';
import { lowerThreadPriority } from '../../../lib/lower-thread-priority.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { SearchStats } from './port.ts';
import { openForReading } from '../../store/sqlite/handle.ts';
import { openIndex } from './index-file.ts';
import { createIndexer } from './indexer.ts';

/** The thread that indexes jobs for the search, behind the master and at its leisure. */
export interface IndexThreadData {
  file: string;
  searchFile: string;
  limits: Limits;
}

const LOOK_MS = 500;
/** How long one step works: a long one would keep the log of the database from being started anew. */
const STEP_MS = 40;
/** While more jobs a second come than this, the index works only a small share of the time and catches up later. */
const BUSY_PER_SECOND = 100;
const BUSY_PAUSE_MS = 1000;
const PAUSE_MS = 10;
/** How long a search waits for the index to know the newest jobs. */
const CATCH_UP_MS = 1000;
const SWEEP_EVERY_MS = 600_000;

lowerThreadPriority();
const { file, searchFile, limits } = threadData<IndexThreadData>();
const { read, close } = openForReading(file, 2048);
const newest = () => read.query<{ seq: number | null }>('SELECT max(seq) AS seq FROM job').get()?.seq ?? 0;
// A database that was restored or emptied counts its jobs anew: then the index is of another one.
const index = openIndex(
  searchFile,
  ({ seq, job_id }) =>
    seq === 0 ||
    (newest() >= seq &&
      (read.query<{ id: string }>('SELECT id FROM job WHERE seq = ?').get(seq)?.id ?? job_id) === job_id),
);
const indexer = createIndexer({ read, index, limits, now: Date.now });

let closed = false;
let timer: NodeJS.Timeout | undefined;
let rate = { at: performance.now(), newest: newest(), perSecond: 0 };
let sweptAt = performance.now();

const methods = {
  async catchUp() {
    const until = performance.now() + CATCH_UP_MS;
    while (!closed && performance.now() < until && indexer.step(STEP_MS).more) await new Promise(setImmediate);
    tell();
  },
  close() {
    closed = true;
    clearTimeout(timer);
    index.close();
    close();
  },
};
export type IndexMethods = typeof methods;
serveThread(methods);

function look(): void {
  if (closed) return;
  measure();
  const { more } = indexer.step(STEP_MS);
  if (!more && performance.now() - sweptAt > SWEEP_EVERY_MS && indexer.sweep()) sweptAt = performance.now();
  timer = setTimeout(look, more ? (rate.perSecond > BUSY_PER_SECOND ? BUSY_PAUSE_MS : PAUSE_MS) : LOOK_MS);
}

/** How many jobs come, over at least a second. */
function measure(): void {
  const seconds = (performance.now() - rate.at) / 1000;
  if (seconds < 1) return;
  const now = newest();
  rate = { at: performance.now(), newest: now, perSecond: (now - rate.newest) / seconds };
  tell();
}

function tell(): void {
  const bytes = ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(searchFile + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  notifyParent<SearchStats>({ behind: Math.max(0, newest() - indexer.state().seq), bytes });
}

look();
