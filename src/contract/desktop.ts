import { keysOf } from './tables.ts';
import type { Found } from './master.ts';

/** What the desktop app keeps and does beside its window: preferences, updates, reports of crashes, files that the system opens with it. */

/** How requests to a master travel. */
export interface Route {
  /** Certificates (PEM) of the only authorities that count for this connection; null: those of the system. */
  ca: string | null;
  /** `system`, `direct`, or the address of a proxy such as `http://proxy.example.com:3128` or `socks5://127.0.0.1:1080`. */
  proxy: string;
}
export const SYSTEM_ROUTE: Route = { ca: null, proxy: 'system' };
/** Characters of the PEM text of authorities. */
export const MAX_CA_CHARACTERS = 200_000;

/**
 * A master's version against this app's (`docs/desktop.md`). `older` and `newer` (the master's) work together; an `unsafe`
 * pair speaks different APIs, and nothing is handed on.
 */
export type VersionSkew = 'same' | 'older' | 'newer' | 'unsafe';

export interface DesktopPreferences {
  /** What closing the window does. `ask`: asks while jobs run on this machine, else quits. */
  onClose: 'ask' | 'tray' | 'quit';
  notifyAlerts: boolean;
  notifyBulk: boolean;
  /** The number of firing alerts on the app's icon. */
  badge: boolean;
  startAtLogin: boolean;
  /** Base address of the updates (https, or http on this machine); null: no updates. */
  updateFeed: string | null;
  /** Look for updates at the start and once a day. Nothing is downloaded unasked. */
  updateCheck: boolean;
  /** Of menu, tray and notes; the page tells it what it speaks itself. */
  language: 'system' | 'en' | 'de';
  /** Ports of the local master, 1 to 65535, from its next start on. Null: the usual one, or the next free one after it. */
  masterPort: number | null;
  logstashPort: number | null;
  logStorePort: number | null;
  metricsPort: number | null;
}

export const PORT_PREFERENCES = ['masterPort', 'logstashPort', 'logStorePort', 'metricsPort'] as const;
export type PortPreference = (typeof PORT_PREFERENCES)[number];
export const MAX_PORT = 65_535;

/** A port of the local master: what was asked for, what holds, and who is in the way. */
export interface LocalPort {
  name: PortPreference;
  /** Where nothing else is asked for. */
  usual: number;
  preferred: number | null;
  /** What names it before the preference does, as `--port 8701` or `YARDMASTER_PORT=8701`; null: nothing. */
  fixedBy: string | null;
  /** The port that the next start asks for; 0: any. */
  wanted: number;
  /** Where the master listens now; null: it does not run, or not on such a port. */
  current: number | null;
  /** True: another program listens on `wanted`. */
  taken: boolean;
  /** That program, as `node server.js (process 4711)`, where the system tells. */
  holder: string | null;
  /** A free one near `wanted`; null: none was found. */
  free: number | null;
  /** True: the preference was changed since the master started. */
  restartNeeded: boolean;
}

export const DEFAULT_PREFERENCES: DesktopPreferences = {
  onClose: 'ask',
  notifyAlerts: true,
  notifyBulk: true,
  badge: true,
  startAtLogin: false,
  updateFeed: null,
  updateCheck: true,
  language: 'system',
  masterPort: null,
  logstashPort: null,
  logStorePort: null,
  metricsPort: null,
};

export interface DesktopState {
  preferences: DesktopPreferences;
  /** False: the system shows no notes. */
  notesSupported: boolean;
  /** Null: it can start at login; else why not. */
  loginItemFault: string | null;
}

export interface UpdateStatus {
  /** `off`: no feed is set. `current`: nothing newer is there. `ready`: a restart puts it in place. */
  state: 'off' | 'idle' | 'checking' | 'current' | 'available' | 'downloading' | 'ready' | 'failed';
  feed: string | null;
  /** True: `YARDMASTER_UPDATE_FEED` names it, which goes before the preference. */
  feedFromEnvironment: boolean;
  /** The newer version. */
  version: string | null;
  /** Of the download, 0 to 100. */
  percent: number | null;
  /** What went wrong, and what to do. */
  message: string | null;
  /** ISO 8601, of the last look that was answered. */
  checkedAt: string | null;
}

export type ReportSource = 'app' | 'window' | 'page' | 'helper' | 'master';
/** A crash or an uncaught error, kept on this machine alone. */
export interface CrashReport {
  /** Its file in the folder of reports. */
  id: string;
  /** ISO 8601. */
  at: string;
  source: ReportSource;
  message: string;
}

export type FileKind = 'workflow' | 'incident';
/** A file that the system opened with this app. */
export interface OpenedFile {
  kind: FileKind;
  /** Without its folder. */
  name: string;
  bytes: Uint8Array;
}
/** Something that the app has to tell in its window. */
export interface DesktopNotification {
  title: string;
  message: string;
  failed: boolean;
}
/** Bytes of a file of each kind; a larger one is refused before it is read. */
export const MAX_FILE_BYTES: Readonly<Record<FileKind, number>> = {
  workflow: 4 * 1024 * 1024,
  incident: 64 * 1024 * 1024,
};
/** Browsers and file managers number a second copy before the last dot: `shout.workflow (1).json`. */
const NAMES: Readonly<Record<FileKind, RegExp>> = {
  workflow: /\.workflow( ?\(\d+\)|[ -]+copy( \d+)?)?\.json$/i,
  incident: /\.yardmaster-incident$/i,
};

/** What kind of file a name says it is; null: none of this app's. */
export function fileKindForName(name: string): FileKind | null {
  return keysOf(NAMES).find((kind) => NAMES[kind].test(name)) ?? null;
}

/**
 * One look at a cluster, as the fleet shows it. `up`: it answered. `refused`: it answered and does not take the token.
 * `down`: no answer in time, or none that a master gives.
 */
export interface ClusterStatus {
  state: 'up' | 'refused' | 'down';
  /** What is wrong and what to do; null where it is up. */
  message: string | null;
  /** Milliseconds until the whole answer was there; null: it never was. */
  tookMs: number | null;
  version: string | null;
  /** Role of the token. */
  role: string | null;
  facts: ClusterFigures | null;
}

export interface ClusterFigures {
  /** Tasks that wait for a worker, and that run. */
  queued: number;
  runningTasks: number;
  runningJobs: number;
  /** Jobs created in the last hour that ended other than well. */
  failedLastHour: number;
  /** Null: somebody limited to projects sees no workers. */
  workersUp: number | null;
  workers: number | null;
  /** Masters that were heard of a moment ago, and all; null: it does not say. */
  mastersUp: number | null;
  masters: number | null;
  alertsFiring: number;
}

/** What one cluster found; paths are of its own console. `problem`: why it could not be searched, else null. */
export interface FleetSearch {
  hits: Found[];
  problem: string | null;
}
