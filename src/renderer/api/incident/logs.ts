import { tableOf } from '../../../contract/tables.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import type { LogRecord } from '../../../contract/logs.ts';
import type { Bundle } from './read.ts';
import { type Line, linesOf, textOf, textOrEmpty } from './lines.ts';

interface Row {
  readonly time: string;
  readonly ms: number;
  readonly fields: Readonly<Record<(typeof SCOPE)[number], string>>;
  readonly line: Line;
}

const SCOPE = ['job_id', 'task_id', 'worker_id', 'level', 'source'] as const;
const MOST = 10_000;
const BINS = 20_000;

export interface BundleLogs {
  search(query: URLSearchParams): string;
  hits(query: URLSearchParams): string;
  context(query: URLSearchParams): string;
}

/** The log lines of a bundle, oldest first; the lines of a job are looked through when they are first asked for. */
export function indexLogs({ parts, manifest }: Bundle): BundleLogs {
  let all: Row[] | null = null;
  const rows = (): Row[] => {
    if (all) return all;
    all = [];
    for (const jobId of manifest.jobs)
      for (const { line, value } of linesOf<LogRecord>(parts, `jobs/${jobId}/logs/`)) {
        const time = textOrEmpty(value._time);
        const ms = Date.parse(time);
        if (!Number.isNaN(ms))
          all.push({
            time,
            ms,
            fields: tableOf(SCOPE, (name) => textOrEmpty(value[name])),
            line,
          });
      }
    return all.sort((a, b) => a.ms - b.ms || (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  };
  /** Of the query language a bundle knows words and quoted texts: lines that hold all of them. */
  const matching = (query: URLSearchParams): Row[] => {
    const wanted = SCOPE.flatMap((name) =>
      query.get(name) ? [[name, query.get(name)?.toLowerCase() ?? ''] as const] : [],
    );
    const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
    const words = [...(query.get('query') ?? '').matchAll(/"([^"]*)"|[^\s"*|()]+/g)]
      .map(([word, quoted]) => (quoted ?? word).toLowerCase())
      .filter((word) => word !== '' && word !== 'and');
    return rows().filter(
      (row) =>
        wanted.every(([name, value]) => row.fields[name].toLowerCase() === value) &&
        !(row.ms < from) &&
        !(row.ms >= to) &&
        (words.length === 0 || hasAll(row, words)),
    );
  };

  return {
    search(query) {
      const found = matching(query);
      const descending = query.get('order') !== 'asc';
      if (descending) found.reverse();
      const limit = Math.min(MOST, Math.max(1, Number(query.get('limit')) || 500));
      const start = Math.max(0, Number(query.get('cursor')) || 0);
      const page = found.slice(start, start + limit);
      const next = start + page.length < found.length ? JSON.stringify(String(start + page.length)) : 'null';
      const time = (name: string) => JSON.stringify(query.get(name));
      return `{"query":${JSON.stringify(query.get('query') ?? '*')},"from":${time('from')},"to":${time('to')},"records":[${page.map(({ line }) => textOf(line)).join(',')}],"nextCursor":${next}}`;
    },
    hits(query) {
      const [, count = '1', unit = 'm'] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(query.get('step') ?? '') ?? [];
      const found = matching(query);
      const span = (found.at(-1)?.ms ?? 0) - (found[0]?.ms ?? 0);
      const step = Math.max(
        1,
        Number(count) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 60_000),
        span / BINS,
      );
      const field = query.get('field');
      const series = new Map<string, Map<number, number>>();
      for (const row of found) {
        const value = isOneOf(SCOPE, field) ? row.fields[field] : '';
        const bins = series.get(value) ?? new Map<number, number>();
        series.set(value, bins);
        const bin = Math.floor(row.ms / step) * step;
        bins.set(bin, (bins.get(bin) ?? 0) + 1);
      }
      const hits = [...series].map(([value, bins]) => ({
        fields: field === null ? {} : { [field]: value },
        timestamps: [...bins.keys()].map((ms) => new Date(ms).toISOString()),
        values: [...bins.values()],
        total: [...bins.values()].reduce((sum, n) => sum + n, 0),
      }));
      return JSON.stringify({ hits });
    },
    context(query) {
      const at = query.get('at') ?? '';
      const moment = Date.parse(at);
      const scope = new URLSearchParams([...query].filter(([name]) => isOneOf(SCOPE, name)));
      const found = matching(scope);
      const cut = found.findIndex((row) => row.ms >= moment && row.time >= at);
      const index = cut < 0 ? found.length : cut;
      const [before, after] = [Number(query.get('before') ?? 20), Number(query.get('after') ?? 20)];
      const texts = (some: Row[]) => `[${some.map(({ line }) => textOf(line)).join(',')}]`;
      return `{"at":${JSON.stringify(at)},"before":${texts(found.slice(Math.max(0, index - before), index))},"after":${texts(found.slice(index, index + after + 1))}}`;
    },
  };
}

function hasAll(row: Row, words: readonly string[]): boolean {
  const text = textOf(row.line).toLowerCase();
  return words.every((word) => text.includes(word));
}
