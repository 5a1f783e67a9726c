/** Workflows of every shape, each with what it makes of an input `{n}`. */
const node = (id: string, type: string, config: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  id,
  type,
  name: id,
  config,
  position: { x: 0, y: 0 },
  ...more,
});
const compute = (id: string, expression: string, more: Record<string, unknown> = {}) =>
  node(id, 'transform', { expression }, more);
const ends = [node('in', 'input'), node('out', 'output')];

/** Edges as `from>to` or `from>to:port`. */
const edges = (...texts: string[]) =>
  texts.map((text) => {
    const [, from = '', to = '', port] = /^([^>]+)>([^:]+)(?::(.+))?$/.exec(text) ?? [];
    return { from, to, ...(port === undefined ? {} : { port }) };
  });
const definition = (name: string, nodes: object[], links: object[]) => ({
  schemaVersion: 1,
  name,
  response: 'list',
  nodes: [...ends, ...nodes],
  edges: links,
  output: 'out',
});

export const SHAPES = {
  chain: {
    definition: definition(
      'Chain',
      [
        compute('double', '{ "n": n * 2 }'),
        node('wait', 'delay', { seconds: 0.6 }),
        node('code', 'code', { source: 'return { n: input.n + 1 };' }),
      ],
      edges('in>double', 'double>wait', 'wait>code', 'code>out'),
    ),
    output: (n: number): unknown => ({ n: n * 2 + 1 }),
  },
  diamond: {
    definition: definition(
      'Diamond',
      [compute('left', 'n + 1'), node('right', 'delay', { seconds: 0.5 }), compute('both', '[left, right.n]')],
      edges('in>left', 'in>right', 'left>both', 'right>both', 'both>out'),
    ),
    output: (n: number): unknown => [n + 1, n],
  },
  branch: {
    definition: definition(
      'Branch',
      [
        node('even', 'condition', { expression: 'n % 2 = 0' }),
        compute('yes', '"even"'),
        compute('no', '"odd"'),
        compute('told', '$', { join: 'value' }),
      ],
      edges('in>even', 'even>yes:true', 'even>no:false', 'yes>told', 'no>told', 'told>out'),
    ),
    output: (n: number): unknown => (n % 2 === 0 ? 'even' : 'odd'),
  },
  each: {
    definition: definition(
      'Each',
      [
        node('each', 'forEach', {
          items: '[n, n + 1, n + 2, n + 3, n + 4]',
          node: { type: 'transform', config: { expression: '$ * 10' } },
          concurrency: 2,
        }),
        compute('sum', '$sum($)'),
      ],
      edges('in>each', 'each>sum', 'sum>out'),
    ),
    output: (n: number): unknown => (5 * n + 10) * 10,
  },
  parent: {
    definition: definition(
      'Parent',
      [node('call', 'workflow', { workflowId: 'chain', environment: 'dev' }), compute('first', '{ "child": $ }')],
      edges('in>call', 'call>first', 'first>out'),
    ),
    output: (n: number): unknown => ({ child: [{ n: n * 2 + 1 }] }),
  },
};
export type ShapeName = keyof typeof SHAPES;
