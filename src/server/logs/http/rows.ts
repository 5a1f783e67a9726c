import type { LogRun } from '../store/port.ts';
import { Refusal } from './answer.ts';
import type { Common } from './query-args.ts';
import type { LogQueryRequest } from './port.ts';

/** A row of a result; absent fields are empty. */
export type Row = Readonly<Record<string, string>>;

/** Rows that are collected before an answer can be written. */
const ROWS = 200_000;

/** Runs a query whose result is small, and collects its rows. */
export async function rowsOf(ask: LogQueryRequest, common: Common, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const lines of linesOf(ask, { ...common.run, query, limit: null, offset: 0 })) {
    for (const line of lines) rows.push(rowOf(line));
    if (rows.length > ROWS)
      throw new Refusal(
        400,
        `the result has more than ${ROWS} rows: use a shorter time range, a longer step or fewer fields`,
      );
  }
  return rows;
}

/** A row without a prototype: a field may be asked for by any name, such as `constructor`. */
export const rowOf = (line: string): Row => Object.assign(Object.create(null), JSON.parse(line));

/** Lines of a result, page by page. */
export const linesOf = (ask: LogQueryRequest, run: LogRun): AsyncGenerator<string[]> =>
  linesIn(ask.options.store.run(run, ask.signal));

/** Lines of pages that may end within one. */
export async function* linesIn(pages: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const page of pages) {
    const lines = (rest + decoder.decode(page, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}
