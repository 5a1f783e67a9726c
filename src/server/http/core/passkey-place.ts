import { isIP } from 'node:net';
import type { PasskeyObstacle } from '../../../contract/passkeys.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PasskeyPlace } from '../../access/people/port.ts';
import { isEncrypted, requestHost, type Origins } from './forwarded.ts';
import { hostName, isLocalName, isOwnName, originOf, type HostRules } from './origin.ts';

/**
 * Where the browser is, if passkeys can work there. A passkey is for a name, and a page elsewhere must not choose it: names
 * that the master knows alone count, of those the very one that was asked for. Browsers want TLS, but for `localhost`.
 */
export function passkeyPlace(
  request: Origins,
  rules: HostRules,
): { place: PasskeyPlace; obstacle: null } | { place: null; obstacle: PasskeyObstacle } {
  const host = hostName(requestHost(request, rules.proxies) ?? '');
  const url = URL.parse(originOf(request, rules.proxies));
  if (host === null || url === null || isIP(host) !== 0) return { place: null, obstacle: 'ADDRESS' };
  if (!isOwnName(host, rules)) return { place: null, obstacle: 'ANY_HOST' };
  if (!isEncrypted(request, rules.proxies) && !isLocalName(host)) return { place: null, obstacle: 'INSECURE' };
  return { place: { host, origin: url.origin }, obstacle: null };
}

const WHY: Readonly<Record<PasskeyObstacle, string>> = {
  ADDRESS: 'passkeys are for a name, never for an IP address: open the master by its name',
  INSECURE: 'passkeys need https (or localhost): set up TLS, or a proxy with TLS before the master',
  ANY_HOST: 'passkeys need a name that the master knows: name it with --allowed-hosts in place of *',
};

/** Throws PASSKEY_UNAVAILABLE. */
export function passkeyPlaceOrRefuse(request: Origins, rules: HostRules): PasskeyPlace {
  const { place, obstacle } = passkeyPlace(request, rules);
  if (place === null) throw new Fault('PASSKEY_UNAVAILABLE', WHY[obstacle]);
  return place;
}
