import type { MasterFrame } from '../contract/worker-protocol.ts';
import type { WorkerOptions } from '../contract/process.ts';
import { isOwnHost } from '../lib/plain-url.ts';
import type { LogAddress } from './log-shipper.ts';

type Announced = Extract<MasterFrame, { t: 'welcome' }>['logstash'];

/**
 * Where log lines go, and how: to the address given here, with its own token, for that of the worker is for the master alone; else
 * to what the master announced, over TLS where it has it, under the name that it tells or else that of its URL. Workers that reach the master in the clear (those on its own
 * machine) reach the pipeline so too: the certificate need not name the address that they use.
 */
export function logAddress(
  announced: Announced,
  { master, token, logstash }: Pick<WorkerOptions, 'master' | 'token' | 'logstash'>,
): LogAddress | null {
  if (logstash !== null) return { ...logstash, tls: logstash.tls ? logstash.host : null };
  if (announced === null) return null;
  const url = new URL(master);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  // A pipeline that listens on every address is reached where the master is.
  const host = announced.host === '0.0.0.0' || announced.host === '::' ? name : announced.host;
  // The owner of a cluster may be on another machine than the master that this worker reaches.
  const named = announced.name !== undefined && !isOwnHost(host) ? announced.name : null;
  const tls = announced.tls === true && (named !== null || url.protocol === 'https:') ? (named ?? name) : null;
  return { host, port: announced.port, tls, token: announced.auth === true ? token : null };
}
