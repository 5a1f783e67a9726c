/**
 * What is used of the official client's types. Its own draw in those of its whole generated API, 8 MB of them, and would make every
 * check of types some seconds longer.
 */
interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly skipTLSVerify: boolean;
}
interface KubeconfigUser {
  readonly name: string;
  readonly certData?: string | null;
  readonly certFile?: string | null;
  readonly keyData?: string | null;
  readonly keyFile?: string | null;
  readonly token?: string | null;
  /** As it stands in the file. */
  readonly exec?: unknown;
  readonly authProvider?: unknown;
}
interface KubeconfigContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}

declare module '@kubernetes/client-node/dist/config.js' {
  export type User = KubeconfigUser;
  export class KubeConfig {
    clusters: KubeconfigCluster[];
    users: KubeconfigUser[];
    contexts: KubeconfigContext[];
    currentContext: string;
    loadFromFile(file: string): void;
    loadFromOptions(options: {
      clusters: readonly KubeconfigCluster[];
      users: readonly KubeconfigUser[];
      contexts: readonly KubeconfigContext[];
      currentContext: string;
    }): void;
    getCluster(name: string): KubeconfigCluster | null;
    getUser(name: string): KubeconfigUser | null;
    getCurrentCluster(): KubeconfigCluster | null;
    getCurrentContext(): string;
    setCurrentContext(name: string): void;
    applyToHTTPSOptions(options: import('node:https').RequestOptions): Promise<void>;
  }
}

declare module '@kubernetes/client-node/dist/exec_auth.js' {
  export class ExecAuth {
    applyAuthentication(user: KubeconfigUser, options: import('node:https').RequestOptions): Promise<void>;
  }
}

declare module '@kubernetes/client-node/dist/web-socket-handler.js' {
  import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
  export class WebSocketHandler {
    constructor(
      config: KubeConfig,
      socketFactory?: (uri: string, protocols: string[], options: import('ws').ClientOptions) => import('ws').WebSocket,
    );
  }
}

declare module '@kubernetes/client-node/dist/portforward.js' {
  import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
  import type { WebSocketHandler } from '@kubernetes/client-node/dist/web-socket-handler.js';
  export class PortForward {
    constructor(config: KubeConfig, disconnectOnErr: boolean, handler: WebSocketHandler);
    portForward(
      namespace: string,
      pod: string,
      ports: readonly number[],
      output: import('node:stream').Writable,
      error: import('node:stream').Writable,
      input: import('node:stream').Readable,
    ): Promise<unknown>;
  }
}
