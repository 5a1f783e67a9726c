import { existsSync, readFileSync } from 'node:fs';
import type { MasterOptions, PipelineProcessOptions } from '../../contract/process.ts';
import { Fault } from '../../lib/fault.ts';
import { isLoopback } from '../../lib/loopback.ts';

/** What nobody guesses. */
const LEAST_BITS = 128;
const WEAK_TOKEN = `YARDMASTER_ADMIN_TOKEN can be guessed: it has less than ${LEAST_BITS} bits. Make one with \`openssl rand -hex 32\``;
/** Fewer different characters than these, in so long a token, were not drawn at random. */
const LEAST_DIFFERENT = 8;
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$|^[0-9A-F]*$/, 16],
  [/^[a-z]*$|^[A-Z]*$/, 26],
  [/^[0-9a-z]*$|^[0-9A-Z]*$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
  [/^[0-9A-Za-z_-]*$/, 64],
];

/** The most that a token of this length and alphabet can hold, in bits. How it was chosen nobody can tell by its looks. */
export function tokenBits(token: string): number {
  if (new Set(token).size < LEAST_DIFFERENT) return 0;
  const [, size] = ALPHABETS.find(([pattern]) => pattern.test(token)) ?? [null, 94];
  return token.length * Math.log2(size);
}

/**
 * A master that others can reach needs tokens of its own and TLS, its own or a proxy's. Throws
 * `OPEN_MASTER_REFUSED` with what is missing. On loopback a weak admin token is only warned of.
 */
export function refuseOpenMaster(
  options: Pick<MasterOptions, 'host' | 'tls' | 'proxies' | 'adminToken'>,
  hasTokens: boolean,
  log: (line: string) => void,
): void {
  const weak = options.adminToken !== null && tokenBits(options.adminToken) < LEAST_BITS;
  if (isLoopback(options.host)) {
    if (weak) log(`warning: ${WEAK_TOKEN}`);
    return;
  }
  const missing: string[] = [];
  if (weak) missing.push(`another YARDMASTER_ADMIN_TOKEN: ${WEAK_TOKEN}`);
  if (options.adminToken === null && !hasTokens)
    missing.push(
      'a token (set YARDMASTER_ADMIN_TOKEN, or start once on 127.0.0.1 and create one with `yardmaster tokens create`)',
    );
  if (options.tls === null && options.proxies === null)
    missing.push('TLS (--tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS)');
  if (missing.length > 0)
    throw new Fault(
      'OPEN_MASTER_REFUSED',
      `${options.host} is reachable from other machines, so the master needs ${missing.join(' and ')}`,
    );
}

/** Preset tokens are as hard to guess as any other, and are nothing but themselves. Throws `USAGE`. */
export function refuseWeakPresets({
  adminToken,
  presetTokens,
}: Pick<MasterOptions, 'adminToken' | 'presetTokens'>): void {
  const given = Object.entries(presetTokens ?? {}).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const [role, token] of given) {
    const variable = `YARDMASTER_PRESET_${role.toUpperCase()}_TOKEN`;
    if (tokenBits(token) < LEAST_BITS)
      throw new Fault(
        'USAGE',
        `${variable} can be guessed: it has less than ${LEAST_BITS} bits. Make one with \`openssl rand -hex 32\``,
      );
    if (token === adminToken || given.some(([other, same]) => other !== role && same === token))
      throw new Fault('USAGE', `${variable} is also the token of another role: give each role a token of its own`);
  }
}

/** A pipeline that others can reach takes lines only with tokens and TLS, unless it is told otherwise by name. Throws `USAGE`. */
export function refuseOpenPipeline({
  host,
  tokens,
  tls,
  open,
}: Pick<PipelineProcessOptions, 'host' | 'tokens' | 'tls' | 'open'>): void {
  const weak = tokens?.some((token) => tokenBits(token) < LEAST_BITS);
  if (weak)
    throw new Fault(
      'USAGE',
      `a token of the senders can be guessed: it has less than ${LEAST_BITS} bits. Make one with \`openssl rand -hex 32\``,
    );
  if (open || isLoopback(host)) return;
  const missing = [
    ...(tokens === null ? ['tokens (--tokens FILE, or YARDMASTER_PIPELINE_TOKEN)'] : []),
    ...(tls === null ? ['TLS (--tls-cert and --tls-key)'] : []),
  ];
  if (missing.length > 0)
    throw new Fault(
      'USAGE',
      `${host} is reachable from other machines, so the pipeline needs ${missing.join(' and ')}, or --allow-open, with which anyone there can write and read along`,
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
