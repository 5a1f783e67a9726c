import { expect, it } from 'vitest';
import { triedIn } from './endpoint.ts';

it('a call by hand is called by hand where something answers, and never in prod unasked', () => {
  const workflow = (...published: readonly string[]) => ({
    environments: (['dev', 'staging', 'prod'] as const).map((environment) => ({
      environment,
      hash: published.includes(environment) ? 'a' : null,
      description: null,
      publishedAt: null,
      publishedBy: null,
    })),
  });
  expect([
    triedIn(workflow('dev', 'staging')),
    triedIn(workflow('staging', 'prod')),
    triedIn(workflow('prod')),
    triedIn(workflow()),
  ]).toEqual(['dev', 'staging', 'dev', 'dev']);
});
