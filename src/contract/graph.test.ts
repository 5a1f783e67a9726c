import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { buildGraph, nodeStates, nodeStatesAfter, type NodeProgress } from './graph.ts';

/** A graph over `count` nodes, of which the first is the input and the last the output; an edge leads from a lower number to a higher. */
function graph(count: number, edges: readonly (readonly [number, number, boolean])[]) {
  const name = (i: number) => `n${i}`;
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: name(i),
    type: i === 0 ? 'input' : i === count - 1 ? 'output' : 'condition',
  }));
  const known = new Set<string>();
  const all = edges.flatMap(([a, b, taken]) => {
    const [from, to] = [Math.min(a % count, b % count), Math.max(a % count, b % count)];
    if (from === to || known.has(`${from} ${to}`)) return [];
    known.add(`${from} ${to}`);
    return [{ from: name(from), to: name(to), ...(from === 0 ? {} : { port: taken ? 'true' : 'false' }) }];
  });
  const reached = new Set(all.map(({ to }) => to));
  const rest = nodes
    .slice(1)
    .filter(({ id }) => !reached.has(id))
    .map(({ id }) => ({ from: name(0), to: id }));
  return buildGraph({
    schemaVersion: 1,
    name: 'g',
    response: 'list',
    nodes,
    edges: [...all, ...rest],
    output: name(count - 1),
  } as unknown as Definition);
}

it('what one end brings about is what a look at the whole graph tells', () => {
  const edge = fc.tuple(fc.nat(), fc.nat(), fc.boolean());
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 12 }),
      fc.array(edge, { maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 12, maxLength: 12 }),
      (count, edges, ends) => {
        const made = graph(count, edges);
        const progress = new Map<string, NodeProgress>();
        const start = () =>
          [...nodeStates(made, progress)]
            .filter(([id, stands]) => stands === 'due' && id !== made.outputId)
            .forEach(([id]) => progress.set(id, { done: false }));
        start();
        for (const [at, port] of ends) {
          const open = [...progress].filter(([, { done }]) => !done).map(([id]) => id);
          const from = open[at % Math.max(1, open.length)];
          if (from === undefined) break;
          progress.set(from, { done: true, port: String(port) });
          const whole = nodeStates(made, progress);
          const { changed, standing } = nodeStatesAfter(made, progress, from);
          const due = changed.filter((id) => standing.get(id) === 'due');
          expect(changed.map((id) => standing.get(id))).toEqual(changed.map((id) => whole.get(id)));
          expect(due.filter((id) => id !== made.outputId)).toEqual(
            made.order.filter((id) => whole.get(id) === 'due' && id !== made.outputId),
          );
          start();
        }
      },
    ),
  );
});

it('looks far back without an end of the stack', () => {
  const many = 2000;
  const long = graph(
    many,
    Array.from({ length: many - 1 }, (_, i) => [i, i + 1, true] as const).concat([[0, many - 1, true]]),
  );
  const { changed } = nodeStatesAfter(long, new Map([['n1', { done: true, port: 'false' }]]), 'n1');
  expect(changed).toHaveLength(many - 2);
});
