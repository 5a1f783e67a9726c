import { expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { effectLabels } from './outside-nodes.ts';

const labels = (...nodes: { type: string; config?: Record<string, unknown> }[]) =>
  effectLabels({ nodes: nodes.map((node, i) => ({ id: `n${i}`, ...node })) } as unknown as Definition);
const wait = { type: 'wait', config: { for: 'approval' } };

it('speaks of calls where there are some, and of waits where a node waits', () => {
  expect(labels({ type: 'input' }, { type: 'code' })).toBeNull();
  expect(labels(wait)).toEqual({
    label: 'Wait for real',
    hint: '1 node waits: unless this is checked, the run goes on at once.',
  });
  expect(labels({ type: 'http' }, { type: 'forEach', config: { node: { type: 'handler' } } })).toEqual({
    label: 'Make real external calls',
    hint: '2 nodes call external services: unless this is checked, mocks run instead.',
  });
  const both = labels({ type: 'http' }, wait, wait);
  expect(both?.label).toBe('Make real external calls and wait');
  expect(both?.hint).toMatch(/^1 node calls .* 2 nodes wait: /);
});
