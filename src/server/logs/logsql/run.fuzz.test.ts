import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { printQuery } from '../../../lib/logsql/print.ts';
import { queryOf } from '../../../lib/logsql/queries.fixture.ts';
import { blockOf, sourceOf } from './blocks.fixture.ts';
import { readQuery } from './parse.ts';
import { runQuery } from './run.ts';

const source = sourceOf([
  blockOf(1, [
    {
      _time: '2025-01-01T00:00:00Z',
      _msg: 'GET /a took 5ms',
      level: 'INFO',
      n: '5',
      j: '{"a":{"b":[1,2]},"__proto__":{"x":1},"constructor":"c"}',
      _stream: '{app="x"}',
    },
    {
      _time: '2025-01-01T00:00:01.5Z',
      _msg: '\ud83d\ude00 größe "q"',
      level: 'ERROR',
      n: '1e400',
      j: '[1,{"a":2}]',
      __proto__: 'x',
    } as never,
  ]),
  blockOf(
    2,
    [{ _time: '2025-01-01T00:00:00.000000001Z', _msg: '', n: '-0', j: '{"a":'.repeat(5000) }],
    new Set(['_msg', 'j', 'n']),
  ),
]);

const pieces = fc.constantFrom(
  'extract "took <x>ms"',
  'extract "<a>:<b>" from j',
  'extract_regexp "(?P<x>\\\\w+) (?P<y>.)"',
  'unpack_json from j',
  'unpack_json from j result_prefix "p."',
  'unpack_logfmt',
  'format "<_msg>|<q:j>|<uc:gone>" as f',
  'math n / 0 as a, n ^ n ^ n as b, -n % 3 as c, round(n, 0) as d, max(n, gone) as e',
  'replace ("a", "bb") at j',
  'replace_regexp (".*?", "$1${x}$99") at _msg',
  'replace_regexp ("", "-")',
  'len(j) as _time',
  'pack_json as _msg',
  'pack_json fields (a*, *) as o',
  'unroll by (j, n)',
  'stream_context before 1 after 1',
  'facets 2',
  'field_names',
  'field_values constructor',
  'stats by (_time:1us, n:0.1, ip:/8) row_any(), rate(), quantile(1, n), stddev(n), values(j) limit 1, rate_sum(n), sum_len(*)',
  'stats by (_time:month offset 3d) row_max(n), row_min(_time, n), median(_msg), count_empty(n), any(n)',
  'sort by (_time desc) rank as _time',
  'top 2 by (__proto__, _time)',
  'uniq by (_time)',
  'rename _time as t, t as _time',
  'copy gone as _msg',
  'fields *',
  'delete *',
  'fields __proto__, constructor',
  'first by (_time)',
  'last 2 by (n) partition by (level)',
  'filter _time:[2024Z, now]',
  'filter in(* | fields _msg)',
  'stats count() if (level:in(* | fields level)) c',
  'union (* | fields j)',
  'join by (n) (*)',
  'join on level, n (* | unroll by (j)) inner prefix "_"',
  'decolorize',
  'decolorize j',
  'json_array_len(j) as _msg',
  'where {app=~".+"} or _stream_id:x',
  'limit 1',
  'offset 1',
  'sort',
);

/** Runs what can be parsed; what cannot, or asks for too much, is a `Fault`. */
function attempt(text: string): void {
  try {
    const pages = runQuery(readQuery(text), source, {
      from: null,
      to: null,
      limit: text.length % 3 === 0 ? 2 : null,
      offset: text.length % 2,
      order: 'desc',
      now: Date.UTC(2025, 0, 2),
      extraFilters: [],
      timeoutMs: 5000,
      stateBytes: 1e6,
      cancelled: () => false,
    });
    const lines = Buffer.concat([...pages].filter((page) => page !== null))
      .toString()
      .split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(typeof JSON.parse(line)).toBe('object');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

it('each chain of pipes ends in rows or in a fault', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 5 }), (parts) => attempt(['*', ...parts].join(' | '))),
    { numRuns: 300 },
  );
});

it('so does each query of the grammar, whole or damaged', () => {
  const damaged = fc.tuple(queryOf, fc.nat(), fc.nat(4)).map(([query, n, size]) => {
    const text = printQuery(query);
    const at = n % (text.length + 1);
    return text.slice(0, at) + text.slice(at + size);
  });
  fc.assert(fc.property(damaged, attempt), { numRuns: 300 });
});
