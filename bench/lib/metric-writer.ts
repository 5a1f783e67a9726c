import { LIMITS } from '../../src/contract/limits.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';

/** Writes batches of 1,000 points and tells how many were acknowledged, until it is killed. */
const [folder = '', round = '0'] = process.argv.slice(2);
const { store } = await createMetrics({ folder, limits: { ...LIMITS }, clock: { now: Date.now } });
const encoder = new TextEncoder();
for (let batch = 0; ; batch++) {
  const lines = Array.from(
    { length: 1000 },
    (_, i) => `kill,round=${round},batch=${batch % 10} n=${i} ${1_767_225_600_000 + batch * 60_000 + i}\n`,
  );
  await store.write('metrics', encoder.encode(lines.join('')), 'ms');
  process.send?.(batch + 1);
}
