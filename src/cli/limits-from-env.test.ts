import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LIMIT_BOUNDS, type Bounds } from '../contract/limits.ts';
import { LIMITS } from '../contract/limits.ts';
import { limitsFromEnv, limitVariable } from './limits-from-env.ts';

it('takes a limit from its variable', () => {
  expect(
    limitsFromEnv({
      YARDMASTER_BODY_BYTES: '1024',
      YARDMASTER_RETRY_CHECK_SECONDS: '0.05',
      YARDMASTER_QUEUE_DEPTH: '0',
    }),
  ).toEqual({ bodyBytes: 1024, retryCheckSeconds: 0.05, queueDepth: 0 });
});

it('takes the wait of an event call from the name of the contract as well', () => {
  expect(limitsFromEnv({ YARDMASTER_EVENT_WAIT_S: '2' })).toEqual({ eventWaitSeconds: 2 });
  expect(limitsFromEnv({ YARDMASTER_EVENT_WAIT_SECONDS: '3' })).toEqual({ eventWaitSeconds: 3 });
  expect(limitVariable('eventWaitSeconds')).toBe('YARDMASTER_EVENT_WAIT_S');
});

it('leaves what is not set, or empty, to the default', () =>
  expect(limitsFromEnv({ YARDMASTER_BODY_BYTES: '' })).toEqual({}));

it.each([
  ['YARDMASTER_BODY_BYTES', '0'],
  ['YARDMASTER_WORKER_FRAME_BYTES', '1000'],
  ['YARDMASTER_RETENTION_STEP_MS', '100000'],
  ['YARDMASTER_HEARTBEAT_SECONDS', '0.001'],
  ['YARDMASTER_EVENT_WAITING_BYTES', '1'],
  ['YARDMASTER_BODY_BYTES', '1.5'],
  ['YARDMASTER_BODY_BYTES', '5 MB'],
  ['YARDMASTER_RETRIES', '-1'],
  ['YARDMASTER_RETRY_JITTER', '2'],
  ['YARDMASTER_RUN_TIMEOUT_SECONDS', 'Infinity'],
])('refuses %s=%s with the name of the variable', (name, value) => {
  expect(() => limitsFromEnv({ [name]: value })).toThrow(`${name} must be a`);
});

it('knows a variable for every limit', () => {
  const all = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  const env = Object.fromEntries(all.map((name) => [limitVariable(name), String(LIMITS[name])]));
  expect(limitsFromEnv(env)).toEqual(LIMITS);
});

it('documents each with its variable, default and bounds', () => {
  const rows = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((row) => row.startsWith('| `'));
  const documented = rows
    .map((row) => row.split(' | '))
    .map((cells) => [...cells.slice(0, 3), cells.slice(3).at(-1)].join(' | '));
  const bounds = ([least, most, or]: Bounds) => `${or === undefined ? '' : `${or}, `}${least} – ${most} |`;
  expect(documented).toEqual(
    Object.entries(LIMITS).map(
      ([name, value]) =>
        `| \`${name}\` | \`${limitVariable(name as keyof typeof LIMITS)}\` | ${value} | ${bounds(LIMIT_BOUNDS[name as keyof typeof LIMITS])}`,
    ),
  );
});
