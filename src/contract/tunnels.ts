/** How the desktop app reaches masters that have no address of their own for it: through Kubernetes, or through SSH. */

/** A release of the chart, through the API server of its cluster. */
export interface KubernetesVia {
  kind: 'kubernetes';
  /** Null: `KUBECONFIG`, or `~/.kube/config`, as kubectl finds it. */
  kubeconfig: string | null;
  context: string;
  namespace: string;
  release: string;
  /** Which token of the release's Secret is used, read anew at each connect; `own`: one that was entered. */
  access: 'admin' | 'viewer' | 'own';
}

/** The system's `ssh`, with the user's own configuration, keys and known hosts. */
export interface SshVia {
  kind: 'ssh';
  /** `host`, `user@host`, or a name of `~/.ssh/config`. */
  destination: string;
  /** Null: that of the configuration, else 22. */
  port: number | null;
}
export type Via = KubernetesVia | SshVia;

/** What is tried, in this order, before the master itself. */
export type TunnelStep = 'kubeconfig' | 'cluster' | 'release' | 'secret' | 'ssh' | 'forward';

/**
 * `idle`: nobody has asked for it yet. `waiting`: it failed, and is tried again by itself. `failed`: trying again does not
 * help until somebody has done something.
 */
export interface TunnelStatus {
  state: 'idle' | 'connecting' | 'open' | 'waiting' | 'failed';
  /** Why it is not open, and what to do; null where nothing is wrong. */
  message: string | null;
  /** Which pod, or which SSH server; null: not open. */
  through: string | null;
}

export interface KubernetesContexts {
  /** Where they were read. */
  file: string;
  /** The one that kubectl uses now. */
  current: string | null;
  contexts: KubernetesContext[];
}
export interface KubernetesContext {
  name: string;
  /** Of the API server. */
  server: string;
  namespace: string | null;
  /** The command that brings its credentials; null: none is run. */
  command: string | null;
}

export interface KubernetesRelease {
  namespace: string;
  name: string;
  /** Of the chart's app; null: not labelled. */
  version: string | null;
  /** Masters that are ready, of all. */
  ready: number;
  masters: number;
}
