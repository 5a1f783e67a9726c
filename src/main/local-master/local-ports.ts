import { createServer } from 'node:net';
import type { DesktopPreferences, LocalPort, PortPreference } from '../../contract/desktop.ts';
import { MAX_PORT, PORT_PREFERENCES } from '../../contract/desktop.ts';
import type { LocalStatus } from '../../contract/ipc.ts';
import { DEFAULT_PORTS } from '../../contract/limits.ts';
import { environmentVariable } from '../../lib/environment-variable.ts';
import { findPortHolder } from '../../lib/listen-on-port.ts';
import { findOption } from '../app-paths.ts';

/** How many ports after a taken one are tried for a free one. */
const TRIED = 100;

const PORTS = {
  masterPort: { option: 'port', port: 'master' },
  logstashPort: { option: 'logstash-port', port: 'logstash' },
  logStorePort: { option: 'log-store-port', port: 'logStore' },
  metricsPort: { option: 'metrics-port', port: 'metrics' },
} as const satisfies Record<PortPreference, { option: string; port: keyof typeof DEFAULT_PORTS }>;

export interface LocalPortsOptions {
  /** Of the command line of the app, for the master. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  preferences(): DesktopPreferences;
  status(): LocalStatus;
}

export interface LocalPorts {
  /** Options of `yardmaster master` for the next start. The command line and the environment go before the preferences. */
  arguments(): string[];
  look(): Promise<LocalPort[]>;
}

/** The ports that the local master asks for, and who else has them. */
export function createLocalPorts({ args, env, preferences, status }: LocalPortsOptions): LocalPorts {
  /** What the preferences said at the last start; null: there was none. */
  let startedWith: DesktopPreferences | null = null;
  const host = findOption(args, '--host') ?? (env[environmentVariable('host')] || '127.0.0.1');

  function fixed(name: PortPreference): { by: string; port: number } | null {
    const { option } = PORTS[name];
    const given = findOption(args, `--${option}`);
    if (given !== null) return { by: `--${option} ${given}`, port: Number(given) };
    const variable = environmentVariable(option);
    const value = env[variable];
    return value === undefined || value === '' ? null : { by: `${variable}=${value}`, port: Number(value) };
  }

  async function lookAt(name: PortPreference, others: ReadonlySet<number>): Promise<LocalPort> {
    const usual = DEFAULT_PORTS[PORTS[name].port];
    const preferred = preferences()[name];
    const set = fixed(name);
    const wanted = set?.port ?? preferred ?? usual;
    const now = status();
    const current = now.ports?.[PORTS[name].port] ?? null;
    // Not of its own number: that is this master itself.
    const taken = wanted > 0 && wanted <= MAX_PORT && wanted !== current && !(await isFree(host, wanted));
    return {
      name,
      usual,
      preferred,
      fixedBy: set?.by ?? null,
      wanted,
      current,
      taken,
      holder: taken ? findPortHolder(wanted) : null,
      free: taken ? await findFree(host, wanted, others) : null,
      restartNeeded:
        now.state === 'running' &&
        !now.adopted &&
        set === null &&
        startedWith !== null &&
        startedWith[name] !== preferred,
    };
  }

  return {
    arguments() {
      startedWith = preferences();
      return PORT_PREFERENCES.flatMap((name) => {
        const port = startedWith?.[name] ?? null;
        return port === null || fixed(name) !== null ? [] : [`--${PORTS[name].option}`, String(port)];
      });
    },
    look() {
      const wanted = new Set(
        PORT_PREFERENCES.map((name) => fixed(name)?.port ?? preferences()[name] ?? DEFAULT_PORTS[PORTS[name].port]),
      );
      return Promise.all(PORT_PREFERENCES.map((name) => lookAt(name, wanted)));
    },
  };
}

/** A port after `from` that nobody listens on and none of `others` is. */
async function findFree(host: string, from: number, others: ReadonlySet<number>): Promise<number | null> {
  for (let port = from + 1; port <= Math.min(from + TRIED, MAX_PORT); port++)
    if (!others.has(port) && (await isFree(host, port))) return port;
  return null;
}

/** Whether this process could listen there. */
const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
