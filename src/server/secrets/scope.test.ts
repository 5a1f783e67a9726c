import { describe, expect, it } from 'vitest';
import type { SecretScope } from '../../contract/secrets.ts';
import { scopeOf, scopeRefusal } from './scope.ts';
import type { SecretRun } from './port.ts';

const prod: SecretRun = { workflowId: 'shop', environment: 'prod', commit: 'c'.repeat(40), kind: 'event' };
const draft: SecretRun = { workflowId: 'shop~draft', environment: null, commit: 'd'.repeat(40), kind: 'draft' };
const ask = (scope: SecretScope, run: SecretRun, published = true) => scopeRefusal('KEY', scope, run, () => published);

describe('a scope', () => {
  it('that is not given serves whatever is published, in every environment, and no drafts', () => {
    const scope = scopeOf({});
    expect(scope).toEqual({ drafts: false });
    for (const environment of ['dev', 'staging', 'prod'] as const)
      expect(ask(scope, { ...prod, environment })).toBeNull();
    expect(ask(scope, draft)).toBe(
      'secret KEY is not available: its scope excludes draft runs; publish the version, or let an admin allow drafts with `yardmaster secrets scope KEY --drafts`',
    );
  });

  it('holds for its workflows alone, drafts of them included', () => {
    const scope = scopeOf({ workflows: ['shop'], drafts: true });
    expect(ask(scope, prod)).toBeNull();
    expect(ask(scope, draft)).toBeNull();
    expect(ask(scope, { ...prod, workflowId: 'mine' })).toContain('only for workflow shop, and this job runs mine');
    expect(ask(scope, { ...draft, workflowId: 'mine~draft' })).toContain('this job runs mine');
  });

  it('holds for its environments alone', () => {
    const scope = scopeOf({ environments: ['staging', 'prod'] });
    expect(ask(scope, prod)).toBeNull();
    expect(ask(scope, { ...prod, environment: 'dev' })).toContain(
      'only for environments staging, prod, and this job runs in dev',
    );
    expect(ask({ ...scope, drafts: true }, { ...prod, environment: 'dev' }, false)).not.toBeNull();
  });

  it('takes a version that was never published to the environment of its job for a draft', () => {
    const rerun = { ...prod, kind: 'batch' } as const;
    expect(ask(scopeOf({}), rerun, false)).toContain('excludes version cccccccccc, which was never published to prod');
    expect(ask(scopeOf({ drafts: true }), rerun, false)).toBeNull();
    expect(ask(scopeOf({}), rerun, true)).toBeNull();
    expect(ask(scopeOf({}), { ...rerun, environment: null }, true)).toContain('without an environment');
    expect(ask(scopeOf({ drafts: true }), { ...rerun, environment: null }, false)).toBeNull();
  });

  it('names a few workflows where there are many', () => {
    const workflows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(ask(scopeOf({ workflows }), prod)).toContain('workflows a, b, c, d, e and 2 more,');
  });
});
