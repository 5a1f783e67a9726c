import type { Limits } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import { openLogListener } from './log-listener.ts';
import { createLogs } from '../logs/logs.ts';
import { startPipelines } from '../logs/pipeline/pipelines.ts';
import { masterTarget, settingsOf } from '../logs/pipeline/settings.ts';

// The log side of a master in a process of its own, to be killed: store, its port, pipeline. Says its ports, and then what was accepted.
const { folder, limits } = JSON.parse(process.argv[2] ?? '') as { folder: string; limits: Limits };
const log = (line: string) => void process.stderr.write(`${line}\n`);
const tell = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);
/** On loopback nobody needs a token. */
const access = { token: () => null, onCredentialEnded: () => () => undefined } as unknown as Access;
const logs = await createLogs({ folder: `${folder}/logs`, limits, clock: systemClock, log });
const door = await openLogListener({
  options: { host: '127.0.0.1', logStorePort: 0, allowedHosts: [], proxies: null, protectLoopback: false, log },
  tls: null,
  access,
  logs,
  limits,
  clock: systemClock,
  onError: (error) => log(String(error)),
});
const pipelines = await startPipelines({
  ...settingsOf(limits),
  folder: `${folder}/pipeline`,
  host: '127.0.0.1',
  port: 0,
  replicas: 1,
  target: masterTarget(door.innerUrl, null),
  tls: null,
  tokenRequired: false,
  tokens: null,
  durable: false,
  log,
});
tell({ port: pipelines.port, store: door.port });
setInterval(() => tell(pipelines.stats()), 10);
