import type { WarmUp } from './warm-up.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Proxies } from '../../../lib/proxies.ts';
import type { Approvals } from '../../approvals/port.ts';
import type { Access } from '../../access/port.ts';
import type { Alerts } from '../../alerts/port.ts';
import type { ClusterView } from '../../cluster/port.ts';
import type { Dashboards } from '../../dashboards/port.ts';
import type { Feed } from '../../feed/port.ts';
import type { Offload } from '../../offload/port.ts';
import type { Jobs } from '../../jobs/port.ts';
import type { Backups } from '../../backup/port.ts';
import type { DamageRegistry, DataChecks } from '../../observability/port.ts';
import type { Pipelines } from '../../logs/pipeline/port.ts';
import type { Logs } from '../../logs/port.ts';
import type { MetricsRoom } from '../../metrics/port.ts';
import type { Schedules } from '../../schedules/port.ts';
import type { Secrets } from '../../secrets/port.ts';
import type { Settings as Overrides } from '../../settings/port.ts';
import type { Shadow } from '../../shadow/port.ts';
import type { WorkflowTests } from '../../shadow/workflow-tests.ts';
import type { Expressions } from '../../expressions/port.ts';
import type { Webhooks } from '../../webhooks/port.ts';
import type { Workers } from '../../workers/port.ts';
import type { Workflows } from '../../workflows/port.ts';

/** Why no work is taken while the disk is full. */
export const STORE_REFUSES_WRITES = 'the store rejects writes: free disk space in the data folder';

/** All that the routes call. The composition root builds it; tests build it in memory. */
export interface Services {
  /** Makes validators and serializers in idle moments; default: one of its own. */
  readonly warmUp?: WarmUp;
  readonly access: Access;
  readonly workflows: Workflows;
  readonly approvals: Approvals;
  readonly jobs: Jobs;
  readonly workers: Workers;
  readonly feed: Feed;
  readonly logs: Logs;
  readonly pipelines: Pick<Pipelines, 'stats' | 'deadLetters'>;
  readonly metrics: MetricsRoom;
  readonly alerts: Alerts;
  readonly dashboards: Dashboards;
  readonly shadow: Shadow;
  readonly workflowTests: WorkflowTests;
  readonly webhooks: Webhooks;
  /** JSONata of the master itself. */
  readonly expressions: Expressions;
  readonly schedules: Schedules;
  /** Takes what is too large for the event loop. */
  readonly offload: Offload;
  /** Takes secrets out of long answers, in a thread of its own: no body that came in waits behind one. */
  readonly redactionThread: Offload;
  readonly limits: Readonly<Limits>;
  readonly clock: Clock;
  settings(): Settings;
  /** Settings that can be changed while the master runs. */
  readonly overrides: Pick<Overrides, 'patch' | 'weakens' | 'inForce'>;
  readonly secrets: Secrets;
  readonly backups: Pick<Backups, 'take'>;
  /** Damage that is known: what cannot be read for certain. */
  readonly damage: DamageRegistry;
  readonly dataChecks: Pick<DataChecks, 'list' | 'start'>;
  readonly cluster: ClusterView;
  /** Resolves once all that could be read by now is as safe as the store makes it: no answer tells of what a power cut could take back. */
  durable(): Promise<void>;
  /** True once another master goes on with the jobs: whoever waits for one is answered 202. */
  leaving?(): boolean;
  /** Why the master takes no work; empty when it does. */
  notReady(): string[];
  /** Answers a random number with its keyed sum (lib/proof). */
  prove(nonce: string): string;
  /** Prometheus exposition text of the master's own health. */
  prometheus(): string;
  /** Built console (index.html and assets); null: only the API is served. */
  readonly consoleFolder: string | null;
  /** Where the internet reaches webhooks and one-time links; left out or null: where the console was opened. */
  readonly publicUrl?: string | null;
  /** Hosts that `Host` may name besides loopback and addresses. */
  readonly allowedHosts: readonly string[];
  /** Those that stand before the master; null: none. */
  readonly proxies: Proxies | null;
  /** Certificate and key (PEM) where the master itself speaks TLS. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
  /** Told of every unexpected error that was answered with INTERNAL. Default: standard error. */
  report?(error: unknown, requestId: string): void;
}
