import { errorCode } from '../../lib/errors.ts';
import { pathTo } from '../../lib/api-client.ts';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { ProbeReport, ProbeStep } from '../../contract/ipc.ts';
import { parseMasterOrigin } from './master-address.ts';
import { isRedirect, readJsonBody, textMember } from './read-response.ts';
import { firstProxy } from './proxy-address.ts';
import { versionSkew, unsafeVersionMessage } from './version-skew.ts';

export interface ProbeOptions {
  /** The very stack, with the certificates and the proxy, that the console will use. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** The first hop to an address in the system's words: `DIRECT`, `PROXY host:port`. */
  hop(url: string): Promise<string>;
  /** Names of the authorities that alone count for it; null: those of the system. */
  authority: string | null;
  /** This app's version. */
  version: string;
}

const STEPS = ['address', 'dns', 'connect', 'tls', 'master', 'token', 'version'] as const;
const PATIENCE_MS = 5000;

/** A step that failed: the message says what was found and what to do. */
class Stop extends Error {}

/** Tries a connection step by step, as the console would use it, and says at which step it breaks. Never rejects. */
export async function probe(url: string, token: string | null, options: ProbeOptions): Promise<ProbeReport> {
  const steps: ProbeStep[] = [];
  let version: string | null = null;
  const step = async (name: ProbeStep['step'], work: () => Promise<string> | string) => {
    try {
      steps.push({ step: name, state: 'ok', message: await work() });
    } catch (error) {
      steps.push({ step: name, state: 'failed', message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
  const ask = (path: string, bearer?: string) =>
    options.fetch(`${url}${path}`, {
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  try {
    let origin = new URL('http://localhost');
    await step('address', () => `${(origin = new URL(parseMasterOrigin(url))).origin} is a valid master URL`);
    const host = origin.hostname.replace(/^\[|\]$/g, '');
    const port = Number(origin.port || (origin.protocol === 'https:' ? 443 : 80));
    const proxy = firstProxy(await options.hop(origin.href).catch(() => 'DIRECT'));
    await step('dns', async () =>
      proxy ? `the proxy resolves the host name; ${await resolved(proxy.host)}` : resolved(host),
    );
    await step('connect', async () =>
      proxy
        ? `through the proxy ${proxy.host}:${proxy.port}: ${await reached(proxy.host, proxy.port)}`
        : reached(host, port),
    );
    let health: Response | undefined;
    await step('tls', async () => {
      try {
        health = await ask(pathTo('master.healthz'));
      } catch (error) {
        // It led elsewhere, so its certificate was good.
        if (!isRedirect(error)) throw new Stop(transportFault(error, origin, options.authority, proxy));
      }
      if (origin.protocol === 'http:') return 'not required on this machine';
      return options.authority === null
        ? 'the certificate is valid'
        : `the certificate is valid and signed by ${options.authority}`;
    });
    await step('master', async () => {
      if (health === undefined || (health.status >= 300 && health.status < 400))
        throw new Stop(`${origin.origin} redirects: enter the URL of the master itself, behind any sign-in page`);
      const type = health.headers.get('content-type') ?? '';
      if (!health.ok || !type.includes('json'))
        throw new Stop(
          `the server responds (status ${health.status}), but it is not a Yardmaster master: check host and port`,
        );
      return 'a Yardmaster master responds';
    });
    await step('token', async () => {
      if (!token) throw new Stop('no token: enter one (an admin creates it with: yardmaster tokens create)');
      const answer = await ask(pathTo('session.get'), token);
      if (answer.status === 401) throw new Stop('the master rejects the token: the token is wrong, revoked or expired');
      if (!answer.ok) throw new Stop(`the master responds with ${answer.status} to the token`);
      const role = textMember(await readJsonBody(answer), 'role') ?? 'unknown';
      if (role === 'worker')
        throw new Stop('this is a worker token: the console needs a viewer, operator or admin token');
      return `the token is valid, role ${role}`;
    });
    await step('version', async () => {
      const answer = await ask(pathTo('settings.get'), token ?? '');
      version = answer.ok ? textMember(await readJsonBody(answer), 'version') : null;
      if (version === null) throw new Stop("the master does not report its version: this app can't use it");
      const skew = versionSkew(options.version, version);
      if (skew === 'unsafe') throw new Stop(unsafeVersionMessage(options.version, version));
      return skew === 'same'
        ? `version ${version}`
        : `version ${version}, ${skew} than this app (${options.version}): they work together`;
    });
  } catch {
    // The failed step is in the report; those after it were not tried.
  }
  for (const name of STEPS.slice(steps.length)) steps.push({ step: name, state: 'skipped', message: 'not tested' });
  return { ok: steps.every((s) => s.state === 'ok'), steps, version };
}

async function resolved(host: string): Promise<string> {
  try {
    const { address } = await lookup(host);
    return address === host ? `${host} is an IP address` : `${host} is ${address}`;
  } catch (error) {
    throw new Stop(`unknown host ${host} (${errorCode(error)}): check the spelling and the network (VPN?)`, {
      cause: error,
    });
  }
}

function reached(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const fail = (why: string) => {
      socket.destroy();
      reject(new Stop(why));
    };
    socket.once('connect', () => {
      socket.destroy();
      resolve(`port ${port} is open`);
    });
    socket.once('timeout', () =>
      fail(
        `${host} does not respond on port ${port} within ${PATIENCE_MS / 1000} s: a firewall blocks it, or the machine is off`,
      ),
    );
    socket.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'ECONNREFUSED'
          ? `${host} refuses connections on port ${port}: no master listens there. Check the port, and that the master runs`
          : `could not reach ${host} on port ${port} (${error.code ?? error.message})`,
      ),
    );
  });
}

function transportFault(
  error: unknown,
  origin: URL,
  authority: string | null,
  proxy: { host: string; port: number } | null,
): string {
  const text =
    error instanceof Error
      ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
      : String(error);
  if (/PROXY_AUTH/i.test(text))
    return `the proxy ${proxy ? `${proxy.host}:${proxy.port} ` : ''}requires a user name and password, which this app does not store: use a proxy that needs none, or run a local proxy that adds them`;
  if (/PROXY|TUNNEL/i.test(text))
    return `the proxy ${proxy ? `${proxy.host}:${proxy.port} ` : ''}could not reach ${origin.host} (${text.trim()}): check the proxy, or connect directly`;
  if (/CERT_AUTHORITY_INVALID|SELF_SIGNED|self.signed|UNABLE_TO/i.test(text)) {
    return authority === null
      ? `the certificate of ${origin.host} is not signed by a CA that this system trusts: set the CA in this connection, or install it on this system`
      : `the certificate of ${origin.host} is not signed by ${authority}, the only CA trusted for this connection: check which CA issued it`;
  }
  if (/CERT_COMMON_NAME|ALTNAME/i.test(text))
    return `the certificate does not match ${origin.hostname}: use the name it was issued for`;
  if (/CERT_DATE|EXPIRED/i.test(text))
    return `the certificate of ${origin.host} (or of its CA) has expired or is not valid yet, or this machine's clock is wrong`;
  if (/CERT_INVALID|CERT_WEAK/i.test(text))
    return `the certificate of ${origin.host} can't be used for a server: its key is too weak, or it was issued for another purpose`;
  if (/CERT_REVOKED/i.test(text))
    return `the certificate of ${origin.host} was revoked: its operator must issue a new one`;
  if (/SSL|TLS|CERT/i.test(text)) return `no TLS connection to ${origin.host} (${text.trim()}): is it an https port?`;
  return `${origin.origin} does not respond like a web server (${text.trim()})`;
}
