import { expect, it } from 'vitest';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { MetricThreadData } from './store-thread.ts';
import type { WriterMethods } from './write/port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

it('tends nothing once it is closed, however long its thread lives on', async () => {
  const told: unknown[] = [];
  const data: MetricThreadData = {
    role: 'write',
    tendMs: 1,
    folder: temporaryFolder('metrics'),
    sealBytes: 1e6,
    quietMs: 1000,
    mostSeries: 100,
    mostFields: 100,
    mostBytes: 1e9,
    rawDays: 0,
    rollDays: 0,
    headPages: 10_000,
  };
  const thread = createThread<WriterMethods>({
    file: threadFile(import.meta.url, './store-thread.ts', 'metric-thread.js'),
    name: 'the metric writer thread',
    data: () => data,
    onEvent: (event) => void told.push(event),
    onExit: (why) => void (why !== null && told.push(why)),
  });
  try {
    await thread.call('stats');
    await thread.call('close');
    // Each answer comes a turn of the thread's loop later, in which its timers fire.
    for (let i = 0; i < 200; i++) await thread.call('buckets');
    expect(told).toEqual([]);
  } finally {
    await thread.close();
  }
});
