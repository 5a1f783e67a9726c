import { DEFAULT_PROJECT } from '../../contract/actions.ts';
import { parseStored } from '../../lib/json.ts';
import type { Dashboard, DashboardDefinition, DashboardSummary } from '../../contract/dashboards.ts';
import type { Limits } from '../../contract/limits.ts';
import type { RemoteMetricsOptions } from '../../contract/process.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Access } from '../access/port.ts';
import type { Alerts } from '../alerts/port.ts';
import type { Store } from '../store/port.ts';
import { unknownProject } from '../store/unknown-project.ts';
import { CLUSTER } from './built-in/cluster.ts';
import { JOBS } from './built-in/jobs.ts';
import { SYSTEM } from './built-in/system.ts';
import { TASKS } from './built-in/tasks.ts';
import { assertValidDashboard } from './validate-dashboard.ts';
import { grafanaFiles } from './grafana/files.ts';
import type { Dashboards } from './port.ts';

interface Row {
  id: string;
  title: string;
  definition: string;
  version: number;
  updated_at: number;
  updated_by: string;
  project: string;
}

export const BUILT_IN: ReadonlyMap<string, DashboardDefinition> = new Map([
  ['cluster-overview', CLUSTER],
  ['job-monitoring', JOBS],
  ['task-details', TASKS],
  ['system-health', SYSTEM],
]);

/** Four dashboards that are always there, and those that operators make. */
export function createDashboards({
  store,
  clock,
  limits,
  record,
  alerts,
  influxdb = null,
}: {
  store: Store;
  clock: Clock;
  limits: Readonly<Pick<Limits, 'dashboards'>>;
  record: Access['audit']['record'];
  alerts: Pick<Alerts, 'rules'>;
  /** The InfluxDB that keeps the metrics; left out or null: the master keeps them itself. */
  influxdb?: Pick<RemoteMetricsOptions, 'url' | 'organization' | 'bucket'> | null;
}): Dashboards {
  const find = (id: string) => store.read.query<Row>('SELECT * FROM dashboard WHERE id = ?').get(id);
  const all = () => store.read.query<Row>('SELECT * FROM dashboard ORDER BY title COLLATE NOCASE, id').all();

  function own(id: string): Row {
    if (BUILT_IN.has(id))
      throw new Fault('DASHBOARD_BUILT_IN', `dashboard ${id} is built in and cannot be changed: change a copy instead`);
    const row = find(id);
    if (!row) throw new Fault('DASHBOARD_NOT_FOUND', `dashboard ${id} not found`);
    return row;
  }

  function get(id: string): Dashboard {
    const builtIn = BUILT_IN.get(id);
    return builtIn
      ? { id, builtIn: true, version: null, updatedAt: null, updatedBy: null, definition: builtIn }
      : shown(own(id));
  }

  return {
    get,
    list: (sees) => [
      ...[...BUILT_IN.keys()].map((id) => summary(get(id))),
      ...all()
        .filter(({ project }) => !sees || sees(project))
        .map((row) => summary(shown(row))),
    ],
    async create(id, definition, actor, project = DEFAULT_PROJECT) {
      assertValidDashboard(definition);
      await store.write((db) => {
        if (BUILT_IN.has(id) || db.query('SELECT 1 FROM dashboard WHERE id = ?').get(id))
          throw new Fault('DASHBOARD_EXISTS', `dashboard ${id} already exists: choose another ID`);
        const lacking = unknownProject(db, project);
        if (lacking) throw lacking;
        const { n } = db.query<{ n: number }>('SELECT count(*) AS n FROM dashboard').get() ?? { n: 0 };
        if (n >= limits.dashboards)
          throw new Fault(
            'VALIDATION_FAILED',
            `the maximum of ${limits.dashboards} dashboards is reached (limit dashboards; there are ${n}): delete one first`,
          );
        db.statement(
          'INSERT INTO dashboard (id, title, definition, version, updated_at, updated_by, project) VALUES (?, ?, ?, 1, ?, ?, ?)',
        ).run(id, definition.title, JSON.stringify(definition), clock.now(), actor.name, project);
        record(db, actor, {
          action: 'dashboard.create',
          target: `dashboard:${id}`,
          before: null,
          after: noted(definition.title, project),
        });
      });
      return get(id);
    },
    async update(id, definition, version, actor, project) {
      assertValidDashboard(definition);
      own(id);
      await store.write((db) => {
        const before = db.query<Row>('SELECT * FROM dashboard WHERE id = ?').get(id);
        if (before?.version !== version)
          throw new Fault(
            'DASHBOARD_MOVED',
            `dashboard ${id} is now at version ${before?.version ?? 'none'}, but the change is based on version ${version}: reload the dashboard and repeat the change`,
          );
        const owner = project ?? before.project;
        const lacking = unknownProject(db, owner);
        if (lacking) throw lacking;
        db.statement(
          'UPDATE dashboard SET title = ?, definition = ?, version = version + 1, updated_at = ?, updated_by = ?, project = ? WHERE id = ?',
        ).run(definition.title, JSON.stringify(definition), clock.now(), actor.name, owner, id);
        record(db, actor, {
          action: 'dashboard.update',
          target: `dashboard:${id}`,
          before: { ...noted(before.title, before.project), version },
          after: { ...noted(definition.title, owner), version: version + 1 },
        });
      });
      return get(id);
    },
    async remove(id, actor) {
      const { title } = own(id);
      await store.write((db) => {
        db.statement('DELETE FROM dashboard WHERE id = ?').run(id);
        record(db, actor, { action: 'dashboard.delete', target: `dashboard:${id}`, before: { title }, after: null });
      });
    },
    async grafana({ dashboard, metricsUrl, logsUrl, consoleUrl }) {
      const chosen = dashboard === undefined ? [...BUILT_IN.keys(), ...all().map(({ id }) => id)] : [dashboard];
      const rules = dashboard === undefined ? alerts.rules.list({ page: 0, size: MAX_RULES }).items : [];
      return {
        files: grafanaFiles({
          dashboards: chosen.map(get),
          rules,
          metricsUrl: metricsUrl ?? influxdb?.url ?? 'http://localhost:8086',
          logsUrl: logsUrl ?? 'http://localhost:9428',
          consoleUrl: consoleUrl?.replace(/\/+$/, '') ?? null,
          influxdb,
        }),
      };
    },
  };
}

const MAX_RULES = 500;

/** For the audit log. */
const noted = (title: string, project: string) => ({ title, ...(project === DEFAULT_PROJECT ? {} : { project }) });

const shown = ({ id, definition, version, updated_at, updated_by, project }: Row): Dashboard => ({
  id,
  builtIn: false,
  version,
  updatedAt: iso(updated_at),
  updatedBy: updated_by,
  project,
  definition: parseStored<DashboardDefinition>(definition),
});

const summary = ({ definition: { title, description, panels }, ...stored }: Dashboard): DashboardSummary => ({
  ...stored,
  title,
  description,
  panels: panels.length,
});
