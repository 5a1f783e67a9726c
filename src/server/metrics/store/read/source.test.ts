import { describe, expect, it } from 'vitest';
import type { SeriesKey } from '../port.ts';
import { anyFilter, noGuard, type TestStore, useTestStores } from '../store.fixture.ts';
import { createSource } from './source.ts';

const T = Date.UTC(2026, 0, 1, 12);
const open = useTestStores();
function read(store: TestStore, filter: Partial<typeof anyFilter> = {}, from = 0, to = 1e15) {
  store.view.refresh();
  return [...store.source.read({ ...anyFilter, ...filter }, from, to)].map(
    ({ measurement, field, type, tags, ms, ns, values }) => ({
      key: `${measurement} ${field} ${type} ${Object.entries(tags).join(' ')}`,
      points: [...ms].map((time, i) => [time - T, ns?.[i] ?? 0, values[i]]),
    }),
  );
}

/** The same, unsealed, sealed, and compacted. */
const stages = [
  ['unsealed', () => {}],
  ['sealed', (store: TestStore) => store.writer.seal()],
  [
    'compacted',
    (store: TestStore) =>
      void (() => {
        while (store.writer.tend(true));
      })(),
  ],
] as const;

describe.each(stages)('%s points', (name, stage) => {
  it('come back as they were written, each type exact', () => {
    const store = open();
    store.lines(
      `m,host=a f=1.5,i=9223372036854775807i,u=18446744073709551615u,b=t,s="x \\"y\\"" ${T}000001\nm,host=a f=-0.0 ${T + 1}000000\nm,host=b i=-5i ${T}000000`,
    );
    stage(store);
    expect(read(store)).toEqual([
      {
        key: 'm f float host,a',
        points: [
          [0, 1, 1.5],
          [1, 0, -0],
        ],
      },
      { key: 'm i int host,a', points: [[0, 1, 9223372036854775807n]] },
      { key: 'm u uint host,a', points: [[0, 1, 18446744073709551615n]] },
      { key: 'm b bool host,a', points: [[0, 1, 1]] },
      { key: 'm s string host,a', points: [[0, 1, 'x "y"']] },
      { key: 'm i int host,b', points: [[0, 0, -5]] },
    ]);
  });

  it('of the same instant are one: the last write of a field wins, other fields stay', () => {
    const store = open();
    store.lines(`m a=1,b=2 ${T}\nm a=3 ${T}`, 'ms');
    stage(store);
    store.lines(`m b=5 ${T}\nm a=9 ${T - 10}`, 'ms');
    stage(store);
    expect(read(store)).toEqual([
      {
        key: 'm a float ',
        points: [
          [-10, 0, 9],
          [0, 0, 3],
        ],
      },
      { key: 'm b float ', points: [[0, 0, 5]] },
    ]);
  });

  it('of jobs and tasks are series of their own when they are asked for', () => {
    const store = open();
    store.lines(
      `t,job_id=j1,task_id=a,node=x v=1 ${T}\nt,job_id=j2,task_id=b,node=x v=2 ${T}\nt,node=x v=3 ${T}`,
      'ms',
    );
    stage(store);
    expect(read(store).map(({ key }) => key)).toEqual([
      't v float node,x',
      't v float node,x job_id,j1 task_id,a',
      't v float node,x job_id,j2 task_id,b',
    ]);
    expect(read(store, { tags: { job_id: ['j2'] } })).toEqual([
      { key: 't v float node,x job_id,j2 task_id,b', points: [[0, 0, 2]] },
    ]);
    // A tag of no value at all is had by none.
    expect([...store.source.keys({ ...anyFilter, tags: { node: [] } }, 0, 1e15)]).toEqual([]);
    expect(
      [...store.source.keys({ ...anyFilter, tags: { node: ['x'] } }, 0, 1e15)].map(({ tags }) => tags['job_id']),
    ).toEqual([undefined, 'j1', 'j2']);
  });

  it('are left unread where a condition on the tags of their series does not hold', () => {
    const store = open();
    store.lines(
      `t,job_id=j1,node=x v=1 ${T}\nt,job_id=j2,node=x v=2 ${T}\nt,job_id=j1,node=y v=3,w=1 ${T}\nt,node=z v=4 ${T}`,
      'ms',
    );
    stage(store);
    store.view.refresh();
    const on = (column: string, test: (series: SeriesKey) => boolean) => ({ columns: new Set([column]), test });
    const ofNode = on('node', ({ tags }) => tags['node'] !== 'x');
    const ofJob = on('job_id', ({ tags }) => tags['job_id'] === 'j1');
    expect(read(store, { where: [ofNode, ofJob] }).map(({ key }) => key)).toEqual([
      't v float node,y job_id,j1',
      't w float node,y job_id,j1',
    ]);
    expect(read(store, { where: [ofJob, on('_field', ({ field }) => field === 'v')] }).map(({ key }) => key)).toEqual([
      't v float node,x job_id,j1',
      't v float node,y job_id,j1',
    ]);
    let rows = 0;
    const counting = createSource(store.view, { ...noGuard, charge: (values) => void (rows += values) });
    const of = (node: string) => on('node', ({ tags }) => tags['node'] === node);
    expect([...counting.read({ ...anyFilter, where: [of('none')] }, 0, 1e15)]).toEqual([]);
    expect(rows).toBe(0);
    expect([...counting.read({ ...anyFilter, where: [of('z')] }, 0, 1e15)]).toHaveLength(1);
    // Rows that lie in no partition yet are charged for by none.
    expect(rows).toBe(name === 'unsealed' ? 0 : 1);
  });

  it('fall into windows, whatever they are read from', () => {
    const store = open();
    const lines = Array.from({ length: 600 }, (_, i) => `m,host=${i % 2 ? 'a' : 'b'} v=${i} ${T + i * 1000}`);
    store.lines(lines.join('\n'), 'ms');
    stage(store);
    store.view.refresh();
    const windows = (
      aggregate: 'sum' | 'min' | 'max' | 'mean' | 'count' | 'first' | 'last',
      from = T,
      to = T + 600_000,
    ) =>
      [...store.source.windows({ ...anyFilter, tags: { host: ['a'] } }, from, to, 300_000, aggregate)].map(
        ({ starts, values }) => [[...starts].map((start) => start - T), [...values]],
      );
    expect(windows('count')).toEqual([
      [
        [0, 300_000],
        [150, 150],
      ],
    ]);
    expect(windows('sum')).toEqual([
      [
        [0, 300_000],
        [22_500, 67_500],
      ],
    ]);
    expect(windows('first')).toEqual([
      [
        [0, 300_000],
        [1, 301],
      ],
    ]);
    expect(windows('last')).toEqual([
      [
        [0, 300_000],
        [299, 599],
      ],
    ]);
    expect(windows('max', T + 10_500, T + 400_500)).toEqual([
      [
        [0, 300_000],
        [299, 399],
      ],
    ]);
    expect(windows('min', T + 10_500, T + 400_500)).toEqual([
      [
        [0, 300_000],
        [11, 301],
      ],
    ]);
  });

  it('tell the last of each series', () => {
    const store = open();
    store.lines(`m,h=a v=1 ${T}\nm,h=a v=2 ${T + 5}\nm,h=b v=3 ${T - 9_000_000}\nm,h=b w=4 ${T - 19_000_000}`, 'ms');
    stage(store);
    store.view.refresh();
    const last = [...store.source.last(anyFilter, 0, 1e15)].map(({ field, tags, ms, values }) => [
      tags['h'],
      field,
      (ms[0] as number) - T,
      values[0],
    ]);
    expect(last.sort()).toEqual([
      ['a', 'v', 5, 2],
      ['b', 'v', -9_000_000, 3],
      ['b', 'w', -19_000_000, 4],
    ]);
  });
});
