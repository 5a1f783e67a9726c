import { expect, it } from 'vitest';
import type { EchoMethods } from './echo-thread.fixture.ts';
import { watchThreadUsage } from './thread-usage.ts';
import { createThread } from './thread.ts';

it('tells what each thread takes, by its name, for as long as it runs', async () => {
  const usage = watchThreadUsage();
  const open = () =>
    createThread<EchoMethods>({
      file: new URL('./echo-thread.fixture.ts', import.meta.url),
      name: 'the echo thread',
      data: () => null,
    });
  const seen = () => {
    usage.look();
    return Object.fromEntries(usage.list().map(({ thread, ...rest }) => [thread, rest]));
  };
  const echo = 'echo';
  // A thread of tests before this one may still be ending in this process.
  expect(usage.list()[0]).toMatchObject({ thread: 'main', cpuUsage: null });
  expect(seen()['main']?.memoryBytes).toBeGreaterThan(1_000_000);
  const [one, two] = [open(), open()];
  try {
    await one.call('keep', 50_000_000);
    await expect.poll(() => seen()[echo]?.memoryBytes).toBeGreaterThan(50_000_000);
    await two.call('keep', 50_000_000);
    await expect.poll(() => seen()[echo]?.memoryBytes).toBeGreaterThan(100_000_000);
    await expect.poll(() => seen()[echo]?.cpuUsage).toBeGreaterThan(0);
    await one.close();
    expect(seen()[echo]?.memoryBytes).toBeLessThan(100_000_000);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
  expect(Object.keys(seen())).not.toContain(echo);
});
