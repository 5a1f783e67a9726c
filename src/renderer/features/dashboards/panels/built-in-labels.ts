import type { Dashboard, DashboardDefinition, DashboardSummary } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';

interface Words {
  readonly title: string;
  readonly description: string;
  /** Title, and description where there is one, by the panel's id. */
  readonly panels: Readonly<Record<string, readonly [title: string, description?: string]>>;
}

/** What the product says in its own dashboards, in the reader's language. Their English is what the master stores. */
const words = (): Readonly<Record<string, Words>> => ({
  'cluster-overview': {
    title: t('Cluster Overview'),
    description: t('Worker health, capacity and load.'),
    panels: {
      'slots-used': [t('In-flight tasks'), t('Across all workers, at their last heartbeat')],
      slots: [t('Slots'), t('Total task slots of all workers')],
      queue: [t('Queue'), t('READY tasks waiting for a worker')],
      lost: [t('Failed attempts')],
      cpu: [t('Worker CPU')],
      memory: [t('Worker memory')],
      held: [t('In-flight tasks by worker')],
      distribution: [t('Finished attempts by worker')],
      rate: [t('Task input events per second')],
      failures: [t('Failed attempts by worker')],
    },
  },
  'job-monitoring': {
    title: t('Job Monitoring'),
    description: t('Job throughput, results, durations and failures.'),
    panels: {
      finished: [t('Finished jobs')],
      failed: [t('Failed tasks')],
      p50: [t('Job duration p50')],
      p95: [t('Job duration p95')],
      throughput: [t('Finished jobs by workflow')],
      duration: [t('End-to-end latency')],
      states: [t('Tasks of finished jobs by state')],
      errors: [t('Failed attempts by workflow')],
      spread: [t('Job duration histogram')],
      log: [t('Warnings and errors')],
    },
  },
  'task-details': {
    title: t('Task Details'),
    description: t('Tasks by node: throughput, queue time, run time and failures.'),
    panels: {
      run: [t('Run time by node (p95)')],
      schedule: [t('Queue time by node (p95)')],
      in: [t('Node input events per second')],
      out: [t('Node output events per second')],
      'bytes-in': [t('Node input bytes per second')],
      'bytes-out': [t('Node output bytes per second')],
      errors: [t('Failed attempts by node')],
      table: [t('Nodes')],
    },
  },
  'system-health': {
    title: t('System Health'),
    description: t('The master itself: latency, storage and backlogs.'),
    panels: {
      loop: [t('Event loop lag (p99)')],
      queue: [t('Queue')],
      memory: [t('Master memory')],
      pipeline: [t('Log ingest backlog')],
      'loop-time': [t('Event loop lag')],
      'memory-time': [t('Master memory')],
      'thread-memory': [t('Memory by thread')],
      'thread-cpu': [t('CPU by thread')],
      'queue-time': [t('Tasks waiting for a worker')],
      stores: [t('Store size')],
      'pipeline-time': [t('Log ingest backlog')],
      levels: [t('Log lines by level')],
    },
  },
});

/** Names of series and variables, which are the same in each of them. */
const names = (): Readonly<Record<string, string>> => ({
  max: t('max'),
  jobs: t('jobs'),
  logs: t('logs'),
  metrics: t('metrics'),
  lines: t('lines'),
  attempts: t('attempts'),
  failed: t('failed'),
  'run p50, ms': t('run p50, ms'),
  'run p95, ms': t('run p95, ms'),
  Workflow: t('Workflow'),
  Environment: t('Environment'),
  Worker: t('Worker'),
  Job: t('Job'),
});

/** A dashboard in the list, as it is named to the reader. */
export function translatedSummary(summary: DashboardSummary): DashboardSummary {
  const own = summary.builtIn ? words()[summary.id] : undefined;
  return own === undefined ? summary : { ...summary, title: own.title, description: own.description };
}

/** A dashboard's definition as it is shown: one that is built in speaks the reader's language. To be drawn, never to be stored. */
export function translatedDefinition({
  id,
  builtIn,
  definition,
}: Pick<Dashboard, 'id' | 'builtIn' | 'definition'>): DashboardDefinition {
  const own = builtIn ? words()[id] : undefined;
  if (own === undefined) return definition;
  const known = names();
  return {
    ...definition,
    title: own.title,
    description: own.description,
    variables: definition.variables.map((variable) => ({
      ...variable,
      label: known[variable.label] ?? variable.label,
    })),
    panels: definition.panels.map((panel) => {
      const [title = panel.title, description = panel.description] = own.panels[panel.id] ?? [];
      const queries = panel.queries.map((query) =>
        query.source === 'metrics' && query.legend !== undefined
          ? { ...query, legend: known[query.legend] ?? query.legend }
          : query,
      );
      return { ...panel, title, ...(description === undefined ? {} : { description }), queries };
    }),
  };
}
