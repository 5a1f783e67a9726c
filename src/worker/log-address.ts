import type { MasterFrame } from '../contract/worker-protocol.ts';
import type { LogAddress } from './log-shipper.ts';

type Announced = Extract<MasterFrame, { t: 'welcome' }>['logstash'];

/**
 * Where log lines go, and how: to the address given here, plain and without the token, which is for the master alone; else
 * to what the master announced, over TLS where it has it. Workers that reach the master in the clear (those on its own
 * machine) reach the pipeline so too: the certificate need not name the address that they use.
 */
export function logAddress(
  announced: Announced,
  { master, token, logstash }: { master: string; token: string; logstash: { host: string; port: number } | null },
): LogAddress | null {
  if (logstash !== null) return { ...logstash, tls: null, token: null };
  if (announced === null) return null;
  const url = new URL(master);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  // A pipeline that listens on every address is reached where the master is.
  const host = announced.host === '0.0.0.0' || announced.host === '::' ? name : announced.host;
  const tls = announced.tls === true && url.protocol === 'https:' ? name : null;
  return { host, port: announced.port, tls, token: announced.auth === true ? token : null };
}
