import { createHash, X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Certificate, session, type Session } from 'electron';
import type { Route } from '../../contract/desktop.ts';
import { parseAuthorities, checkChain, type ChainFault } from './certificate-chain.ts';
import { fetchInSession } from './session-fetch.ts';

/** Chromium's numbers of certificate errors; the three that an own check stands in for come from its own check as well. */
const TAKEN = 0;
const CODES: Readonly<Record<ChainFault, number>> = { name: -200, date: -201, authority: -202, weak: -207 };
const CHROMIUM_DECIDES = -3;
const OURS_TO_JUDGE = [TAKEN, CODES.name, CODES.date, CODES.authority];
const MAX_CHAIN = 10;
const TAKEN_UP_MS = 3000;

export interface Network {
  /** `fetch` by this route: the same stack, with the same certificates and proxy, whoever asks. */
  fetch(route: Route, url: string, init?: RequestInit): Promise<Response>;
  /** The first hop to `url` in the system's words: `DIRECT`, `PROXY host:port`. */
  hop(route: Route, url: string): Promise<string>;
}

/**
 * Each route has a session of its own, in memory, without cache and cookies. It is named by what the route says, since the
 * network service remembers its verdicts on certificates: another authority must not meet those of the one before.
 */
export function createNetwork(): Network {
  const sessions = new Map<string, Promise<Session>>();
  const ownSession = (route: Route): Promise<Session> | null => {
    if (route.ca === null && route.proxy === 'system') return null;
    const name = createHash('sha256')
      .update(JSON.stringify([route.ca, route.proxy]))
      .digest('hex')
      .slice(0, 24);
    const known = sessions.get(name);
    if (known) return known;
    const made = createSession(name, route);
    sessions.set(name, made);
    made.catch(() => sessions.delete(name));
    return made;
  };
  return {
    async fetch(route, url, init) {
      return fetchInSession((await ownSession(route)) ?? session.defaultSession, url, init);
    },
    async hop(route, url) {
      return ((await ownSession(route)) ?? session.defaultSession).resolveProxy(url);
    },
  };
}

async function createSession(name: string, { ca, proxy }: Route): Promise<Session> {
  const made = session.fromPartition(`route-${name}`, { cache: false });
  made.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  if (proxy === 'system' || proxy === 'direct') await made.setProxy({ mode: proxy });
  // Chromium goes past a proxy for this machine; what was named by hand holds for every host.
  else {
    await made.setProxy({ mode: 'fixed_servers', proxyRules: proxy, proxyBypassRules: '<-loopback>' });
    await proxyInUse(made, proxy);
  }
  if (ca !== null) {
    const authorities = parseAuthorities(ca);
    made.setCertificateVerifyProc(({ certificate, hostname, errorCode }, answer) => {
      // Revoked, malformed, weak: not for us to overrule.
      if (!OURS_TO_JUDGE.includes(errorCode)) return answer(CHROMIUM_DECIDES);
      try {
        const fault = checkChain(certificatesIn(certificate), authorities, hostname, new Date());
        answer(fault === null ? TAKEN : CODES[fault]);
      } catch {
        answer(CODES.authority);
      }
    });
  }
  return made;
}

/** The network service takes a proxy up a moment after Electron says so: until then a request would go past it. */
async function proxyInUse(made: Session, proxy: string): Promise<void> {
  for (
    const until = Date.now() + TAKEN_UP_MS;
    (await made.resolveProxy('http://any.invalid/')) === 'DIRECT';
    await pause(10)
  ) {
    if (Date.now() > until) throw new Error(`could not use the proxy ${proxy}: try again`);
    await made.forceReloadProxyConfig();
  }
}

function certificatesIn(certificate: Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (
    let one: Certificate | undefined = certificate;
    one && chain.length < MAX_CHAIN;
    one = one.issuerCert === one ? undefined : one.issuerCert
  )
    chain.push(new X509Certificate(one.data));
  return chain;
}
