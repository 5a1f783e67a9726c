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
    description: t('The workers: whether they are well, how much room they have, and who does how much.'),
    panels: {
      'slots-used': [t('Tasks held'), t('By all workers together, at their last beat')],
      slots: [t('Slots'), t('Tasks that all workers together may hold')],
      queue: [t('Queue'), t('READY tasks that wait for a worker')],
      lost: [t('Attempts that failed')],
      cpu: [t('Processor of workers')],
      memory: [t('Memory of workers')],
      held: [t('Tasks held by each worker')],
      distribution: [t('Attempts ended by each worker')],
      rate: [t('Events into tasks, a second')],
      failures: [t('Failed attempts by worker')],
    },
  },
  'job-monitoring': {
    title: t('Job Monitoring'),
    description: t('The jobs: how many end and how, how long they take, and what fails.'),
    panels: {
      finished: [t('Jobs finished')],
      failed: [t('Failed tasks in finished jobs')],
      p50: [t('Median time of a job')],
      p95: [t('95 of 100 jobs within')],
      throughput: [t('Jobs finished by workflow')],
      duration: [t('Time from submission to end')],
      states: [t('Tasks of finished jobs by state')],
      errors: [t('Failed attempts by workflow')],
      spread: [t('Spread of job times')],
      log: [t('Warnings and errors')],
    },
  },
  'task-details': {
    title: t('Task Details'),
    description: t('The tasks by node: what goes in and out, how long they wait and run, and how often they fail.'),
    panels: {
      run: [t('Run time by node (95 %)')],
      schedule: [t('Time in the queue by node (95 %)')],
      in: [t('Events into nodes, a second')],
      out: [t('Events out of nodes, a second')],
      'bytes-in': [t('Bytes into nodes, a second')],
      'bytes-out': [t('Bytes out of nodes, a second')],
      errors: [t('Failed attempts by node')],
      table: [t('Nodes')],
    },
  },
  'system-health': {
    title: t('System Health'),
    description: t('The master itself: how quickly it reacts, what it keeps, and what waits.'),
    panels: {
      loop: [t('Event loop delay (99 %)')],
      queue: [t('Queue')],
      memory: [t('Memory of the master')],
      pipeline: [t('Log lines not yet stored')],
      'loop-time': [t('Delay of the event loop')],
      'memory-time': [t('Memory of the master')],
      'queue-time': [t('Tasks that wait for a worker')],
      stores: [t('Size of the stores')],
      'pipeline-time': [t('Log lines not yet stored')],
      levels: [t('Log lines by level')],
    },
  },
});

/** Names of series and variables, which are the same in each of them. */
const names = (): Readonly<Record<string, string>> => ({
  median: t('median'),
  longest: t('longest'),
  resident: t('resident'),
  jobs: t('jobs'),
  logs: t('logs'),
  metrics: t('metrics'),
  lines: t('lines'),
  attempts: t('attempts'),
  failed: t('failed'),
  'median run, ms': t('median run, ms'),
  '95 % run, ms': t('95 % run, ms'),
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
