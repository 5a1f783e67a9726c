import { expect, it } from 'vitest';
import type { PolicyRoute } from '../../../../contract/alert-channels.ts';
import {
  inhibitionDrafts,
  inhibitionsFromDrafts,
  newInhibition,
  parsePolicyText,
  routeDrafts,
  routesFromDrafts,
} from './route-draft.ts';

const routes: PolicyRoute[] = [
  {
    matchers: [
      { name: 'severity', op: '=', value: 'critical' },
      { name: 'workflow_id', op: '=~', value: 'pay.*' },
    ],
    channels: ['night'],
    continue: true,
    groupWaitSeconds: 5,
    routes: [{ matchers: [], channels: ['x'] }],
  },
  { matchers: [] },
];

it('gives back what it was given, with what its form has no field for', () => {
  expect(routesFromDrafts(routeDrafts(routes))).toEqual(routes);
  const inhibitions = [
    {
      source: [{ name: 'a', op: '=' as const, value: '1' }],
      target: [{ name: 'b', op: '!=' as const, value: '' }],
      equal: ['worker_id'],
    },
  ];
  expect(inhibitionsFromDrafts(inhibitionDrafts(inhibitions))).toEqual(inhibitions);
});

it('gives nothing while a line is no matcher or a side is empty', () => {
  const [first] = routeDrafts(routes);
  expect(first && routesFromDrafts([{ ...first, matchers: 'severity' }])).toBeNull();
  expect(inhibitionsFromDrafts([newInhibition()])).toBeNull();
});

it('says what is wrong with the text', () => {
  expect(() => parsePolicyText('{')).toThrow('Routes and inhibitions are not valid JSON');
  expect(() => parsePolicyText('{"routes": 1}')).toThrow(
    'Expected an object with the lists "routes" and "inhibitions".',
  );
  expect(parsePolicyText('{}')).toEqual({ routes: [], inhibitions: [] });
});
