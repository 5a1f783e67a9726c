import { isLoopback } from './loopback.ts';

/** True for an http address (or, without a scheme, a host) of another machine: what is sent there can be read on the way. */
export function isSentInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isOwnHost(hostname);
}

/** Whether a host, an IPv6 one with or without brackets, is this machine's alone. */
export const isOwnHost = (host: string): boolean => isLoopback(host.replace(/^\[|\]$/g, '').toLowerCase());
