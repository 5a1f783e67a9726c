import { expect, test } from 'vitest';
import { createStatusPoller } from './status-poller.ts';

const OVERVIEW = { jobs: { running: 2, failedLastHour: 0 }, tasks: { ready: 0, running: 2 }, workers: null };

test('what is asked of a cluster once is answered, also where the rhythm looks at the same cluster meanwhile', async () => {
  const waiting: (() => void)[] = [];
  const poller = createStatusPoller(
    {
      target: () => ({ url: 'http://127.0.0.1', token: 'ymt_secret' }),
      since: () => 0,
      fetch: (_target, url, { signal }) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          waiting.push(() => resolve(Response.json(url.includes('/overview') ? OVERVIEW : {})));
        }),
    },
    () => 'local',
  );
  const asked = poller.pollCluster('local');
  const shown = poller.poll();
  for (const answer of waiting) answer();
  expect((await asked).facts?.runningJobs).toBe(2);
  expect((await shown).facts?.runningJobs).toBe(2);
  poller.stop();
});
