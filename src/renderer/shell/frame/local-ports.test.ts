import { expect, test } from 'vitest';
import type { LocalPort, PortPreference } from '../../../contract/desktop.ts';
import { parsePort, portFaults, takenText } from './local-ports.ts';

const port = (name: PortPreference, usual: number, more: Partial<LocalPort> = {}): LocalPort => ({
  name,
  usual,
  preferred: null,
  fixedBy: null,
  wanted: usual,
  current: null,
  taken: false,
  holder: null,
  free: null,
  restartNeeded: false,
  ...more,
});

test('a port is a number from 1 to 65535; empty or 0 is the default', () => {
  expect(['8701', 8701, ' 1 ', '65535'].map(parsePort)).toEqual([8701, 8701, 1, 65_535]);
  expect(['', '0', 0].map(parsePort)).toEqual([null, null, null]);
  expect(['65536', '-1', '1.5', 'x', '1e3'].map(parsePort)).toEqual(Array(5).fill(undefined));
});

test('a number that is no port, or that of another part of the master, is told at its field', () => {
  const ports = [port('masterPort', 8700), port('logstashPort', 9000), port('metricsPort', 8086, { preferred: 8087 })];
  expect(portFaults(ports, { masterPort: 8701 })).toEqual({});
  expect(portFaults(ports, { masterPort: '70000' })).toEqual({ masterPort: expect.stringContaining('65535') });
  expect(portFaults(ports, { masterPort: 8087 })).toEqual({ masterPort: 'Already the port of: Metrics' });
  expect(portFaults(ports, { logstashPort: 8701, masterPort: 8701 })).toEqual({
    masterPort: 'Already the port of: Log pipeline',
    logstashPort: 'Already the port of: API and console',
  });
  const fixed = [
    port('masterPort', 8700),
    port('logstashPort', 9000, { fixedBy: '--logstash-port 8701', wanted: 8701 }),
  ];
  expect(portFaults(fixed, { masterPort: 8701 })).toEqual({ masterPort: 'Already the port of: Log pipeline' });
});

test('a taken port is told with the program that has it, where that is known', () => {
  expect(takenText({ wanted: 8700, holder: 'node a.js (process 7)' })).toBe(
    'Port 8700 is in use by node a.js (process 7).',
  );
  expect(takenText({ wanted: 8700, holder: null })).toBe('Port 8700 is in use by another program.');
});
