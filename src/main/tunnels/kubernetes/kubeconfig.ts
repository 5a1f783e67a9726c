import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { KubeConfig, User } from '@kubernetes/client-node/dist/config.js';

import type { KubernetesContexts } from '../../../contract/tunnels.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { loadClient } from './client.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { isLoopback } from '../../../lib/loopback.ts';
import { quoteForShell } from '../../../lib/shell-quote.ts';

/** Larger ones are none. */
const MAX_BYTES = 4 * 1024 * 1024;

/** As kubectl looks for it: the named one, else those of `KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigFiles(
  named: string | null,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string[] {
  if (named !== null && named.trim() !== '') return [resolve(named.trim().replace(/^~(?=[\\/]|$)/, home))];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((one) => one !== '');
  return listed.length > 0 ? listed : [join(home, '.kube', 'config')];
}

/** All of these files as one: of two entries with the same name the first counts. Reads only; runs nothing. */
export async function readKubeconfig(files: readonly string[]): Promise<KubeConfig> {
  const { KubeConfig } = await loadClient();
  const whole = new KubeConfig();
  let current: string | undefined;
  let found = 0;
  for (const file of files) {
    const one = new KubeConfig();
    try {
      const { size } = statSync(file);
      if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_BYTES} are read`);
      one.loadFromFile(file);
    } catch (error) {
      // One of several may be missing, as for kubectl.
      if (errorCode(error) === 'ENOENT' && files.length > 1) continue;
      throw unreadable(file, error);
    }
    found++;
    const isNew = (known: readonly { name: string }[]) => {
      const names = new Set(known.map(({ name }) => name));
      return ({ name }: { name: string }) => !names.has(name);
    };
    whole.clusters.push(...one.clusters.filter(isNew(whole.clusters)));
    whole.users.push(...one.users.filter(isNew(whole.users)));
    whole.contexts.push(...one.contexts.filter(isNew(whole.contexts)));
    current ??= one.currentContext || undefined;
  }
  if (found === 0) throw new Fault('KUBECONFIG_MISSING', `there is no kubeconfig file ${files.join(', ')}`);
  whole.currentContext = current ?? '';
  return whole;
}

function unreadable(file: string, error: unknown): Fault {
  if (errorCode(error) === 'ENOENT')
    return new Fault(
      'KUBECONFIG_MISSING',
      `there is no kubeconfig file ${file}: enter the path of yours, or make one as for kubectl`,
      { cause: error },
    );
  const [why = ''] = errorMessage(error).split('\n');
  return new Fault('KUBECONFIG_INVALID', `could not read the kubeconfig ${file}: ${why}`, { cause: error });
}

export async function listContexts(files: readonly string[]): Promise<KubernetesContexts> {
  const config = await readKubeconfig(files);
  if (config.contexts.length === 0)
    throw new Fault('KUBECONFIG_INVALID', `the kubeconfig ${files.join(', ')} has no contexts`);
  return {
    file: files.join(delimiter),
    current: config.currentContext || null,
    contexts: config.contexts.map(({ name, cluster, user, namespace }) => ({
      name,
      server: config.getCluster(cluster)?.server ?? '',
      namespace: namespace ?? null,
      command: commandOf(config.getUser(user))?.text ?? null,
    })),
  };
}

/** A program that a kubeconfig names to bring credentials. */
export interface CredentialsCommand {
  /** As it would be typed. */
  readonly text: string;
  /** With its environment: what somebody agreed to is this, and nothing else. */
  readonly whole: string;
}

/**
 * Null: credentials come without one.
 *
 * @param file where it stands; null: it is only shown
 */
export function commandOf(user: User | null, file: string | null = null): CredentialsCommand | null {
  const exec: unknown = user?.exec;
  if (!isRecord(exec)) return null;
  const { command, args } = exec;
  const program = String(command);
  // A program beside another kubeconfig is another one, whatever its name is.
  const words = [file === null ? program : programOf(program, file), ...(Array.isArray(args) ? args : []).map(String)];
  return {
    text: words.map(quoteForShell).join(' '),
    whole: JSON.stringify([words, Array.isArray(exec['env']) ? exec['env'] : []]),
  };
}

/** Relative to the kubeconfig where it has a folder, by the search path where it has none; as kubectl does. */
export const programOf = (program: string, file: string): string =>
  /[\\/]/.test(program) && !isAbsolute(program) ? resolve(dirname(file), program) : program;

/** What is read of the auth provider `oidc`. */
const OIDC_SETTINGS: ReadonlySet<string> = new Set([
  'client-id',
  'client-secret',
  'extra-scopes',
  'id-token',
  'idp-certificate-authority',
  'idp-certificate-authority-data',
  'idp-issuer-url',
  'refresh-token',
]);

/**
 * Null: it is the one provider that kubectl still has. The client runs the programs of the others without being asked, and,
 * whatever the name of a provider is, the command of a setting `exec` and the file of a setting `tokenFile`.
 */
function whyNoProvider(provider: unknown): string | null {
  const { name, config } = isRecord(provider) ? provider : {};
  if (name !== 'oidc')
    return `the auth provider ${JSON.stringify(name ?? '').slice(0, 100)}, which kubectl no longer supports`;
  const foreign = isRecord(config) ? Object.keys(config).filter((setting) => !OIDC_SETTINGS.has(setting)) : [];
  return foreign.length > 0
    ? `the auth provider "oidc" with settings that it does not have (${foreign.join(', ').slice(0, 200)})`
    : null;
}

/** The kubeconfig with this context as its current one, checked as far as that goes without asking anybody. */
export function selectContext(config: KubeConfig, context: string, files: readonly string[]): User | null {
  const where = files.join(', ');
  const found = config.contexts.find(({ name }) => name === context);
  if (!found)
    throw new Fault(
      'CONTEXT_NOT_FOUND',
      `the kubeconfig ${where} has no context "${context}": it may have been renamed or removed; choose another one`,
    );
  const cluster = config.getCluster(found.cluster);
  if (!cluster)
    throw new Fault(
      'KUBECONFIG_INVALID',
      `the context "${context}" names the cluster "${found.cluster}", which ${where} does not have`,
    );
  const { protocol, hostname } = URL.parse(cluster.server) ?? { protocol: '', hostname: '' };
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''))))
    throw new Fault(
      'KUBECONFIG_INVALID',
      `the context "${context}" reaches its API server at ${cluster.server.slice(0, 200)}: expected https://, so that nobody in between reads credentials and the tokens of masters`,
    );
  const user = config.getUser(found.user);
  if (!user && found.user)
    throw new Fault(
      'KUBECONFIG_INVALID',
      `the context "${context}" names the user "${found.user}", which ${where} does not have`,
    );
  const why = user?.authProvider ? whyNoProvider(user.authProvider) : null;
  if (why !== null)
    throw new Fault(
      'KUBECONFIG_INVALID',
      `the user of the context "${context}" signs in by ${why}: set up a credential plugin (exec) instead`,
    );
  config.setCurrentContext(context);
  return user;
}
