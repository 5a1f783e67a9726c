import { describe, expect, it } from 'vitest';
import { calledIn, confirmed, versionBefore, whyNoPublish, whyNoRollBack, whyNoUnpublish } from './rules.ts';

const token = (role: 'viewer' | 'operator' | 'admin') => ({ role, grants: null, held: null });
const at = '2026-01-01T00:00:00.000Z';

describe('publishing', () => {
  it('needs an operator, for prod an admin, and a version without faults', () => {
    expect(whyNoPublish(token('operator'), {}, 'dev', { valid: true })).toBeNull();
    expect(whyNoPublish(token('viewer'), {}, 'dev', { valid: true })).toBe(
      'Publishing to dev requires the role operator; yours is viewer.',
    );
    expect(whyNoPublish(token('operator'), {}, 'prod', { valid: true })).toBe(
      'Publishing to prod requires the role admin; yours is operator.',
    );
    expect(whyNoPublish(token('admin'), {}, 'prod', { valid: false })).toContain('validation errors');
    expect(whyNoPublish(token('admin'), {}, 'dev', null)).toContain('No version yet');
  });

  it('says why it cannot be undone or gone back to', () => {
    const none = { environment: 'dev' as const, hash: null, description: null, publishedAt: null, publishedBy: null };
    expect(whyNoUnpublish(token('admin'), {}, none)).toBe('Nothing is published there.');
    const entry = {
      id: '1',
      environment: 'dev' as const,
      hash: 'a',
      previousHash: null,
      description: null,
      publishedAt: at,
      publishedBy: 'x',
    };
    expect(whyNoRollBack(token('admin'), {}, entry, 'a')).toContain('already');
    expect(whyNoRollBack(token('admin'), {}, entry, 'b')).toBeNull();
    expect(whyNoRollBack(token('admin'), {}, { ...entry, hash: null }, 'b')).toContain('unpublished');
  });

  it('knows what ran before what runs now', () => {
    const entry = (environment: 'dev' | 'prod', hash: string | null) => ({
      id: '1',
      environment,
      hash,
      previousHash: null,
      description: null,
      publishedAt: at,
      publishedBy: 'x',
    });
    const log = [entry('prod', 'c'), entry('dev', 'x'), entry('prod', null), entry('prod', 'b'), entry('prod', 'a')];
    const pointer = (hash: string | null) => ({
      environment: 'prod' as const,
      hash,
      description: null,
      publishedAt: at,
      publishedBy: 'x',
    });
    expect([
      versionBefore(pointer('c'), log),
      versionBefore(pointer(null), log),
      versionBefore(pointer('c'), []),
    ]).toEqual([{ hash: 'b', number: undefined }, null, null]);
  });

  it('is tried on calls of the environment, or of one that may have had some', () => {
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
      calledIn(workflow('dev', 'prod'), 'dev'),
      calledIn(workflow('dev', 'staging'), 'prod'),
      calledIn(workflow('dev'), 'staging'),
      calledIn(workflow(), 'prod'),
    ]).toEqual(['dev', 'staging', 'dev', 'prod']);
  });

  it('asks for the id of the workflow for prod alone', () => {
    expect([
      confirmed('dev', 'greet', ''),
      confirmed('prod', 'greet', 'gree'),
      confirmed('prod', 'greet', ' greet '),
    ]).toEqual([true, false, true]);
  });
});
