import { describe, expect, it } from 'vitest';
import type { ShadowReplay } from '../../../../contract/shadow-replays.ts';
import { conclusion } from './labels.ts';

const replay = (summary: Partial<ShadowReplay['summary']>, more: Partial<ShadowReplay> = {}): ShadowReplay => {
  const all = { same: 0, different: 0, failing: 0, mended: 0, unknown: 0, ...summary };
  const total = Object.values(all).reduce((sum, n) => sum + n, 0);
  return {
    id: 'r',
    workflowId: 'w',
    commit: 'c',
    environment: 'prod',
    against: null,
    where: {},
    status: 'DONE',
    total,
    done: total,
    summary: all,
    paths: [],
    warnings: [],
    createdAt: '',
    finishedAt: null,
    createdBy: 'x',
    ...more,
  };
};

describe('the conclusion of a replay', () => {
  it('is clear only where all inputs were run and none came out otherwise', () => {
    expect(conclusion(replay({ same: 3, mended: 1 }))).toEqual({
      clear: true,
      text: '1 of 4 replayed inputs failed before and are fixed now; 3 give the same result.',
    });
    expect(conclusion(replay({ same: 4 })).text).toBe('All 4 replayed inputs give the same result.');
    expect(conclusion(replay({ mended: 2 }))).toEqual({
      clear: true,
      text: 'All 2 replayed inputs failed before and are fixed now.',
    });
    expect(conclusion(replay({ same: 3, different: 1, failing: 1, unknown: 1 }))).toEqual({
      clear: false,
      text: '2 of 5 inputs differ. Review them before you publish.',
    });
    expect(conclusion(replay({ same: 3, unknown: 1 })).clear).toBe(false);
    expect(conclusion(replay({ unknown: 2 }))).toMatchObject({
      clear: false,
      text: expect.stringContaining('None of the inputs could be replayed'),
    });
    expect(conclusion(replay({}))).toMatchObject({ clear: false, text: expect.stringContaining('no finished calls') });
  });

  it('waits for the end, and counts only what ran where it was aborted', () => {
    expect(conclusion(replay({ same: 2 }, { status: 'RUNNING', total: 9 }))).toEqual({
      clear: false,
      text: 'No differences so far.',
    });
    expect(conclusion(replay({ same: 2 }, { status: 'ABORTED', total: 9 }))).toEqual({
      clear: false,
      text: 'All 2 replayed inputs give the same result.',
    });
  });
});
