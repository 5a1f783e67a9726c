import { Fault } from '../../../lib/fault.ts';
import { cancelledFault } from '../logsql/run-context.ts';
import { LINE_ID } from '../line-ids.ts';
import { cutQuery, joinQuery, reshapes } from '../http/query-text.ts';
import { readFilter, readQuery } from '../logsql/parse.ts';
import type { LogRun } from '../store/port.ts';
import type { LogsClient } from './client.ts';
import { unreadable } from './faults.ts';
import { linesOf, rowTooLarge } from './lines.ts';
import { nanoText, type RemoteQuery } from './query.ts';
import { seenLines } from './records.ts';

/** Queries with pipes under way, whose pages are pulled one by one. */
export interface RemoteRuns {
  open(id: number, run: LogRun): void;
  /** The next page, NDJSON; null: there is none. */
  next(id: number): Promise<Uint8Array | null>;
  close(id: number): void;
  closeAll(): void;
}

interface Run {
  readonly pages: AsyncGenerator<Uint8Array>;
  readonly ended: AbortController;
  /** Ends what nobody asks for any more. */
  readonly expiry: NodeJS.Timeout;
}

/** A query is looked after so much longer than it may take. */
const SPARE_MS = 10_000;
const PAGE_BYTES = 256 * 1024;
const REMEMBERED = 100_000;
const OF_ID = new RegExp(`"${LINE_ID}":"([^"]*)"`);

/** `clean`: what is made of each row's text; null: nothing, so that the bytes may go on as they came. */
export function createRemoteRuns(
  client: Pick<LogsClient, 'bytes'>,
  clean: () => ((row: string) => string) | null,
  removed: () => void,
): RemoteRuns {
  const runs = new Map<number, Run>();
  function close(id: number): void {
    const run = runs.get(id);
    if (!run) return;
    runs.delete(id);
    clearTimeout(run.expiry);
    run.ended.abort();
  }

  async function* pagesOf(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { question, areRecords } = questionOfRun(run);
    const cleaner = clean();
    const bytes = client.bytes(question, signal);
    if (!areRecords && cleaner === null) return yield* wholeLines(bytes);
    const seen = seenLines(REMEMBERED);
    let page = '';
    for await (const lines of linesOf(bytes)) {
      for (const line of lines) {
        const id = areRecords ? OF_ID.exec(line)?.[1] : undefined;
        if (id !== undefined && !seen.isNew(id)) {
          removed();
          continue;
        }
        page += `${cleaner ? cleaner(line) : line}\n`;
      }
      if (page.length < PAGE_BYTES) continue;
      yield Buffer.from(page);
      page = '';
    }
    if (page !== '') yield Buffer.from(page);
  }

  return {
    open(id, run) {
      const ended = new AbortController();
      const expiry = setTimeout(() => close(id), run.timeoutMs + SPARE_MS).unref();
      runs.set(id, { pages: pagesOf(run, ended.signal), ended, expiry });
    },
    async next(id) {
      const run = runs.get(id);
      if (!run) throw cancelledFault();
      try {
        const { value, done } = await run.pages.next();
        if (!done) return value;
      } catch (error) {
        close(id);
        throw run.ended.signal.aborted && !(error instanceof Fault && error.code === 'QUERY_INVALID')
          ? cancelledFault()
          : unreadable(error);
      }
      close(id);
      return null;
    },
    close,
    closeAll() {
      for (const id of [...runs.keys()]) close(id);
    },
  };
}

/** Throws QUERY_INVALID with the position of what is wrong. */
function questionOfRun(run: LogRun): { question: RemoteQuery; areRecords: boolean } {
  const parsed = readQuery(run.query);
  for (const filter of run.extraFilters) readFilter(filter);
  const areRecords = !reshapes(parsed);
  const cut = [
    ...(run.offset > 0 ? [`offset ${run.offset}`] : []),
    ...(run.limit === null ? [] : [`limit ${run.limit}`]),
  ];
  const { filter, pipes } = cutQuery(run.query);
  // The newest N are meant where rows are records; what the query counted or sorted is cut as it comes.
  const last =
    cut.length === 0 ? [] : areRecords && keepsTime(run.query) ? [`sort by (_time desc) ${cut.join(' ')}`] : cut;
  const extraFilters = [...run.extraFilters];
  if (run.from !== null) extraFilters.push(`_time:>=${nanoText({ ms: run.from, ns: 0 })}`);
  if (run.to !== null) extraFilters.push(`_time:<${nanoText({ ms: run.to, ns: 0 })}`);
  return {
    question: { query: joinQuery(filter, [...pipes, ...last]), extraFilters, now: run.now, timeoutMs: run.timeoutMs },
    areRecords,
  };
}

/** Rows that lost their time cannot be sorted by it. */
const keepsTime = (query: string): boolean =>
  readQuery(query).pipes.every((pipe) =>
    pipe.kind === 'fields'
      ? pipe.names.some(({ name, prefix }) => (prefix ? '_time'.startsWith(name) : name === '_time'))
      : pipe.kind !== 'delete',
  );

const LINE_FEED = 10;
const ROW_BYTES = 32 * 1024 * 1024;

/** Pieces that end with a line, some of them together. */
async function* wholeLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let held: Buffer[] = [];
  let length = 0;
  /** Bytes up to the end of the last whole line. */
  let whole = 0;
  for await (const piece of bytes) {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) whole = length + end;
    held.push(piece);
    length += piece.length;
    if (length - whole > ROW_BYTES) throw rowTooLarge();
    if (length < PAGE_BYTES || whole === 0) continue;
    const all = Buffer.concat(held);
    yield all.subarray(0, whole);
    held = [all.subarray(whole)];
    length -= whole;
    whole = 0;
  }
  if (length > 0) yield Buffer.concat(held);
}
