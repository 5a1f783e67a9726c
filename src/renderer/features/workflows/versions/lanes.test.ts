import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseVersion, historyLanes } from './lanes.ts';

const commit = (hash: string, parent: string | null, restores: string | null = null) => ({ hash, parent, restores });

describe('the lanes of a history', () => {
  it('are one line where each version builds on the one before', () => {
    expect(historyLanes([commit('c', 'b'), commit('b', 'a'), commit('a', null)])).toEqual([
      { lane: 0, above: false, below: true, past: [], joining: [] },
      { lane: 0, above: true, below: true, past: [], joining: [] },
      { lane: 0, above: true, below: false, past: [], joining: [] },
    ]);
  });

  it('leave what lies between beside a version that was restored', () => {
    const rows = historyLanes([commit('d', 'c'), commit('c', 'b', 'a'), commit('b', 'a'), commit('a', null)]);
    expect(rows.map(({ lane }) => lane)).toEqual([0, 0, 1, 0]);
    expect(rows[2]).toEqual({ lane: 1, above: false, below: true, past: [0], joining: [] });
    expect(rows[3]).toEqual({ lane: 0, above: true, below: false, past: [], joining: [1] });
  });

  it('lead every line to what it comes from, in any history', () => {
    const history = fc
      .array(fc.record({ back: fc.nat(30), restored: fc.boolean() }), { maxLength: 60 })
      .map((steps) =>
        steps
          .map(({ back, restored }, i) =>
            commit(
              `v${i}`,
              i === 0 ? null : `v${i - 1}`,
              restored && i > 1 ? `v${Math.max(0, i - 2 - (back % i))}` : null,
            ),
          )
          .reverse(),
      );
    fc.assert(
      fc.property(history, (commits) => {
        const rows = historyLanes(commits);
        const at = new Map(commits.map(({ hash }, i) => [hash, i]));
        for (const [i, one] of commits.entries()) {
          const base = baseVersion(one);
          if (base === null) continue;
          const from = rows[i]?.lane ?? -1;
          const to = at.get(base) ?? -1;
          for (let between = i + 1; between < to; between++) expect(rows[between]?.past).toContain(from);
          const end = rows[to];
          expect(end?.lane === from ? end.above : end?.joining.includes(from)).toBe(true);
        }
      }),
    );
  });
});
