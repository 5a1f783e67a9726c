import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { MasterOptions } from '../../contract/process.ts';
import { Fault } from '../../lib/fault.ts';

/** Addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * A master that others can reach needs tokens of its own and TLS, its own or a proxy's. Throws
 * `OPEN_MASTER_REFUSED` with what is missing.
 */
export function refuseOpenMaster(
  options: Pick<MasterOptions, 'host' | 'tls' | 'behindProxy' | 'adminToken'>,
  hasTokens: boolean,
): void {
  if (isLoopback(options.host)) return;
  const missing: string[] = [];
  if (options.adminToken === null && !hasTokens)
    missing.push(
      'a token (set YARDMASTER_ADMIN_TOKEN, or start once on 127.0.0.1 and create one with `yardmaster tokens create`)',
    );
  if (options.tls === null && !options.behindProxy)
    missing.push('TLS (--tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS)');
  if (missing.length > 0)
    throw new Fault(
      'OPEN_MASTER_REFUSED',
      `${options.host} is reachable from other machines, so the master needs ${missing.join(' and ')}`,
    );
}

/** Reads certificate and key; says which file is the trouble. */
export function readTls(tls: MasterOptions['tls']): { cert: Buffer; key: Buffer } | null {
  if (tls === null) return null;
  for (const file of [tls.certFile, tls.keyFile])
    if (!existsSync(file))
      throw new Fault('TLS_UNREADABLE', `${file} not found: --tls-cert and --tls-key must be paths of PEM files`);
  return { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
}
