import { expect, it } from 'vitest';
import { debugSteps } from './steps.ts';

const opened = { isDirty: false, parent: 'bad', failedCommit: 'bad', published: 'bad', hasRun: false };
const stepsOf = (over: Partial<typeof opened>) => {
  const { done, next } = debugSteps({ ...opened, ...over });
  return [...done, `next: ${next}`];
};

it('lead from a failed task to a new run of its job', () => {
  expect(stepsOf({})).toEqual(['next: run']);
  // Running what failed again, unchanged, fixes nothing.
  expect(stepsOf({ hasRun: true })).toEqual(['run', 'next: run']);
  expect(stepsOf({ isDirty: true })).toEqual(['next: run']);
  expect(stepsOf({ isDirty: true, hasRun: true })).toEqual(['run', 'next: save']);
  expect(stepsOf({ parent: 'good', hasRun: true })).toEqual(['run', 'save', 'next: publish']);
  expect(stepsOf({ parent: 'good' })).toEqual(['save', 'next: publish']);
  expect(stepsOf({ parent: 'good', published: 'good' })).toEqual(['save', 'publish', 'next: rerun']);
  expect(stepsOf({ parent: 'good', published: 'good', isDirty: true })).toEqual(['next: run']);
});
