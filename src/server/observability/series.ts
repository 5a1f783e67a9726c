import type { PipelineStats } from '../../contract/logs.ts';
import type { Access, AuditExport } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Logs } from '../logs/port.ts';
import type { DeliveryStats, MetricsRoom, RemoteWriteStats } from '../metrics/port.ts';
import type { ThreadUsage } from '../offload/port.ts';
import type { SignalStats } from '../telemetry/port.ts';
import type { Webhooks } from '../webhooks/port.ts';
import type { Workers } from '../workers/port.ts';
import type { ClusterReadings } from './cluster-metrics.ts';
import type { Sample } from './port.ts';

/** What the rooms said at one look. */
export interface Now {
  readonly auditExport: ReturnType<AuditExport['stats']>;
  readonly attempts: ReturnType<Access['attempts']['stats']>;
  delay(quantile: number): number;
  longest(): number;
  readonly cluster: ClusterReadings | null;
  readonly feed: ReturnType<Feed['stats']>;
  readonly damages: number;
  readonly damagesFound: number;
  readonly logs: ReturnType<Logs['stats']>;
  readonly memory: NodeJS.MemoryUsage;
  readonly metrics: ReturnType<MetricsRoom['stats']>;
  readonly remoteMetrics: ReturnType<MetricsRoom['remote']>;
  readonly remoteWrite: RemoteWriteStats | null;
  readonly pipeline: PipelineStats;
  readonly queueDepth: number;
  readonly reads: ReturnType<Jobs['readStats']>;
  readonly storeBytes: number;
  readonly telemetry: SignalStats[] | null;
  readonly webhooks: ReturnType<Webhooks['counts']['totals']>;
  readonly workers: ReturnType<Workers['overview']>;
}

type SeriesOf = (now: Now) => number | undefined;

/** Of the embedded metric store alone. */
function embedded(of: SeriesOf): SeriesOf {
  return (now) => (now.remoteMetrics === null ? of(now) : undefined);
}

/** The exposition's series of the delivery to a store elsewhere. */
function deliverySeries(
  prefix: string,
  what: string,
  items: 'points' | 'samples',
  of: (now: Now) => DeliveryStats | null,
): (readonly [name: string, help: string, of: SeriesOf])[] {
  const named = items === 'points' ? 'Points' : 'Samples';
  const series = (name: string, help: string, value: (stats: DeliveryStats) => number) =>
    [
      `${prefix}_${name}`,
      help,
      (now: Now) => {
        const stats = of(now);
        return stats === null ? undefined : value(stats);
      },
    ] as const;
  return [
    series('up', `1 while ${what} accepts ${items}`, ({ state }) => (state === 'ok' ? 1 : 0)),
    series(`queue_${items}`, `${named} on disk, not yet delivered to ${what}`, ({ items }) => items),
    series('queue_bytes', `Bytes on disk, not yet delivered to ${what}`, ({ bytes }) => bytes),
    series('lag_seconds', `Age of the oldest batch not yet delivered to ${what}`, ({ oldestAt }) =>
      oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt) / 1000),
    ),
    series('delivered_total', `${named} delivered to ${what}`, ({ delivered }) => delivered),
    series('retries_total', `Retried deliveries to ${what}`, ({ retried }) => retried),
    series('lost_total', `${named} rejected by ${what}, or dropped because the queue was full`, ({ lost }) => lost),
  ];
}

/** What the exposition shows; counters end in `_total`. What has no value yet is left out. */
export const SERIES: readonly (readonly [name: string, help: string, of: (now: Now) => number | undefined])[] = [
  ['live_streams', 'Clients of the live stream', ({ feed }) => feed.subscribers],
  ['feed_lag', 'Changes not yet sent to the slowest client', ({ feed }) => feed.lag],
  [
    'audit_export_behind',
    'Entries of the audit log that the slowest destination lacks',
    ({ auditExport }) => (auditExport.length === 0 ? undefined : Math.max(...auditExport.map(({ behind }) => behind))),
  ],
  [
    'audit_export_failing',
    'Destinations of the audit log that cannot be reached',
    ({ auditExport }) =>
      auditExport.length === 0 ? undefined : auditExport.filter(({ failing }) => failing !== null).length,
  ],
  [
    'otlp_exported_total',
    'Spans, log lines and values exported by OTLP',
    ({ telemetry }) => sumOf(telemetry, 'exported'),
  ],
  [
    'otlp_dropped_total',
    'The same that were lost: the queue was full, or the receiver refused them',
    ({ telemetry }) => sumOf(telemetry, 'dropped'),
  ],
  ['otlp_queued', 'The same that wait to be exported', ({ telemetry }) => sumOf(telemetry, 'queued')],
  [
    'otlp_failing',
    'Signals that cannot be exported',
    ({ telemetry }) => telemetry?.filter(({ failing }) => failing !== null).length,
  ],
  ['wrong_credentials_total', 'Wrong tokens, keys and sign-in codes', ({ attempts }) => attempts.wrong],
  [
    'blocked_credentials_total',
    'Wrong tokens, keys and sign-in codes that were refused because too many had come',
    ({ attempts }) => attempts.blocked,
  ],
  ['event_loop_delay_p50_seconds', 'Event loop lag, p50, maximum of two 10 s windows', ({ delay }) => delay(0.5)],
  ['event_loop_delay_p99_seconds', 'Event loop lag, p99, maximum of two 10 s windows', ({ delay }) => delay(0.99)],
  ['event_loop_delay_max_seconds', 'Event loop lag, maximum of two 10 s windows', ({ longest }) => longest()],
  ['heap_bytes', 'Heap memory of the master', ({ memory }) => memory.heapUsed],
  ['memory_bytes', 'Resident memory of the master', ({ memory }) => memory.rss],
  ['cpu_seconds_total', 'CPU time of the master', () => cpuSeconds()],
  ['uptime_seconds', 'Time since the master started', () => process.uptime()],
  ['data_damaged', 'Parts of the data that are known to be damaged', ({ damages }) => damages],
  ['data_damaged_total', 'Damaged parts of the data found since the start', ({ damagesFound }) => damagesFound],
  ['queue_depth', 'READY tasks waiting for a worker', ({ queueDepth }) => queueDepth],
  ['webhook_accepted_total', 'Deliveries to webhooks that started a job', ({ webhooks }) => webhooks.ACCEPTED],
  [
    'webhook_filtered_total',
    'Deliveries that the filter of their webhook dropped',
    ({ webhooks }) => webhooks.FILTERED,
  ],
  ['webhook_replayed_total', 'Repeated deliveries to webhooks', ({ webhooks }) => webhooks.REPLAYED],
  [
    'webhook_refused_total',
    'Deliveries to webhooks that could not be verified',
    ({ webhooks }) => webhooks.SIGNATURE_INVALID,
  ],
  ['webhook_failed_total', 'Verified deliveries to webhooks that started no job', ({ webhooks }) => webhooks.FAILED],
  ['workers', 'Registered workers', ({ workers }) => workers.total],
  [
    'workers_down',
    'Workers that are Down, without those that stopped in order or were replaced',
    ({ workers }) => workers.down,
  ],
  ['worker_slots', 'Task slots of workers that are not Down', ({ workers }) => workers.maxTasks],
  ['worker_slots_used', 'In-flight tasks', ({ workers }) => workers.currentTasks],
  ['store_bytes', 'Size of the job store', ({ storeBytes }) => storeBytes],
  ['read_queue', 'Lists and searches that are running or waiting for their thread', ({ reads }) => reads.waiting],
  ['search_behind_jobs', 'Jobs not yet in the search index', ({ reads }) => reads.search?.behind],
  ['search_bytes', 'Size of the search index', ({ reads }) => reads.search?.bytes],
  ['log_store_up', '1 while VictoriaLogs answers', ({ logs }) => (logs.remote ? Number(logs.remote.up) : undefined)],
  ['log_store_requests_total', 'Requests that VictoriaLogs answered', ({ logs }) => logs.remote?.answered],
  ['log_store_failures_total', 'Requests that failed because of VictoriaLogs', ({ logs }) => logs.remote?.failed],
  [
    'log_store_duplicates_total',
    'Log lines that VictoriaLogs had twice and that were shown once',
    ({ logs }) => logs.remote?.duplicates,
  ],
  ['log_records', 'Records in the log store', ({ logs }) => (logs.remote ? undefined : logs.records)],
  ['log_store_bytes', 'Size of the log store', ({ logs }) => (logs.remote ? undefined : logs.bytes)],
  ['log_blocks', 'Blocks in the log store', ({ logs }) => (logs.remote ? undefined : logs.blocks)],
  ['log_refusing', '1 while the log store cannot write', ({ logs }) => (logs.refusing === null ? 0 : 1)],
  ['log_insert_seconds', 'Time to store the last batch of log lines', ({ logs }) => logs.lagMs / 1000],
  ['log_waiting_bytes', 'Bytes of batches waiting for the log store', ({ logs }) => logs.queuedBytes],
  ['log_stored_total', 'Log lines stored', ({ logs }) => logs.stored],
  ['log_skipped_total', 'Log lines that could not be parsed', ({ logs }) => logs.skipped],
  ['log_duplicates_total', 'Duplicate batches that were not stored again', ({ logs }) => logs.duplicates],
  ['log_refused_total', 'Rejected batches', ({ logs }) => logs.refused],
  ['log_damaged_total', 'Damaged log blocks and files', ({ logs }) => logs.damaged],
  [
    'log_tail_missed_total',
    'Log lines that live tails missed because they arrived too fast',
    ({ logs }) => logs.tailMissed,
  ],
  [
    'log_tails_ended_total',
    'Live tails that were disconnected because their client read too slowly',
    ({ logs }) => logs.tailsEnded,
  ],
  ['pipeline_queue', 'Log lines accepted but not yet stored', ({ pipeline }) => pipeline.queueLines],
  ['pipeline_queue_bytes', 'Bytes of queued log lines on disk', ({ pipeline }) => pipeline.queueBytes],
  ['pipeline_lag_seconds', 'Age of the oldest queued log line', ({ pipeline }) => pipeline.lagMs / 1000],
  ['pipeline_connections', 'Connected senders', ({ pipeline }) => pipeline.connections],
  ['pipeline_paused', '1 while senders are paused', ({ pipeline }) => (pipeline.paused ? 1 : 0)],
  ['pipeline_pauses_total', 'Number of times senders were paused', ({ pipeline }) => pipeline.pauses],
  ['pipeline_accepted_total', 'Log lines accepted', ({ pipeline }) => pipeline.accepted],
  ['pipeline_delivered_total', 'Log lines acknowledged by the log store', ({ pipeline }) => pipeline.delivered],
  ['pipeline_retried_total', 'Retried deliveries', ({ pipeline }) => pipeline.retried],
  ['pipeline_dead_total', 'Log lines permanently rejected by the log store', ({ pipeline }) => pipeline.dead],
  ['pipeline_skipped_total', 'Log lines skipped by the log store', ({ pipeline }) => pipeline.skipped],
  ['pipeline_dropped_total', 'Log lines dropped because the queue was full', ({ pipeline }) => pipeline.dropped],
  ['pipeline_truncated_total', 'Log lines truncated because they were too long', ({ pipeline }) => pipeline.truncated],
  ['pipeline_unparsed_total', 'Log lines that were not JSON', ({ pipeline }) => pipeline.unparsed],
  [
    'pipeline_forged_total',
    'Log lines of workers that named a task, job, worker or source that is not theirs',
    ({ pipeline }) => pipeline.forged,
  ],
  [
    'pipeline_foreign_total',
    'Connections to the log pipeline closed because they began with HTTP, or with TLS on a plain port',
    ({ pipeline }) => pipeline.foreign,
  ],
  [
    'pipeline_unauthorized_total',
    'Connections to the log pipeline closed for want of a valid token',
    ({ pipeline }) => pipeline.unauthorized,
  ],
  [
    'pipeline_crowded_total',
    'Connections to the log pipeline closed because they were silent or too many',
    ({ pipeline }) => pipeline.crowded,
  ],
  ['metric_points', 'Points in the metric store', embedded(({ metrics }) => metrics.points)],
  ['metric_store_bytes', 'Size of the metric store', embedded(({ metrics }) => metrics.bytes)],
  ['metric_series', 'Series in the metric store', embedded(({ metrics }) => metrics.series)],
  ['metric_pending', 'Points recorded but not yet stored', ({ metrics }) => metrics.pending],
  ['metric_queries', 'Running metric queries', ({ metrics }) => metrics.queries],
  [
    'metric_store_refusing',
    '1 while the metric store rejects writes',
    ({ metrics }) => (metrics.refusing === null ? 0 : 1),
  ],
  [
    'metric_points_dropped_total',
    'Points of the master dropped because the queue was full or the writer failed',
    ({ metrics }) => metrics.dropped,
  ],
  [
    'metric_points_over_cardinality_total',
    'Points dropped because the series limit was reached',
    ({ metrics }) => metrics.overCardinality,
  ],
  ...deliverySeries('remote_metrics', 'the remote metric store', 'points', ({ remoteMetrics }) => remoteMetrics),
  ...deliverySeries('remote_write', 'remote write', 'samples', ({ remoteWrite }) => remoteWrite),
  ['remote_write_series', 'Series sent by remote write', ({ remoteWrite }) => remoteWrite?.series],
  [
    'remote_write_left_out_total',
    'Points left out of remote write because the series limit was reached',
    ({ remoteWrite }) => remoteWrite?.leftOut,
  ],
  ['cluster_epoch', 'Epoch of the owner of the state', ({ cluster }) => cluster?.epoch],
  ['cluster_masters', 'Masters of the cluster', ({ cluster }) => cluster?.masters],
  ['cluster_standbys', 'Standbys that could take over', ({ cluster }) => cluster?.standbys],
  [
    'cluster_standby_lag_seconds',
    'Lag of the standby that is furthest behind',
    ({ cluster }) => seconds(cluster?.standbyLagMs),
  ],
  ['cluster_journal_bytes', 'Size of the journal', ({ cluster }) => cluster?.journalBytes ?? undefined],
  ['cluster_append_seconds', 'Mean time of the last appends', ({ cluster }) => seconds(cluster?.appendMs)],
  [
    'cluster_projection_lag_seconds',
    'How far the tables for SQL are behind',
    ({ cluster }) => seconds(cluster?.projectionLagMs),
  ],
  [
    'cluster_failovers_total',
    'Times the state got another owner, or the same one again',
    ({ cluster }) => cluster?.failovers,
  ],
];

/** Where the memory and the time of the master go: at most 5 s old. */
export const threadSamples = (threads: readonly ThreadUsage[]): Sample[] =>
  threads.flatMap(({ thread, memoryBytes, cpuUsage }): Sample[] => [
    {
      ...{ name: 'yardmaster_thread_memory_bytes', type: 'gauge', labels: { thread }, value: memoryBytes },
      help: 'Heap and buffers of the threads of the master',
    },
    ...(cpuUsage === null
      ? []
      : [
          {
            ...{ name: 'yardmaster_thread_cpu_usage', labels: { thread }, value: cpuUsage },
            ...{ type: 'gauge' as const, help: 'Cores used by the threads of the master' },
          },
        ]),
  ]);

/** Over all signals; nothing where none is exported. */
const sumOf = (signals: Now['telemetry'], of: 'exported' | 'dropped' | 'queued'): number | undefined =>
  signals?.reduce((sum, one) => sum + one[of], 0);
const seconds = (ms: number | null | undefined): number | undefined => (typeof ms === 'number' ? ms / 1000 : undefined);

export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
