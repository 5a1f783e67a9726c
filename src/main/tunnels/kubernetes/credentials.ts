import { spawn, type SpawnOptions } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import type { KubeConfig, User } from '@kubernetes/client-node/dist/config.js';

import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { loadClient } from './client.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { commandOf, programOf } from './kubeconfig.ts';

/** Somebody may have to sign in with a browser meanwhile. */
const COMMAND_MS = 120_000;
/** Where a Mac's programs are that its desktop does not look for. */
const MAC_FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * Credentials from the command that the kubeconfig names, run as kubectl runs it: without a shell, with the user's environment,
 * and without a terminal. Returns a kubeconfig that holds what it brought, in memory alone.
 */
export async function runCredentialsCommand(
  config: KubeConfig,
  user: User,
  file: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<KubeConfig> {
  const { ExecAuth, KubeConfig } = await loadClient();
  const command = commandOf(user, file);
  if (command === null) return config;
  const exec = new ExecAuth();
  const given: Record<string, unknown> = isRecord(user.exec) ? user.exec : {};
  Reflect.set(exec, 'execFn', (program: string, args: string[] | undefined, options: SpawnOptions) =>
    spawn(programOf(program, file), args ?? [], {
      ...options,
      env: commandEnvironment(options.env ?? env, given),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: COMMAND_MS,
    }),
  );
  const brought: RequestOptions = {};
  try {
    await exec.applyAuthentication(user, brought);
  } catch (error) {
    throw commandFault(command.text, error, given);
  }
  const { cert, key } = brought;
  const header = isRecord(brought.headers) ? brought.headers['Authorization'] : undefined;
  const token = typeof header === 'string' ? header.replace(/^Bearer /, '') : undefined;
  if (token === undefined && cert === undefined)
    throw new Fault('CREDENTIALS_COMMAND_FAILED', `${command.text} brought neither a token nor a certificate`);
  const encoded = (text: unknown) => Buffer.from(String(text)).toString('base64');
  const { exec: _exec, ...rest } = user;
  const held = new KubeConfig();
  held.loadFromOptions({
    clusters: config.clusters,
    contexts: config.contexts,
    users: [
      ...config.users.filter(({ name }) => name !== user.name),
      {
        ...rest,
        ...(token === undefined ? {} : { token }),
        ...(cert === undefined ? {} : { certData: encoded(cert), certFile: null }),
        ...(key === undefined ? {} : { keyData: encoded(key), keyFile: null }),
      },
    ],
    currentContext: config.currentContext,
  });
  return held;
}

function commandEnvironment(env: NodeJS.ProcessEnv, exec: Record<string, unknown>): NodeJS.ProcessEnv {
  const info = {
    kind: 'ExecCredential',
    apiVersion: exec['apiVersion'] ?? 'client.authentication.k8s.io/v1',
    spec: { interactive: false },
  };
  const path = [env['PATH'] ?? '', ...(process.platform === 'darwin' ? MAC_FOLDERS : [])].join(':');
  return {
    ...env,
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
    ...(process.platform === 'darwin' ? { PATH: path } : {}),
  };
}

function commandFault(text: string, error: unknown, exec: Record<string, unknown>): Fault {
  if (errorCode(error) === 'ENOENT') {
    const hint = typeof exec['installHint'] === 'string' ? ` ${exec['installHint'].trim().slice(0, 500)}` : '';
    return new Fault('CREDENTIALS_COMMAND_FAILED', `could not run ${text}: there is no such program.${hint}`, {
      cause: error,
    });
  }
  const said = errorMessage(error).trim().split('\n').slice(-3).join(' ').slice(0, 500);
  return new Fault(
    'CREDENTIALS_COMMAND_FAILED',
    `${text} brought no credentials (${said || 'it said nothing'}): sign in again as for kubectl, then retry`,
    { cause: error },
  );
}
