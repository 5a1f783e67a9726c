import { describe, expect, it } from 'vitest';
import { findSecretNames, withSecrets } from './secret-names.ts';

describe('the secrets of a node', () => {
  it('are those that its texts name, in expressions too', () => {
    expect(
      findSecretNames('http', {
        url: 'https://x/{{secrets.PATH}}',
        headers: { a: 'Basic {{ $base64encode(secrets.USER & ":" & secrets.PASS) }}' },
        body: { deep: ['{{secrets.B}}'] },
      }),
    ).toEqual(['B', 'PASS', 'PATH', 'USER']);
    expect(
      findSecretNames('http', {
        url: 'https://secrets.EXAMPLE/',
        body: '{{ "secrets.QUOTED" & order.secrets.FIELD & secrets.lower }}',
      }),
    ).toEqual([]);
  });

  it('are those that its code names', () => {
    expect(
      findSecretNames('code', { source: `return ctx.secrets.A + ctx.secrets['B_2'] + ctx . secrets . C` }),
    ).toEqual(['A', 'B_2', 'C']);
    expect(findSecretNames('code', { source: 'return secrets.A' })).toEqual([]);
  });

  it('are those of the inner node of a forEach; other types have none', () => {
    expect(
      findSecretNames('forEach', { items: '$', node: { type: 'http', config: { url: '{{secrets.A}}' } } }),
    ).toEqual(['A']);
    expect(findSecretNames('template', { template: '{{secrets.A}}' })).toEqual([]);
  });

  it('take their place in the expression', () =>
    expect(withSecrets('secrets.A & "secrets.A" & x.secrets.A', () => '"v"')).toBe('"v" & "secrets.A" & x.secrets.A'));
});
