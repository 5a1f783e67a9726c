import { describe, expect, it } from 'vitest';
import { createDrafts, type DraftStorage } from './drafts.ts';

function memory(room = Number.POSITIVE_INFINITY): DraftStorage & { map: Map<string, string> } {
  const map = new Map<string, string>();
  return {
    map,
    get length() {
      return map.size;
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new Error('QuotaExceededError');
      map.set(key, value);
    },
    removeItem: (key) => void map.delete(key),
  };
}

describe('drafts', () => {
  it('are kept for each workflow and the version they began from', () => {
    const drafts = createDrafts(memory());
    drafts.save('a', { text: 'first', parent: null, at: 1 });
    drafts.save('a', { text: 'second', parent: 'beef', at: 2 });
    drafts.save('a-b', { text: 'other', parent: null, at: 3 });
    expect(drafts.load('a', null)?.text).toBe('first');
    expect(drafts.load('a', 'beef')?.text).toBe('second');
    expect(drafts.of('a').map((draft) => draft.text)).toEqual(['second', 'first']);
    drafts.drop('a', 'beef');
    expect(drafts.load('a', 'beef')).toBeNull();
  });

  it('let the oldest go', () => {
    const storage = memory();
    const drafts = createDrafts(storage);
    for (let i = 0; i < 60; i++) drafts.save(`w${i}`, { text: 'x', parent: null, at: i });
    expect(storage.map.size).toBe(50);
    expect(drafts.load('w9', null)).toBeNull();
    expect(drafts.load('w59', null)).not.toBeNull();
  });

  it('say so where there is no room, and read rubbish as nothing', () => {
    const storage = memory(40);
    const drafts = createDrafts(storage);
    expect(drafts.save('a', { text: 'x'.repeat(100), parent: null, at: 1 })).toBe(false);
    storage.map.set('yardmaster.draft.a.first', '{"text": 5');
    expect(drafts.load('a', null)).toBeNull();
  });
});
