import { describe, expect, it } from 'vitest';
import { cutNotes } from './cut-notes.ts';

describe('a calendar', () => {
  it('says nothing where it shows all', () => {
    expect(cutNotes(0, 0)).toEqual([]);
    expect(cutNotes(500, 999)).toEqual([]);
  });

  it('says what it leaves out', () => {
    expect(cutNotes(1501, 0)).toEqual(['Only the latest 500 of 1,501 past due times are shown.']);
    expect(cutNotes(500, 1000)).toEqual(['Only the next 1,000 due times are shown.']);
    expect(cutNotes(501, 1000)).toHaveLength(2);
  });
});
