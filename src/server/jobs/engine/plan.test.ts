import { expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { workflow } from '../../testing/engine.fixture.ts';
import { createPlans } from './plan.ts';

it('a plan is kept, and made anew once a limit that it took in has changed', () => {
  const limits = { ...LIMITS, retries: 3 as number };
  const plans = createPlans(limits);
  const runnable = workflow({ a: {}, b: { retries: 1 } }, ['input>a', 'a>b', 'b>output']);
  const first = plans(runnable);
  expect(plans(runnable)).toBe(first);
  limits.retries = 7;
  const second = plans(runnable);
  expect([first.nodes.get('a')?.retries, second.nodes.get('a')?.retries, second.nodes.get('b')?.retries]).toEqual([
    3, 7, 1,
  ]);
});

it('a node knows the secrets that it names, and follows no other in a lease where it names some', () => {
  const { nodes } = createPlans(LIMITS)(
    workflow(
      {
        a: { type: 'code', config: { source: 'return ctx.secrets.A' } },
        b: { type: 'http', config: { method: 'GET', url: 'https://x/{{secrets.B}}' } },
      },
      ['input>a', 'a>b', 'b>output'],
    ),
  );
  expect([nodes.get('a')?.secrets, nodes.get('b')?.secrets]).toEqual([['A'], ['B']]);
  expect(nodes.get('a')?.chain).toEqual([]);
});

it('knows which nodes act on other systems, and which only compute, with their chains and for the items of a list', () => {
  const forEach = (type: string, config = {}) => ({ type: 'forEach', config: { list: '$', node: { type, config } } });
  const { nodes } = createPlans(LIMITS)(
    workflow(
      {
        text: { type: 'template', config: { template: 'x' } },
        shape: { type: 'transform', config: { expression: '$' } },
        call: { type: 'http', config: { method: 'GET', url: 'https://x' } },
        calls: forEach('http', { method: 'GET', url: 'https://x' }),
        shapes: forEach('transform', { expression: '$' }),
        last: { type: 'transform', config: { expression: '$' } },
      },
      ['input>text', 'text>shape', 'shape>call', 'call>calls', 'calls>shapes', 'shapes>last', 'last>output'],
    ),
  );
  const of = (id: string) => {
    const node = nodes.get(id);
    return [node, node?.foreach?.item].map((one) => one && [one.hasEffects, one.computes]);
  };
  expect([of('text'), of('shape'), of('call')]).toEqual([
    [[true, false], undefined],
    [[true, false], undefined],
    [[true, false], undefined],
  ]);
  expect(of('calls')).toEqual([
    [false, false],
    [true, false],
  ]);
  expect(of('shapes')).toEqual([
    [false, false],
    [false, true],
  ]);
  expect(of('last')).toEqual([[false, true], undefined]);
});
