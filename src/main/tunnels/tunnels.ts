import type { TunnelStatus } from '../../contract/tunnels.ts';
import { errorCode } from '../../lib/errors.ts';
import type { TunnelSpec } from '../connections/connections.ts';
import { openKubernetesLink, type KubernetesOptions } from './kubernetes/kubernetes-link.ts';
import { openSshLink, type SshOptions } from './ssh/ssh-link.ts';
import { createTunnel, type Attempt, type Link, type Tunnel } from './tunnel.ts';

/** Asks the user, where `ask`; else only looks whether they agreed before. */
export type Agree = (command: Parameters<KubernetesOptions['agreed']>[0], file: string, ask: boolean) => Promise<void>;

export interface Tunnels {
  /** Opens it where nobody has. */
  target(
    id: string,
    spec: TunnelSpec,
  ): { readonly url: string; readonly token: string | null } | { unavailable: string };
  /** Null: it was never asked for in this run. */
  known(id: string): { status: TunnelStatus; url: string | null } | null;
  /** Waits a while for one that is just being opened. */
  settled(id: string, patienceMs: number): Promise<void>;
  /** At once, and asking what there is to ask. */
  retry(id: string, spec: TunnelSpec): void;
  /** Ends those of connections that are gone or go another way now. */
  keepOnly(specs: ReadonlyMap<string, TunnelSpec>): void;
  onChange(listener: () => void): void;
  close(): void;
}

/** What no waiting mends: somebody has to sign in, decide or repair something first. Commands that bring credentials are not run over and over. */
const LASTING: ReadonlySet<string> = new Set([
  'CA_INVALID',
  'CONTEXT_NOT_FOUND',
  'CREDENTIALS_COMMAND_FAILED',
  'CREDENTIALS_COMMAND_REFUSED',
  'KUBECONFIG_INVALID',
  'KUBECONFIG_MISSING',
  'KUBERNETES_FORBIDDEN',
  'KUBERNETES_UNAUTHORIZED',
  'SECRET_UNREADABLE',
  'SSH_ADDRESS_INVALID',
  'SSH_AUTH_REFUSED',
  'SSH_FORWARD_REFUSED',
  'SSH_HOST_CHANGED',
  'SSH_HOST_UNKNOWN',
  'SSH_MISSING',
]);
export const isLasting = (error: unknown): boolean => LASTING.has(errorCode(error) ?? '');

type Report = NonNullable<SshOptions['report']>;

/** Opens the way that a spec names. */
export function openLink(
  { via, url, ca }: TunnelSpec,
  attempt: Attempt,
  { agree, ask, report, ssh }: { agree: Agree; ask: boolean; report?: Report; ssh?: readonly string[] | undefined },
): Promise<Link> {
  const told = report ? { report } : {};
  if (via.kind === 'ssh') return openSshLink({ via, url, ca, ...told, ...(ssh ? { ssh } : {}) }, attempt);
  return openKubernetesLink({ via, ca, agreed: (command, file) => agree(command, file, ask), ...told }, attempt);
}

interface Entry {
  readonly key: string;
  readonly tunnel: Tunnel;
  /** The next try may ask the user. */
  ask: boolean;
}

/** The tunnels of all connections, each opened when it is first used and kept until the app ends. */
export function createTunnels(agree: Agree): Tunnels {
  const open = new Map<string, Entry>();
  const listeners: (() => void)[] = [];
  const keyOf = (spec: TunnelSpec) => JSON.stringify([spec.via, spec.url, spec.ca]);

  function entry(id: string, spec: TunnelSpec) {
    const known = open.get(id);
    if (known?.key === keyOf(spec)) return known;
    known?.tunnel.close();
    const made: Entry = {
      key: keyOf(spec),
      ask: false,
      tunnel: createTunnel({
        isLasting,
        open(attempt): Promise<Link> {
          const { ask } = made;
          made.ask = false;
          return openLink(spec, attempt, { agree, ask });
        },
        onChange: () => listeners.forEach((listener) => listener()),
      }),
    };
    open.set(id, made);
    return made;
  }

  return {
    target(id, spec) {
      const { tunnel } = entry(id, spec);
      const target = tunnel.target();
      if (target) return target;
      const { message } = tunnel.status();
      return { unavailable: message ?? 'the tunnel is being opened' };
    },
    known(id) {
      const one = open.get(id);
      if (!one) return null;
      const status = one.tunnel.status();
      return { status, url: status.state === 'open' ? (one.tunnel.target()?.url ?? null) : null };
    },
    settled: (id, patienceMs) => open.get(id)?.tunnel.settled(patienceMs) ?? Promise.resolve(),
    retry(id, spec) {
      const one = entry(id, spec);
      one.ask = true;
      one.tunnel.retry();
    },
    keepOnly(specs) {
      for (const [id, { key, tunnel }] of open) {
        const spec = specs.get(id);
        if (spec && keyOf(spec) === key) continue;
        tunnel.close();
        open.delete(id);
      }
    },
    onChange: (listener) => void listeners.push(listener),
    close() {
      for (const { tunnel } of open.values()) tunnel.close();
      open.clear();
    },
  };
}
