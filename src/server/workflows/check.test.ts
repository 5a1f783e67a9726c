import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../contract/definition.ts';
import { buildGraph } from '../../contract/graph.ts';
import { checkDefinition } from './check.ts';
import { graphWarnings } from './graph-warnings.ts';
import { workflowCalls, callWarnings, selfCalls } from './check-calls.ts';
import { createSchemaCompiler } from './schema/compile.ts';

const schemas = createSchemaCompiler({ schemaBytes: 65_536, steps: 1_000_000 });
const check = (definition: Definition) => checkDefinition(definition, { schemas, definitionNodes: 50 });

type Node = Definition['nodes'][number];
const transform = (id: string): Node => ({ id, type: 'transform', config: { expression: '$' } });
const input: Node = { id: 'in', type: 'input' };
const output: Node = { id: 'out', type: 'output' };

function graph(nodes: Node[], edges: string[], over: Partial<Definition> = {}): Definition {
  return {
    schemaVersion: 1,
    name: 'n',
    response: 'list',
    nodes,
    output: 'out',
    ...over,
    edges: edges.map((text) => {
      const [from = '', to = '', port] = text.split('>');
      return port === undefined ? { from, to } : { from, to, port };
    }),
  };
}
const chain = (node: Node) => graph([input, node, output], [`in>${node.id}`, `${node.id}>out`]);
const told = (definition: Definition) => check(definition).map((f) => `${f.code} ${f.pointer}`);

const each = (node: object, more: object = {}): Node => ({
  id: 'x',
  type: 'forEach',
  config: { items: 'list', node, ...more },
});
const condition: Node = { id: 'if', type: 'condition', config: { expression: 'a > 1' } };

describe('the checker', () => {
  it.each<[string, Definition, string[]]>([
    [
      'a whole graph',
      graph(
        [input, condition, transform('a'), transform('b'), output],
        ['in>if', 'if>a>true', 'if>b>false', 'a>out', 'b>out'],
      ),
      [],
    ],
    ['no node at all', graph([], []), ['NO_INPUT /nodes', 'OUTPUT_MISSING /output']],
    [
      'two inputs',
      graph([input, { id: 'in2', type: 'input' }, output], ['in>out', 'in2>out']),
      ['MANY_INPUTS /nodes/1/type'],
    ],
    [
      'equal ids',
      graph([input, transform('a'), transform('a'), output], ['in>a', 'a>out']),
      ['DUPLICATE_NODE /nodes/2/id'],
    ],
    [
      'an edge to nowhere and one from nowhere',
      graph([input, output], ['in>out', 'in>x', 'y>out']),
      ['DANGLING_EDGE /edges/1/to', 'DANGLING_EDGE /edges/2/from'],
    ],
    ['an edge twice', graph([input, output], ['in>out', 'in>out']), ['DUPLICATE_EDGE /edges/1']],
    [
      'edges into the input and out of the output',
      graph([input, transform('a'), output], ['in>a', 'a>out', 'a>in', 'out>a']),
      ['EDGE_TO_INPUT /edges/2/to', 'EDGE_FROM_OUTPUT /edges/3/from', 'CYCLE /edges/3'],
    ],
    [
      'a cycle',
      graph([input, transform('a'), transform('b'), output], ['in>a', 'a>b', 'b>a', 'b>out']),
      ['CYCLE /edges/2'],
    ],
    [
      'a node that loops on itself',
      graph([input, transform('a'), output], ['in>a', 'a>a', 'a>out']),
      ['CYCLE /edges/1'],
    ],
    [
      'what is never reached',
      graph([input, transform('a'), transform('b'), output], ['in>out', 'a>b']),
      ['UNREACHABLE /nodes/1', 'UNREACHABLE /nodes/2'],
    ],
    [
      'an output that is never reached',
      graph([input, transform('a'), output], ['in>a']),
      ['OUTPUT_UNREACHABLE /output'],
    ],
    [
      'an output that is none',
      graph([input, transform('a'), output], ['in>a', 'a>out'], { output: 'a' }),
      ['OUTPUT_TYPE /output'],
    ],
    ['a condition without ports', graph([input, condition, output], ['in>if', 'if>out']), ['PORT_MISSING /edges/1']],
    ['an unknown port', graph([input, condition, output], ['in>if', 'if>out>maybe']), ['PORT_UNKNOWN /edges/1/port']],
    [
      'a port where there is none',
      graph([input, transform('a'), output], ['in>a', 'a>out>true']),
      ['PORT_NOT_ALLOWED /edges/1/port'],
    ],
    ['an unknown type', chain({ id: 'x', type: 'teleport' }), ['UNKNOWN_TYPE /nodes/1/type']],
    ['no configuration', chain({ id: 'x', type: 'transform' }), ['BAD_CONFIG /nodes/1/config/expression']],
    [
      'an unknown setting',
      chain({ id: 'x', type: 'delay', config: { seconds: 1, minutes: 2 } }),
      ['BAD_CONFIG /nodes/1/config/minutes'],
    ],
    [
      'a wrong method',
      chain({ id: 'x', type: 'http', config: { method: 'FETCH', url: 'http://a' } }),
      ['BAD_CONFIG /nodes/1/config/method'],
    ],
    [
      'a setting of an input',
      graph([{ ...input, config: { a: 1 } }, output], ['in>out']),
      ['BAD_CONFIG /nodes/0/config/a'],
    ],
    [
      'bad JSONata',
      chain({ id: 'x', type: 'transform', config: { expression: 'a +' } }),
      ['BAD_EXPRESSION /nodes/1/config/expression'],
    ],
    [
      'a template with bad JSONata',
      chain({ id: 'x', type: 'template', config: { template: 'Dear {{ name }}, {{ a + }}' } }),
      ['BAD_EXPRESSION /nodes/1/config/template'],
    ],
    [
      'a header with bad JSONata',
      chain({
        id: 'x',
        type: 'http',
        config: { method: 'GET', url: 'http://a/{{id}}', headers: { 'x-a': '{{(}}' }, body: [{ a: '{{)}}' }] },
      }),
      ['BAD_EXPRESSION /nodes/1/config/headers/x-a', 'BAD_EXPRESSION /nodes/1/config/body/0/a'],
    ],
    [
      'code that does not parse',
      chain({ id: 'x', type: 'code', config: { source: 'return (' } }),
      ['BAD_CODE /nodes/1/config/source'],
    ],
    [
      'code that closes its function',
      chain({ id: 'x', type: 'code', config: { source: '}); process.exit(1); (async () => {' } }),
      ['BAD_CODE /nodes/1/config/source'],
    ],
    [
      'an expression that is nested too deeply',
      chain({ id: 'x', type: 'transform', config: { expression: '('.repeat(20_000) } }),
      ['BAD_EXPRESSION /nodes/1/config/expression'],
    ],
    [
      'code that is nested too deeply',
      chain({ id: 'x', type: 'code', config: { source: `return ${'('.repeat(300_000)}1` } }),
      ['BAD_CODE /nodes/1/config/source'],
    ],
    [
      'expressions that are too long together',
      graph(
        [
          input,
          ...Array.from({ length: 5 }, (_, i) => ({
            ...transform(`t${i}`),
            config: { expression: `"${'x'.repeat(60_000)}"` },
          })),
          output,
        ],
        ['in>t0', 't0>t1', 't1>t2', 't2>t3', 't3>t4', 't4>out'],
      ),
      ['BAD_EXPRESSION /nodes/5/config/expression'],
    ],
    [
      'a forEach with all that it may have',
      chain(
        each(
          { type: 'http', config: { method: 'GET', url: 'http://a/{{ id }}' } },
          { concurrency: 3, onError: 'collect' },
        ),
      ),
      [],
    ],
    [
      'a list with bad JSONata',
      chain({
        ...each({ type: 'transform', config: { expression: '$' } }),
        config: { items: 'a[', node: { type: 'transform', config: { expression: '$' } } },
      }),
      ['BAD_EXPRESSION /nodes/1/config/items'],
    ],
    [
      'a forEach without a list, or without a node',
      chain({ id: 'x', type: 'forEach', config: { concurrency: 0 } }),
      ['BAD_CONFIG /nodes/1/config/items', 'BAD_CONFIG /nodes/1/config/node', 'BAD_CONFIG /nodes/1/config/concurrency'],
    ],
    [
      'an inner node with bad JSONata',
      chain(each({ type: 'transform', config: { expression: 'a +' } })),
      ['BAD_EXPRESSION /nodes/1/config/node/config/expression'],
    ],
    [
      'an inner node with a bad configuration',
      chain(each({ type: 'delay', config: { seconds: -1 } })),
      ['BAD_CONFIG /nodes/1/config/node/config/seconds'],
    ],
    [
      'an inner node with code that does not parse',
      chain(each({ type: 'code', config: { source: 'return (' } })),
      ['BAD_CODE /nodes/1/config/node/config/source'],
    ],
    [
      'an inner node of an unknown type',
      chain(each({ type: 'teleport', config: {} })),
      ['UNKNOWN_TYPE /nodes/1/config/node/type'],
    ],
    ...['input', 'output', 'forEach'].map((type): [string, Definition, string[]] => [
      `an inner node of type ${type}`,
      chain(each({ type, config: {} })),
      ['INNER_TYPE /nodes/1/config/node/type'],
    ]),
    [
      'a workflow without an environment',
      chain({ id: 'x', type: 'workflow', config: { workflowId: 'w' } }),
      ['BAD_CONFIG /nodes/1/config/environment'],
    ],
    [
      'a handler without a name',
      chain({ id: 'x', type: 'handler', config: { handler: '' } }),
      ['BAD_CONFIG /nodes/1/config/handler'],
    ],
    [
      'a bad input schema',
      graph([input, output], ['in>out'], { input: { type: 'object', properties: { a: { type: 'strin' } } } }),
      ['BAD_SCHEMA /input/properties/a/type'],
    ],
    [
      'more nodes than allowed',
      graph(
        Array.from({ length: 51 }, (_, i) => transform(`n${i}`)),
        [],
      ),
      ['TOO_MANY_NODES /nodes'],
    ],
  ])('tells of %s', (_name, definition, faults) => {
    expect(told(definition)).toEqual(faults);
  });

  it('names the path of a cycle', () => {
    expect(
      check(
        graph([input, transform('a'), transform('b'), transform('c'), output], ['in>a', 'a>b', 'b>c', 'c>a', 'c>out']),
      )[0]?.message,
    ).toMatch(/a → b → c → a/);
  });

  it('tells of a workflow that calls itself, also item by item', () => {
    const call = { type: 'workflow', config: { workflowId: 'me', environment: 'dev' } };
    const definition = graph(
      [
        input,
        { id: 'a', ...call },
        { ...each(call), id: 'b' },
        { id: 'c', type: 'workflow', config: { workflowId: 'other', environment: 'dev' } },
        output,
      ],
      ['in>a', 'a>b', 'b>c', 'c>out'],
    );
    expect(check(definition)).toEqual([]);
    expect(selfCalls(workflowCalls(definition), 'me').map((f) => `${f.code} ${f.pointer}`)).toEqual([
      'SELF_CALL /nodes/1/config/workflowId',
      'SELF_CALL /nodes/2/config/node/config/workflowId',
    ]);
    expect(selfCalls(workflowCalls(definition), 'you')).toEqual([]);
  });

  it('warns of calls of what is not published where the node says, also item by item', () => {
    const call = (workflowId: string, environment: string) => ({
      type: 'workflow',
      config: { workflowId, environment },
    });
    const definition = graph(
      [
        input,
        { id: 'a', ...call('there', 'dev') },
        { id: 'b', ...call('there', 'prod') },
        { ...each(call('gone', 'dev')), id: 'c' },
        { id: 'd', ...call('there', 'qa') },
        output,
      ],
      ['in>a', 'a>b', 'b>c', 'c>d', 'd>out'],
    );
    const published = (id: string, environment: string) =>
      id === 'there' ? (environment === 'dev' ? 'f'.repeat(40) : null) : undefined;
    expect(callWarnings(workflowCalls(definition), published)).toEqual([
      {
        pointer: '/nodes/2/config/workflowId',
        code: 'CALL_NOT_PUBLISHED',
        message: 'there is not published to prod yet: calls from this node fail until it is',
        workflowId: 'there',
        environment: 'prod',
      },
      {
        pointer: '/nodes/3/config/node/config/workflowId',
        code: 'CALL_UNKNOWN',
        message: 'workflow gone does not exist or is archived: calls from this node fail until it exists',
        workflowId: 'gone',
        environment: 'dev',
      },
    ]);
  });

  it('warns of a port of a condition that leads nowhere, and of no other', () => {
    const definition = graph([input, condition, output], ['in>if', 'if>out>true']);
    expect(check(definition)).toEqual([]);
    expect(graphWarnings(definition)).toEqual([
      {
        pointer: '/nodes/1',
        code: 'PORT_UNCONNECTED',
        message: 'port false of if leads nowhere: an input that takes it is not processed further',
        port: 'false',
      },
    ]);
    expect(graphWarnings(graph([input, condition, output], ['in>if', 'if>out>true', 'if>out>false']))).toEqual([]);
  });

  it('warns of a node that only computes and leads nowhere', () => {
    const http: Node = { id: 'call', type: 'http', config: { method: 'POST', url: 'http://a.example' } };
    const ends = (node: Node, output_ = 'out') =>
      graphWarnings(graph([input, node, output], [`in>${node.id}`, 'in>out'], { output: output_ }));
    expect(ends(transform('a'))).toEqual([
      {
        pointer: '/nodes/1',
        code: 'RESULT_UNUSED',
        message: 'no edge leads from a: its result is not used',
        node: 'a',
      },
    ]);
    expect(ends(each({ type: 'template', config: { template: 'x' } }))).toMatchObject([{ code: 'RESULT_UNUSED' }]);
    // What calls something may be the end of its branch; what is not reached is a fault.
    expect(ends(http)).toEqual([]);
    expect(ends(each({ type: 'http', config: http.config }))).toEqual([]);
    expect(ends(transform('a'), 'a')).toEqual([]);
    expect(graphWarnings(graph([input, transform('a'), output], ['in>out']))).toEqual([]);
    expect(graphWarnings(chain(transform('a')))).toEqual([]);
  });

  it('runs none of the code that it checks', () => {
    expect(
      told(chain({ id: 'x', type: 'code', config: { source: 'globalThis.ran = true; await 1; return input;' } })),
    ).toEqual([]);
    expect((globalThis as { ran?: boolean }).ran).toBeUndefined();
  });

  it('passes no graph that cannot be walked', () => {
    const ids = ['in', 'a', 'b', 'c', 'out'];
    const edge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)).map(([from, to]) => `${from}>${to}`);
    fc.assert(
      fc.property(fc.uniqueArray(edge, { maxLength: 10 }), (edges) => {
        const definition = graph([input, transform('a'), transform('b'), transform('c'), output], edges);
        if (check(definition).length > 0) return;
        const { order } = buildGraph(definition);
        expect([...order].sort()).toEqual([...ids].sort());
      }),
      { numRuns: 500 },
    );
  });
});
