import { describe, expect, it } from 'vitest';
import type { Block } from '../store/port.ts';
import { blockOf, runOptions, sourceOf, type TestRow } from './blocks.fixture.ts';
import { readQuery } from './parse.ts';
import { runQuery } from './run.ts';

const NOW = Date.UTC(2025, 2, 12, 12);

/** A block that names the columns that were decoded in `read`; `_time` where its times were. */
function watched(id: number, rows: readonly TestRow[], read: Set<string>): Block {
  const block = blockOf(id, rows);
  return {
    ...block,
    get ms() {
      read.add('_time');
      return block.ms;
    },
    get ns() {
      read.add('_time');
      return block.ns;
    },
    column(name) {
      read.add(name);
      return block.column(name);
    },
  };
}

const BLOCKS: readonly (readonly TestRow[])[] = [
  [
    { _time: '2025-03-12T10:00:00Z', _msg: 'one', level: 'INFO', source: 'a' },
    { _time: '2025-03-12T10:00:59.999999999Z', _msg: 'two', level: 'ERROR', source: 'a' },
  ],
  // It begins and ends on the ends of minutes.
  [
    { _time: '2025-03-12T10:01:00Z', _msg: 'three', level: 'ERROR', source: 'b' },
    { _time: '2025-03-12T10:01:30Z', _msg: 'four', level: 'ERROR', source: 'b' },
    { _time: '2025-03-12T10:02:00Z', _msg: 'five', level: 'WARN', source: 'b' },
  ],
  // Late: among the times of the others, and without a level.
  [
    { _time: '2025-03-12T10:00:30Z', _msg: 'six' },
    { _time: '2025-03-12T10:01:30.000000001Z', _msg: 'seven' },
  ],
];

function ask(query: string): { rows: string[]; read: string[] } {
  const read = new Set<string>();
  const source = sourceOf(BLOCKS.map((rows, i) => watched(i + 1, rows, read)));
  const pages = runQuery(readQuery(query), source, runOptions(NOW));
  const text = [...pages].map((page) => (page === null ? '' : Buffer.from(page).toString())).join('');
  return { rows: text.split('\n').filter((row) => row !== ''), read: [...read].toSorted() };
}

describe('a query over blocks', () => {
  it('counts without a column where the filter holds for whole blocks', () => {
    expect(ask('* | count()')).toEqual({ rows: ['{"count(*)":"7"}'], read: [] });
    expect(ask('_time:[2025-03-12T10:00:00Z, 2025-03-12T10:02:00Z] | count() n')).toEqual({
      rows: ['{"n":"7"}'],
      read: [],
    });
    expect(ask('_time:2025-03-11Z | count() n')).toEqual({ rows: ['{"n":"0"}'], read: [] });
  });

  it('looks at the times of a block only where the span cuts it', () => {
    expect(ask('_time:>=2025-03-12T10:01:00Z level:ERROR | count() n')).toEqual({
      rows: ['{"n":"2"}'],
      read: ['_time', 'level'],
    });
    // The block's last instant is within its last millisecond.
    expect(ask('_time:<2025-03-12T10:00:59.9999999Z source:a | count() n').rows).toEqual(['{"n":"1"}']);
    expect(ask('_time:<=2025-03-12T10:00:59.999999999Z source:a | count() n').rows).toEqual(['{"n":"2"}']);
    expect(ask('_time:>2025-03-12T10:00:59.9999999Z source:a | count() n').rows).toEqual(['{"n":"1"}']);
    expect(ask('_time:>2025-03-12T10:00:59.999999999Z source:a | count() n').rows).toEqual(['{"n":"0"}']);
  });

  it('counts by steps of time and values, without the times of blocks that are within one step', () => {
    const hourly = ask('* | stats by (_time:1h, level) count() n | sort by (level)');
    expect(hourly).toEqual({
      rows: [
        '{"_time":"2025-03-12T10:00:00Z","n":"2"}',
        '{"_time":"2025-03-12T10:00:00Z","level":"ERROR","n":"3"}',
        '{"_time":"2025-03-12T10:00:00Z","level":"INFO","n":"1"}',
        '{"_time":"2025-03-12T10:00:00Z","level":"WARN","n":"1"}',
      ],
      read: ['level'],
    });
    expect(ask('* | stats by (_time:1m) count() n | sort by (_time)')).toEqual({
      rows: [
        '{"_time":"2025-03-12T10:00:00Z","n":"3"}',
        '{"_time":"2025-03-12T10:01:00Z","n":"3"}',
        '{"_time":"2025-03-12T10:02:00Z","n":"1"}',
      ],
      read: ['_time'],
    });
    expect(ask('level:ERROR | stats by (_time:1m, source) count() n | sort by (_time)').rows).toEqual([
      '{"_time":"2025-03-12T10:00:00Z","n":"1","source":"a"}',
      '{"_time":"2025-03-12T10:01:00Z","n":"2","source":"b"}',
    ]);
    expect(ask('* | stats by (_time:500us) count() n').rows).toHaveLength(6);
  });

  it('counts the rows that were picked, and groups in the order in which they are met', () => {
    expect(ask('* | sort by (_time desc) limit 3 | stats by (level) count() n').rows).toEqual([
      '{"level":"WARN","n":"1"}',
      '{"n":"1"}',
      '{"level":"ERROR","n":"1"}',
    ]);
    expect(ask('* | rename level as _time | stats by (_time:1h) count() n | sort by (n, _time)').rows).toEqual([
      '{"_time":"INFO","n":"1"}',
      '{"_time":"WARN","n":"1"}',
      '{"n":"2"}',
      '{"_time":"ERROR","n":"3"}',
    ]);
  });
});
