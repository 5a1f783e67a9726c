import { expect, it } from 'vitest';
import { environmentToTry } from './endpoint.ts';

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
    environmentToTry(workflow('dev', 'staging')),
    environmentToTry(workflow('staging', 'prod')),
    environmentToTry(workflow('prod')),
    environmentToTry(workflow()),
  ]).toEqual(['dev', 'staging', 'dev', 'dev']);
});
