import { expect, it } from 'vitest';
import { judgePublish } from './publish-health.ts';

const side = (finished: number, failed: number, p95Ms = 100) => ({
  finished,
  failed,
  failureRate: finished === 0 ? null : failed / finished,
  p95Ms,
});

it.each([
  ['many more failures', side(200, 2), side(200, 40), 'worse', 'more failures: failure rate 1.0% before, 20% after'],
  ['many fewer failures', side(200, 40), side(200, 2), 'better', 'fewer failures: failure rate 20% before, 1.0% after'],
  [
    'a failure or two by chance',
    side(100, 1),
    side(100, 3),
    'same',
    'failure rate 1.0% before, 3.0% after; p95 100 ms before, 100 ms after',
  ],
  [
    'a difference that is sure and means nothing',
    side(1_000_000, 1000),
    side(1_000_000, 2000),
    'same',
    'failure rate 0.1% before, 0.2% after; p95 100 ms before, 100 ms after',
  ],
  [
    'jobs that take twice as long',
    side(50, 0, 2000),
    side(50, 0, 4100),
    'worse',
    'slower: p95 2.0 s before, 4.1 s after',
  ],
  [
    'jobs that take half as long',
    side(50, 0, 400),
    side(50, 0, 200),
    'better',
    'faster: p95 400 ms before, 200 ms after',
  ],
  [
    'twice of next to nothing',
    side(50, 0, 2),
    side(50, 0, 5),
    'same',
    'failure rate 0% before, 0% after; p95 2 ms before, 5 ms after',
  ],
  [
    'all failing on both sides',
    side(50, 50),
    side(50, 50),
    'same',
    'failure rate 100% before, 100% after; p95 100 ms before, 100 ms after',
  ],
  ['too few jobs after', side(50, 0), side(9, 9), 'unclear', 'not enough data: 50 jobs finished before, 9 after'],
  ['no jobs before', side(0, 0), side(50, 0), 'unclear', 'not enough data: 0 jobs finished before, 50 after'],
] as const)('%s', (_what, before, after, verdict, message) =>
  expect(judgePublish(before, after)).toEqual({ verdict, message }),
);
