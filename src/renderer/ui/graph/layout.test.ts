import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../lib/processor-time.fixture.ts';
import { layoutGraph, type LayoutEdge } from './layout.ts';

const box = (id: string) => ({ id, width: 100, height: 40 });
const edge = (from: string, to: string): LayoutEdge => ({ from, to });

describe('layoutGraph', () => {
  it('puts a chain in one row', () => {
    const { nodes, width, height } = layoutGraph(['a', 'b', 'c'].map(box), [edge('a', 'b'), edge('b', 'c')]);
    expect([...nodes.values()].map((node) => [node.rank, node.y])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
    expect([width, height]).toEqual([412, 40]);
  });

  it('centres a fork and its join', () => {
    const { nodes } = layoutGraph(['a', 'b', 'c', 'd'].map(box), [
      edge('a', 'b'),
      edge('a', 'c'),
      edge('b', 'd'),
      edge('c', 'd'),
    ]);
    expect(nodes.get('a')?.y).toBe(nodes.get('d')?.y);
    expect(nodes.get('b')?.rank).toBe(nodes.get('c')?.rank);
  });

  it('uncrosses two crossing edges', () => {
    const { nodes } = layoutGraph(['a', 'b', 'x', 'y'].map(box), [edge('a', 'y'), edge('b', 'x')]);
    const y = (id: string) => nodes.get(id)?.y ?? 0;
    expect((y('a') - y('b')) * (y('y') - y('x'))).toBeGreaterThan(0);
  });

  it('draws what port true leads to above what port false leads to, in whatever order they were added', () => {
    const nodes = ['in', 'if', 'yes', 'no', 'more', 'out'].map(box);
    const edges: LayoutEdge[] = [
      edge('in', 'if'),
      { from: 'if', to: 'no', port: 'false' },
      { from: 'if', to: 'yes', port: 'true' },
      edge('yes', 'more'),
      edge('more', 'out'),
      edge('no', 'out'),
    ];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(nodes, { minLength: 6 }),
        fc.shuffledSubarray(edges, { minLength: 6 }),
        (some, links) => {
          const layout = layoutGraph(some, links);
          const y = (id: string) => layout.nodes.get(id)?.y ?? 0;
          expect(y('yes')).toBeLessThan(y('no'));
        },
      ),
    );
  });

  const id = fc.nat(9).map((n) => `n${n}`);
  const graphs = fc.record({
    ids: fc.uniqueArray(id),
    edges: fc.array(fc.record({ from: id, to: id }), { maxLength: 25 }),
  });

  it('takes any graph: no two nodes overlap, edges lead on, nothing is left of zero', () => {
    fc.assert(
      fc.property(graphs, ({ ids, edges }) => {
        const layout = layoutGraph(ids.map(box), edges);
        const placed = [...layout.nodes.values()];
        expect(placed).toHaveLength(ids.length);
        for (const [i, a] of placed.entries()) {
          expect(
            a.x >= 0 && a.y >= -1e-6 && a.x + a.width <= layout.width + 1e-6 && a.y + a.height <= layout.height + 1e-6,
          ).toBe(true);
          for (const b of placed.slice(i + 1))
            expect(
              a.x + a.width <= b.x ||
                b.x + b.width <= a.x ||
                a.y + a.height <= b.y + 1e-6 ||
                b.y + b.height <= a.y + 1e-6,
            ).toBe(true);
        }
        // Where nothing leads in a circle, all edges lead on to the right.
        const known = edges.filter(({ from, to }) => from < to && layout.nodes.has(from) && layout.nodes.has(to));
        const { nodes } = layoutGraph(ids.map(box), known);
        for (const { from, to } of known) expect(nodes.get(from)?.rank).toBeLessThan(nodes.get(to)?.rank ?? 0);
      }),
    );
  });

  it('places 2,000 nodes in well under a second', () => {
    const many = Array.from({ length: 2000 }, (_, i) => `n${i}`);
    const edges = many.slice(1).map((to, i) => edge(`n${Math.floor(i / 2)}`, to));
    expect(processorMs(() => layoutGraph(many.map(box), edges))).toBeLessThan(1000);
  });
});
