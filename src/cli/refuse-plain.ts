import { Fault } from '../lib/fault.ts';

/** Throws where a token would go to another machine in the clear, and with it payloads and secrets. `url`: http or https. */
export function refusePlain(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return;
  if (hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)) return;
  throw new Fault(
    'USAGE',
    `${url} is on another machine and not encrypted: anyone on the way could read the token, payloads and secrets. Use https:// (start the master with --tls-cert and --tls-key, or behind a proxy with TLS), or accept this with --allow-plain`,
  );
}
