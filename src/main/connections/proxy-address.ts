import { Fault } from '../../lib/fault.ts';

const SCHEMES = ['http:', 'https:', 'socks4:', 'socks5:'];
const DEFAULT_PORT: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'socks4:': '1080',
  'socks5:': '1080',
};

/** `system`, `direct`, or `scheme://host:port` in its plain form. Throws `Fault` PROXY_INVALID. */
export function parseProxy(text: string): string {
  const plain = text.trim();
  if (plain === 'system' || plain === 'direct') return plain;
  // Read as http, whose rules for hosts and ports are the strict ones.
  const [, scheme = '', rest = ''] = /^([a-z0-9]+:)\/\/(.+)$/i.exec(plain) ?? [];
  const url = URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`) : null;
  if (!url || !SCHEMES.includes(scheme.toLowerCase()))
    throw new Fault(
      'PROXY_INVALID',
      `expected a proxy such as http://proxy.example.com:3128 or socks5://127.0.0.1:1080, got "${text}"`,
    );
  if (url.username || url.password)
    throw new Fault(
      'PROXY_INVALID',
      'the proxy URL contains a user name or password, which would be stored in plain text: use a proxy that needs none',
    );
  if (url.pathname !== '/' || url.search || url.hash)
    throw new Fault('PROXY_INVALID', `expected only host and port of the proxy, got "${text}"`);
  const port = url.port || (rest.replace(/\/$/, '').endsWith(':80') ? '80' : DEFAULT_PORT[scheme.toLowerCase()]);
  return `${scheme.toLowerCase()}//${url.hostname}:${port}`;
}

/** Host and port of the first hop in the system's words (`PROXY host:port; DIRECT`); null: straight to the master. */
export function firstProxy(resolved: string): { host: string; port: number } | null {
  const [, host, port] =
    /^(?:PROXY|HTTPS|SOCKS5?|SOCKS4)\s+(.+):(\d+)$/i.exec(resolved.split(';')[0]?.trim() ?? '') ?? [];
  return host && port ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } : null;
}
