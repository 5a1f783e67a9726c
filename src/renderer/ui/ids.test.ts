import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idFault, idFromName } from './ids.ts';

describe('ids', () => {
  it('are refused with the reason', () => {
    expect([
      idFault(''),
      idFault('Ab'),
      idFault('-a'),
      idFault('a_b'),
      idFault('a'.repeat(64)),
      idFault('a-1'),
    ]).toEqual([
      'ID is required.',
      'Lowercase letters only.',
      'Start with a letter or digit.',
      'Lowercase letters, digits and hyphens only.',
      'Max. 63 characters; this has 64.',
      null,
    ]);
  });

  it('made from a name are valid, or empty', () => {
    expect(idFromName('Größe & Ärger')).toBe('gro-e-arger');
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (name) => {
        const id = idFromName(name);
        expect(id === '' || idFault(id) === null, id).toBe(true);
      }),
    );
  });
});
