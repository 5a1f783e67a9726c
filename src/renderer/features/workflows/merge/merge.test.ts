import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { mergeDefinitions } from './merge.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Well-formed definitions without circles: edges lead from earlier ids to later ones, among nodes that there are. */
const definitions: fc.Arbitrary<Definition> = fc
  .record({
    name: fc.constantFrom('One', 'Two', 'Three'),
    response: fc.constantFrom('list', 'first') as fc.Arbitrary<'list' | 'first'>,
    ids: fc.shuffledSubarray(IDS, { minLength: 1 }),
    expressions: fc.array(fc.constantFrom('$', 'x', 'y'), { minLength: 6, maxLength: 6 }),
    retries: fc.array(fc.option(fc.nat(3), { nil: undefined }), { minLength: 6, maxLength: 6 }),
    pairs: fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(5)), { selector: String }),
    output: fc.nat(5),
    note: fc.option(fc.constantFrom('hello', 'there'), { nil: undefined }),
  })
  .map(({ name, response, ids, expressions, retries, pairs, output, note }) => ({
    schemaVersion: 1 as const,
    name,
    response,
    nodes: ids.map((id) => {
      const at = IDS.indexOf(id);
      return {
        id,
        type: 'transform',
        config: { expression: expressions[at] },
        ...(retries[at] === undefined ? {} : { retries: retries[at] }),
      };
    }),
    edges: pairs.flatMap(([from, to]): WorkflowEdge[] =>
      from < to && ids.includes(IDS[from] ?? '') && ids.includes(IDS[to] ?? '')
        ? [{ from: IDS[from] ?? '', to: IDS[to] ?? '' }]
        : [],
    ),
    output: ids[output % ids.length] ?? '',
    ...(note === undefined ? {} : { canvas: { notes: [{ id: 'n', text: note, position: { x: 0, y: 0 } }] } }),
  }));

const unordered = ({ nodes, edges, ...rest }: Definition) => ({
  ...rest,
  nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  edges: new Set(edges.map(({ from, to }) => `${from}>${to}`)),
});

const dangling = ({ nodes, edges, output }: Definition) => {
  const ids = new Set(nodes.map(({ id }) => id));
  return [...edges.flatMap(({ from, to }) => [from, to]), output].filter((id) => !ids.has(id));
};

function isCircular({ edges }: Definition): boolean {
  const reach = (from: string, seen: Set<string>): boolean =>
    edges.some((edge) => edge.from === from && (seen.has(edge.to) || reach(edge.to, new Set([...seen, edge.to]))));
  return edges.some(({ from }) => reach(from, new Set([from])));
}

const base: Definition = {
  schemaVersion: 1,
  name: 'Orders',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'price', type: 'transform', config: { expression: 'a' } },
    { id: 'call', type: 'http', config: { method: 'GET', url: 'https://one.test' } },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'price' },
    { from: 'price', to: 'call' },
    { from: 'call', to: 'out' },
  ],
  output: 'out',
};
const withNode = (id: string, patch: object): Definition => ({
  ...base,
  nodes: base.nodes.map((node) => (node.id === id ? { ...node, ...patch } : node)),
});
const without = (id: string): Definition => ({
  ...base,
  nodes: base.nodes.filter((node) => node.id !== id),
  edges: [
    { from: 'in', to: 'call' },
    { from: 'call', to: 'out' },
  ],
});

describe('a merge of three', () => {
  it('takes what only one side changed, and what both changed alike', () => {
    fc.assert(
      fc.property(definitions, definitions, (b, a) => {
        expect(mergeDefinitions(b, a, a)).toEqual({ definition: a, conflicts: [] });
        expect(mergeDefinitions(b, b, a)).toEqual({ definition: a, conflicts: [] });
        expect(mergeDefinitions(b, a, b)).toEqual({ definition: a, conflicts: [] });
      }),
    );
  });

  it('gives the same from both sides where nothing is in conflict', () => {
    fc.assert(
      fc.property(definitions, definitions, definitions, (b, x, y) => {
        const one = mergeDefinitions(b, x, y);
        const other = mergeDefinitions(b, y, x);
        expect(other.conflicts.map(({ key }) => key).sort()).toEqual(one.conflicts.map(({ key }) => key).sort());
        if (one.conflicts.length === 0 && x.canvas?.notes === y.canvas?.notes)
          expect(unordered(one.definition)).toEqual(unordered(other.definition));
      }),
    );
  });

  it('leaves no edge in the air and no circle, whatever is chosen', () => {
    fc.assert(
      fc.property(
        definitions,
        definitions,
        definitions,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (b, x, y, bits) => {
          const { conflicts } = mergeDefinitions(b, x, y);
          const choices = new Map(
            conflicts.map(({ key }, i) => [key, bits[i % bits.length] ? ('theirs' as const) : ('mine' as const)]),
          );
          const { definition } = mergeDefinitions(b, x, y, choices);
          expect(dangling(definition)).toEqual([]);
          expect(isCircular(definition)).toBe(false);
        },
      ),
    );
  });

  it('merges one node that both changed in different members', () => {
    const { definition, conflicts } = mergeDefinitions(
      base,
      withNode('price', { retries: 5 }),
      withNode('price', { config: { expression: 'b' } }),
    );
    expect(conflicts).toEqual([]);
    expect(definition.nodes[1]).toEqual({ id: 'price', type: 'transform', config: { expression: 'b' }, retries: 5 });
  });

  it('asks about a member that both changed, and obeys', () => {
    const [theirs, mine] = [
      withNode('price', { config: { expression: 't' } }),
      withNode('price', { config: { expression: 'm' } }),
    ];
    const { definition, conflicts } = mergeDefinitions(base, theirs, mine);
    expect(conflicts).toEqual([{ key: 'nodes/price/config/expression', base: 'a', theirs: 't', mine: 'm' }]);
    expect(definition).toEqual(mine);
    expect(
      mergeDefinitions(base, theirs, mine, new Map([['nodes/price/config/expression', 'theirs']])).definition,
    ).toEqual(theirs);
  });

  it('asks about a node that one side took away and the other changed or leads to', () => {
    expect(mergeDefinitions(base, without('price'), withNode('price', { retries: 1 })).conflicts).toMatchObject([
      { key: 'nodes/price', theirs: undefined, mine: { retries: 1 } },
    ]);
    const leads = { ...base, edges: [...base.edges, { from: 'price', to: 'out' }] };
    const { conflicts } = mergeDefinitions(base, without('price'), leads);
    expect(conflicts.map(({ key }) => key)).toEqual(['nodes/price']);
    expect(
      mergeDefinitions(base, without('price'), leads, new Map([['nodes/price', 'theirs']])).definition.edges,
    ).toEqual([
      { from: 'call', to: 'out' },
      { from: 'in', to: 'call' },
    ]);
  });

  it('asks about edges that make a circle only together', () => {
    const [theirs, mine] = [{ ...base, edges: [...base.edges.slice(0, 1), ...base.edges.slice(2)] }, base].map((one) =>
      structuredClone(one),
    ) as [Definition, Definition];
    const circle = mergeDefinitions(
      theirs,
      { ...theirs, edges: [...theirs.edges, { from: 'price', to: 'call' }] },
      { ...mine, edges: [...theirs.edges, { from: 'call', to: 'price' }] },
    );
    expect(circle.conflicts.map(({ key }) => key)).toEqual(['edges']);
  });

  it('takes places and notes without asking, mine first', () => {
    const [theirs, mine] = [
      withNode('price', { position: { x: 1, y: 1 } }),
      withNode('price', { position: { x: 2, y: 2 } }),
    ];
    const { definition, conflicts } = mergeDefinitions(base, theirs, mine);
    expect([conflicts, definition.nodes[1]?.position]).toEqual([[], { x: 2, y: 2 }]);
  });

  it('keeps numbers that a double cannot hold', async () => {
    const { parseJson } = await import('../../../../lib/json.ts');
    const [b, t, m] = ['1', '12345678901234567890', '12345678901234567891'].map(
      (n) => ({ ...base, input: parseJson(`{"maximum":${n}}`) }) as Definition,
    ) as [Definition, Definition, Definition];
    expect(mergeDefinitions(b, t, m).conflicts.map(({ key }) => key)).toEqual(['settings/input']);
  });
});
