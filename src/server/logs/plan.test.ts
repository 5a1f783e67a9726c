import fc from 'fast-check';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filterOf } from './filter.ts';
import { matches } from './logsql/match.ts';
import { planOf, searchSql } from './plan.ts';
import type { LogFilter } from './port.ts';
import { openReader } from './reader.ts';
import { recordOf } from './record.ts';
import { openLogFile } from './store-open.ts';
import { openWriter } from './writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'plan-'));
openWriter(folder, 1e9).close();

function explained(filter: LogFilter, cursor = ''): string {
  const db = openLogFile(folder, false);
  const { where, args } = planOf(filterOf(filter, 0));
  const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${searchSql(where + cursor, 'DESC')}`).all(...args, ...(cursor ? [1, 1] : []));
  db.close();
  return steps.map(({ detail }) => detail).join('; ');
}

describe('the index that serves a search, without a sort', () => {
  it.each<[LogFilter, string]>([
    [{}, 'log_time'],
    [{ from: '2026-01-01T00:00:00Z', level: 'ERROR' }, 'log_time (time>?)'],
    [{ job_id: 'j' }, 'log_job (job_id=?)'],
    [{ job_id: 'j', from: '2026-01-01T00:00:00Z', query: 'word' }, 'log_job (job_id=? AND time>?)'],
    [{ task_id: 't' }, 'log_task (task_id=?)'],
    [{ query: 'job_id:="j" AND level:ERROR' }, 'log_job (job_id=?)'],
    [{ query: 'word _time:5m' }, 'log_time (time>? AND time<?)'],
  ])('%j', (filter, index) => {
    expect(explained(filter)).toContain(`USING INDEX ${index}`);
    expect(explained(filter)).not.toContain('TEMP B-TREE');
    expect(explained(filter, ' AND (time, id) < (?, ?)')).not.toContain('TEMP B-TREE');
  });
});

it('finds just what the filter itself finds', () => {
  const lines = Array.from({ length: 60 }, (_, i) => ({ _time: 1e15 + i, _msg: ['error here', 'errors', 'fine', '', 'a "b" c'][i % 5], ...(i % 3 ? { level: ['INFO', 'ERROR'][i % 2] } : {}), ...(i % 4 ? { job_id: `j${i % 7}` } : {}), ...(i % 2 ? { n: i, o: { p: 'x' } } : {}) }));
  const writer = openWriter(folder, 1e9);
  const records = lines.map((line) => recordOf(line, 'test', 0));
  writer.append(records);
  const reader = openReader(folder);
  const leaf = fc.constantFrom('error', 'err*', '"error here"', '""', '*', 'level:ERROR', 'level:=ERROR', 'level:""', 'level:*', 'job_id:=j1', 'job_id:=j*', 'job_id:in(j1, j2)', 'job_id:in("", j3)', 'n:>30', 'n:*', 'o.p:x', 'missing:x', '_time:>=2001-09-09T01:46:40.000020Z', 'in()');
  const query = fc.letrec<{ q: string }>((tie) => ({
    q: fc.oneof({ depthSize: 'small' }, leaf, fc.tuple(tie('q'), tie('q')).map(([a, b]) => `(${a} ${b})`), fc.tuple(tie('q'), tie('q')).map(([a, b]) => `(${a} or ${b})`), tie('q').map((a) => `not ${a}`)),
  })).q;
  fc.assert(
    fc.property(query, (text) => {
      const filter = filterOf({ query: text }, 0);
      const expected = records.filter((record) => matches(filter, record)).map((record) => record.time);
      const found = reader.search({ query: text, limit: 1000, order: 'asc' }, 0).records.map(({ _time }) => Date.parse(_time.slice(0, 23) + 'Z') * 1000 + Number(/\.\d{3}(\d{3})Z$/.exec(_time)?.[1] ?? 0));
      expect(found).toEqual(expected);
      expect(reader.hits({ query: text, stepMs: 1000 }, 0).hits[0]?.total ?? 0).toBe(expected.length);
    }),
    { numRuns: 300 },
  );
  reader.close();
  writer.close();
});
