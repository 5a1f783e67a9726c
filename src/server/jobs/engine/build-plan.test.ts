import { expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { workflow } from '../../testing/engine.fixture.ts';
import { createPlans } from './build-plan.ts';

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
