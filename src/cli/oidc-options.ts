import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { OidcOptions } from '../contract/process.ts';
import { errorMessage } from '../lib/errors.ts';
import { Fault } from '../lib/fault.ts';
import { isLoopback } from '../lib/loopback.ts';
import { list, option } from './options.ts';
import type { ProcessIo } from './process-io.ts';

export interface OidcFlags {
  oidcIssuer?: string;
  oidcClientId?: string;
  oidcClientSecretFile?: string;
  oidcName?: string;
  oidcScopes?: string;
  oidcGroupsClaim?: string;
  oidcAllowedDomains?: string[];
  oidcKnownOnly?: boolean;
}

const SCOPES = 'openid profile email';

/** The options of `master` for people who sign in at a provider of OpenID Connect. */
export function oidcOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--oidc-issuer <url>', 'people sign in at this provider of OpenID Connect');
  option(command, io, '--oidc-client-id <id>', 'what the provider knows this master as');
  option(
    command,
    io,
    '--oidc-client-secret-file <file>',
    'its secret there (or YARDMASTER_OIDC_CLIENT_SECRET; without one: a public client)',
  );
  option(command, io, '--oidc-name <text>', 'name of the provider on the sign-in page (default: its host)');
  option(command, io, '--oidc-scopes <text>', `scopes to ask for (default: ${SCOPES}; many need offline_access too)`);
  option(command, io, '--oidc-groups-claim <path>', 'claim with the names of groups (default: groups)');
  option(command, io, '--oidc-allowed-domains <names>', 'only people with a verified e-mail address of these', {
    parse: list,
  });
  option(
    command,
    io,
    '--oidc-known-only',
    'only people whom an administrator made; others are not made at their sign-in',
  );
}

/** Null: none is set. Throws USAGE. */
export function oidcOf(flags: OidcFlags, env: ProcessIo['env']): OidcOptions | null {
  const { oidcIssuer: issuer, oidcClientId: clientId } = flags;
  if (issuer === undefined) {
    const [lonely] =
      Object.entries(flags).find(([name, value]) => name.startsWith('oidc') && value !== undefined) ?? [];
    if (lonely !== undefined)
      throw new Fault('USAGE', 'the options --oidc-… need --oidc-issuer with the URL of the provider');
    return null;
  }
  const url = URL.parse(issuer);
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  if (!url || (url.protocol !== 'https:' && !isLocal) || url.search !== '' || url.hash !== '')
    throw new Fault(
      'USAGE',
      `--oidc-issuer expects the https URL of a provider, such as https://login.example.com/realms/work, got "${issuer}" (http only on this machine)`,
    );
  if (clientId === undefined || clientId === '')
    throw new Fault('USAGE', '--oidc-issuer needs --oidc-client-id with what the provider knows this master as');
  return {
    issuer,
    clientId,
    clientSecret: secretOf(flags.oidcClientSecretFile, env),
    name: flags.oidcName ?? url.host,
    scopes: [...new Set(['openid', ...(flags.oidcScopes ?? SCOPES).split(/[ ,]+/).filter((one) => one !== '')])],
    groupsClaim: flags.oidcGroupsClaim ?? 'groups',
    allowedDomains: (flags.oidcAllowedDomains ?? []).map((name) => name.toLowerCase().replace(/^@/, '')),
    createUsers: flags.oidcKnownOnly !== true,
  };
}

function secretOf(file: string | undefined, env: ProcessIo['env']): string | null {
  if (file === undefined) return env['YARDMASTER_OIDC_CLIENT_SECRET'] || null;
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
  } catch (error) {
    throw new Fault('USAGE', `--oidc-client-secret-file ${file} cannot be read: ${errorMessage(error)}`);
  }
  throw new Fault('USAGE', `--oidc-client-secret-file ${file} is empty`);
}
