import { durationSince, Refusal, WARNINGS, warningsHeader, write } from './answer.ts';
import type { Name } from '../../../lib/logsql/ast.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, countArg } from './query-args.ts';
import { joinQuery, reshapes, type QueryText } from './query-text.ts';
import { linesOf, rowOf } from './rows.ts';

/** `/select/logsql/query`: rows as JSON lines (or CSV), as they are found. */
export async function query(ask: LogQueryRequest): Promise<void> {
  const { args, response, signal, options } = ask;
  const common = commonOf(ask);
  const limit = countArg(args, 'limit', 0, Number.MAX_SAFE_INTEGER);
  const offset = countArg(args, 'offset', 0, Number.MAX_SAFE_INTEGER);
  // The newest N are meant where rows are records; what the query counted or sorted is cut as it comes.
  const cutLast = (limit > 0 || offset > 0) && (limit === 0 || reshapes(common.query.parsed));
  const pipes = cutLast
    ? [...common.query.pipes, ...(offset > 0 ? [`offset ${offset}`] : []), ...(limit > 0 ? [`limit ${limit}`] : [])]
    : common.query.pipes;
  const run = {
    ...common.run,
    query: joinQuery(common.query.filter, pipes),
    limit: cutLast || limit === 0 ? null : limit,
    offset: cutLast ? 0 : offset,
  };

  if (args.get('format') === 'csv') {
    const columns = columnsOf(common.query);
    const csv = async function* () {
      yield `${columns.map(csvText).join(',')}\n`;
      for await (const lines of linesOf(ask, run))
        yield lines
          .map(rowOf)
          .map((row) => `${columns.map((name) => csvText(row[name] ?? '')).join(',')}\n`)
          .join('');
    };
    return stream(ask, csv(), 'text/csv; charset=utf-8');
  }
  if (signal.aborted || response.destroyed) return;
  await stream(ask, options.store.run(run, signal), 'application/stream+json');
}

/** An error before the first page is an answer of its own; after it, the caller sees to the end of the bytes that it is one. */
async function stream(ask: LogQueryRequest, pages: AsyncIterable<Uint8Array | string>, type: string): Promise<void> {
  const { response } = ask;
  const iterator = pages[Symbol.asyncIterator]();
  try {
    let page = await iterator.next();
    const chunked = ask.request.method !== 'HEAD' && ask.request.httpVersion === '1.1';
    // What is known to be missing now; a trailer says what turned out later.
    response.writeHead(200, {
      'content-type': type,
      ...(chunked ? { trailer: WARNINGS } : {}),
      ...durationSince(ask.started),
      ...warningsHeader(ask),
    });
    if (ask.request.method === 'HEAD') return void response.end();
    response.flushHeaders();
    for (; !page.done; page = await iterator.next()) if (!(await write(response, page.value))) return;
    if (chunked) response.addTrailers(warningsHeader(ask));
    response.end();
  } finally {
    // Also where the caller left half-way.
    await iterator.return?.();
  }
}

/** Columns of CSV: what the last `fields` or `stats` names. */
function columnsOf({ parsed }: QueryText): string[] {
  const last = parsed.pipes.findLast(({ kind }) => kind === 'fields' || kind === 'stats' || kind === 'uniq');
  const names =
    last?.kind === 'fields'
      ? plainNames(last.names)
      : last?.kind === 'stats'
        ? [...last.by.map(({ field }) => field), ...last.calls.map(({ as }) => as)]
        : last?.kind === 'uniq'
          ? [...last.by, ...(last.hits === null ? [] : [last.hits])]
          : null;
  if (names === null)
    throw new Refusal(
      400,
      'format=csv needs fixed columns: end the query with `| fields a, b` (no wildcard) or `| stats …`',
    );
  return names;
}

const plainNames = (names: readonly Name[]): string[] | null =>
  names.some(({ prefix }) => prefix) ? null : names.map(({ name }) => name);
const csvText = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
