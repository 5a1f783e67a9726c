/**
 * What the console may ask of the desktop shell, and what the shell tells it. Types and channel names alone:
 * the preload bundles them, the renderer imports the types, main validates every argument (`src/main/ipc/arguments.ts`).
 * In a browser `window.yardmaster` is missing: `const desktop = window.yardmaster` and `if (desktop)`.
 */
import type {
  CrashReport,
  DesktopPreferences,
  DesktopState,
  ClusterStatus,
  FleetSearch,
  LocalPort,
  DesktopNotification,
  OpenedFile,
  Route,
  VersionSkew,
  UpdateStatus,
} from './desktop.ts';
import type { MasterPorts } from './process.ts';
import type { KubernetesContexts, KubernetesRelease, TunnelStatus, TunnelStep, Via } from './tunnels.ts';

/** A cluster that the switcher offers. Its id is the host of its address: `yardmaster://<id>/`. `local` is always there and first. */
export interface Connection {
  id: string;
  name: string;
  kind: 'local' | 'remote';
  /** Null: the local master does not run, or the connection goes to a release in Kubernetes, which has no address of its own. */
  url: string | null;
  /** How its master is reached, where not by its address alone. */
  via: Via | null;
  /** Of the tunnel; null: there is none. */
  tunnel: TunnelStatus | null;
  /** Of further masters of the same cluster, in the order in which they are tried. */
  otherUrls: string[];
  /** `#rrggbb`, the stripe that tells clusters apart; null: none. */
  colour: string | null;
  /** Marked as one that matters: a bar with the word stands over the window. */
  production: boolean;
  /** The shell hands on nothing that changes anything there. Taking it back asks in a window of the system. */
  readOnly: boolean;
  /** Where its token is: the system's key store, this run's memory only, a plain file after the user agreed, the Secret of its release, or nowhere. */
  tokenKept: 'system' | 'session' | 'plain' | 'cluster' | 'none';
  /** Names of the authorities that alone count for it; null: those of the system. */
  authority: string | null;
  /** How it is reached: `Route`'s proxy. */
  proxy: string;
  /** Of the master, as last heard, and against this app's; null: not heard of yet. */
  version: string | null;
  skew: VersionSkew | null;
  /** Shown in this window. */
  selected: boolean;
}

/** `token` is written only; it never comes back to the renderer. */
export interface NewConnection {
  name: string;
  /**
   * `https://host[:port]`, or `http://` on loopback; of several masters of a cluster with commas between. By SSH: one, as seen from
   * the SSH server. In Kubernetes: empty.
   */
  url: string;
  /** In Kubernetes with a token of the release's Secret: empty. */
  token: string;
  /** Left out: by its address alone. */
  via?: Via | null;
  colour: string | null;
  production: boolean;
  readOnly: boolean;
  /** Keep the token in a plain file where the system has no key store. False: it lives until the app ends. */
  allowPlain: boolean;
  /** Left out: the system's authorities and proxy. */
  ca?: string | null;
  proxy?: string;
}

/** What is left out stays as it is. */
export type ConnectionChange = { id: string } & Partial<NewConnection>;

/** A saved connection by id, or one that is still being typed. */
export type ConnectionProbe = { id: string } | ({ url: string; token: string; via?: Via | null } & Partial<Route>);

/** One step after the other; the first that is not ok says what is wrong and what to do. */
export interface ProbeReport {
  ok: boolean;
  steps: ProbeStep[];
  /** Version of the master, where it answered. */
  version: string | null;
}
export interface ProbeStep {
  step: 'address' | 'dns' | 'connect' | 'tls' | 'master' | 'token' | 'version' | TunnelStep;
  state: 'ok' | 'failed' | 'skipped';
  /** Readable whole: what was found, what to do. */
  message: string;
}

/** The master that this app starts and watches. */
export interface LocalStatus {
  state: 'off' | 'starting' | 'running' | 'restarting' | 'stopping' | 'failed';
  url: string | null;
  pid: number | null;
  /** True: it was running before the app and stays when the app ends. */
  adopted: boolean;
  dataFolder: string;
  /** ISO 8601, when this state began. */
  since: string;
  /** Unasked ends since the app started. */
  restarts: number;
  /** Why it restarts or failed, with the remedy; else null. */
  message: string | null;
  /** Code of what ended it, such as `PORT_TAKEN`, where it named one; null while it runs. */
  code: string | null;
  /** Where it listens; null: it does not run. */
  ports: MasterPorts | null;
  /** Its last lines for people, oldest first, at most 50. */
  lines: string[];
}

export interface AppInfo {
  name: string;
  version: string;
  platform: 'linux' | 'darwin' | 'win32';
  electron: string;
  chrome: string;
  node: string;
  /** False: tokens cannot be encrypted here; ask before `allowPlain`. */
  secretsEncrypted: boolean;
}

/** Every request: `argument` (null: none) and `answer`. */
export interface IpcMap {
  'app:info': { argument: null; answer: AppInfo };
  /** https only; the system's browser opens it. */
  'app:open-external': { argument: string; answer: null };
  /** A note of the system, where the user wants that kind; pressing it goes to `path`. */
  'app:notify': { argument: { kind: 'alert' | 'bulk'; title: string; body: string; path: string }; answer: null };
  'connections:list': { argument: null; answer: Connection[] };
  'connections:add': { argument: NewConnection; answer: Connection };
  'connections:update': { argument: ConnectionChange; answer: Connection };
  'connections:remove': { argument: { id: string }; answer: null };
  'connections:test': { argument: ConnectionProbe; answer: ProbeReport };
  /** The window goes to that cluster's origin: this page ends. `path` such as `/jobs?status=FAILED`, default `/`. */
  'connections:select': { argument: { id: string; path?: string }; answer: null };
  /** Opens the browser; the ticket then stands for the token, which stays in the shell. */
  'connections:sign-in': {
    argument: { url: string } & Partial<Route>;
    answer: { ticket: string; userCode: string };
  };
  /** Answers once it was approved. */
  'connections:signed-in': { argument: { ticket: string }; answer: null };
  /** The tunnel of a connection is opened anew at once. */
  'connections:reconnect': { argument: { id: string }; answer: null };
  /** The contexts of a kubeconfig. Runs none of its commands. `kubeconfig` null: the user's usual one. */
  'kubernetes:contexts': { argument: { kubeconfig: string | null }; answer: KubernetesContexts };
  /** Releases of the chart. A context whose credentials come from a command asks in a window of the system before it runs that. */
  'kubernetes:releases': {
    argument: { kubeconfig: string | null; context: string; namespace: string | null };
    answer: KubernetesRelease[];
  };
  /** One look at a cluster, whichever is shown. Never rejects for its sake; ends by itself. */
  'fleet:status': { argument: { id: string }; answer: ClusterStatus };
  /** What a cluster finds for a text. A newer search in the same cluster ends the one before. */
  'fleet:search': { argument: { id: string; text: string }; answer: FleetSearch };
  'local:status': { argument: null; answer: LocalStatus };
  'local:start': { argument: null; answer: LocalStatus };
  'local:stop': { argument: null; answer: LocalStatus };
  'local:restart': { argument: null; answer: LocalStatus };
  /** Its ports, looked at anew. */
  'local:ports': { argument: null; answer: LocalPort[] };
  /** Opens the data folder in the system's file manager. */
  'local:show-data': { argument: null; answer: null };
  'desktop:state': { argument: null; answer: DesktopState };
  'desktop:prefer': { argument: Partial<DesktopPreferences>; answer: DesktopState };
  /** The file and the notices that wait for the page, once. */
  'desktop:take': { argument: null; answer: { file: OpenedFile | null; notices: DesktopNotification[] } };
  /** A dialog of the system to choose a workflow or an incident; what is chosen comes as `desktop:waiting`. */
  'desktop:open-file': { argument: null; answer: null };
  'updates:status': { argument: null; answer: UpdateStatus };
  'updates:check': { argument: null; answer: UpdateStatus };
  'updates:download': { argument: null; answer: UpdateStatus };
  /** The app ends and starts as the new version. */
  'updates:install': { argument: null; answer: null };
  'reports:list': { argument: null; answer: CrashReport[] };
  'reports:read': { argument: { id: string }; answer: string };
  'reports:clear': { argument: null; answer: null };
  /** Opens their folder in the system's file manager. */
  'reports:show': { argument: null; answer: null };
  /** An error that nobody caught in the page. */
  'reports:add': { argument: { message: string; stack: string; path: string }; answer: null };
  /** The frame of the window follows the console's theme. */
  'window:theme': { argument: 'light' | 'dark' | 'system'; answer: null };
}
export type IpcChannel = keyof IpcMap;

/** What the shell sends unasked. */
export interface IpcEvents {
  'connections:changed': Connection[];
  'local:changed': LocalStatus;
  /** A menu entry or its accelerator: go to a path of the console. */
  'menu:go': { path: string };
  /** A menu entry: the console opens its own dialog, or copies the link to where it is. */
  'menu:open': { what: 'palette' | 'shortcuts' };
  'menu:copy-link': null;
  /** Something waits for `desktop:take`. */
  'desktop:waiting': null;
  'updates:changed': UpdateStatus;
}
export type IpcEvent = keyof IpcEvents;

/** Faults cross the bridge as values: an Error would lose its code on the way. */
export type IpcOutcome<T> = { ok: true; value: T } | { ok: false; code: string; message: string };

/** `window.yardmaster` in the desktop app. */
export interface DesktopBridge {
  /** `call('connections:list', null)` */
  call<C extends IpcChannel>(channel: C, argument: IpcMap[C]['argument']): Promise<IpcOutcome<IpcMap[C]['answer']>>;
  /** Returns what ends the subscription. */
  on<E extends IpcEvent>(event: E, listener: (data: IpcEvents[E]) => void): () => void;
}

export const IPC_CHANNELS = [
  'app:info',
  'app:open-external',
  'app:notify',
  'connections:list',
  'connections:add',
  'connections:update',
  'connections:remove',
  'connections:test',
  'connections:select',
  'connections:sign-in',
  'connections:signed-in',
  'connections:reconnect',
  'kubernetes:contexts',
  'kubernetes:releases',
  'fleet:status',
  'fleet:search',
  'local:status',
  'local:start',
  'local:stop',
  'local:restart',
  'local:ports',
  'local:show-data',
  'desktop:state',
  'desktop:prefer',
  'desktop:take',
  'desktop:open-file',
  'updates:status',
  'updates:check',
  'updates:download',
  'updates:install',
  'reports:list',
  'reports:read',
  'reports:clear',
  'reports:show',
  'reports:add',
  'window:theme',
] as const satisfies readonly IpcChannel[];

export const IPC_EVENTS = [
  'connections:changed',
  'local:changed',
  'menu:go',
  'menu:open',
  'menu:copy-link',
  'desktop:waiting',
  'updates:changed',
] as const satisfies readonly IpcEvent[];

/** The scheme of the console inside the desktop app. */
export const CONSOLE_SCHEME = 'yardmaster';
/** Id of the connection to the master on this machine. */
export const LOCAL_CONNECTION = 'local';
