import type { Dashboard, DashboardDefinition, DashboardSummary, GrafanaExport } from '../../contract/dashboards.ts';
import type { Actor } from '../workflows/port.ts';

/** All throw DASHBOARD_NOT_FOUND for an id that is none. */
export interface Dashboards {
  /** `sees`: of projects of which it says true, and those that are built in. */
  list(sees?: ((project: string) => boolean) | null): readonly DashboardSummary[];
  get(id: string): Dashboard;
  /** Throws DASHBOARD_EXISTS, PROJECT_NOT_FOUND, or VALIDATION_FAILED where panels do not fit together. */
  create(id: string, definition: DashboardDefinition, actor: Actor, project?: string): Promise<Dashboard>;
  /** Throws CONFLICT where `version` is not the one in the store, DASHBOARD_BUILT_IN. */
  update(
    id: string,
    definition: DashboardDefinition,
    version: number,
    actor: Actor,
    project?: string,
  ): Promise<Dashboard>;
  remove(id: string, actor: Actor): Promise<void>;
  grafana(options: {
    dashboard?: string;
    metricsUrl?: string;
    logsUrl?: string;
    consoleUrl?: string;
  }): Promise<GrafanaExport>;
}
