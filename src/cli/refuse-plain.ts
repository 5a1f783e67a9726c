import { Fault } from '../lib/fault.ts';
import { isSentInClear } from '../lib/plain-url.ts';

/** Throws where a token or an API key would go to another machine in the clear, and with it payloads and secrets. `url`: http or https. */
export function refusePlain(url: string): void {
  if (!isSentInClear(url)) return;
  throw new Fault(
    'USAGE',
    `${url} is on another machine and not encrypted: anyone on the way could read the token or key, payloads and secrets. Use https:// (start the master with --tls-cert and --tls-key, or behind a proxy with TLS), or accept this with --allow-plain`,
  );
}
