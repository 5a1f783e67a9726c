import { Type } from 'typebox';
import * as dashboards from './api-dashboards.ts';
import { DASHBOARD_ID } from './dashboard.ts';

const strict = { additionalProperties: false } as const;
const params = Type.Object({ id: Type.String({ pattern: DASHBOARD_ID }) });
const Address = Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^https?://[^\\s"\'\\\\]+$' }));

/** The routes of dashboards; part of the route table. */
export const DASHBOARD_ROUTES = {
  listDashboards: {
    method: 'GET',
    path: '/api/v1/dashboards',
    access: 'viewer',
    tag: 'Dashboards',
    summary: 'All dashboards: those built in first, then by title',
    answers: { 200: Type.Object({ items: Type.Array(dashboards.DashboardSummarySchema) }) },
  },
  createDashboard: {
    method: 'POST',
    path: '/api/v1/dashboards',
    access: 'operator',
    tag: 'Dashboards',
    summary: 'Make a dashboard',
    body: Type.Object(
      { id: Type.String({ pattern: DASHBOARD_ID }), definition: dashboards.DashboardDefinitionSchema },
      strict,
    ),
    answers: { 201: dashboards.DashboardSchema },
  },
  getDashboard: {
    method: 'GET',
    path: '/api/v1/dashboards/:id',
    access: 'viewer',
    tag: 'Dashboards',
    summary: 'One dashboard',
    params,
    answers: { 200: dashboards.DashboardSchema },
  },
  updateDashboard: {
    method: 'PUT',
    path: '/api/v1/dashboards/:id',
    access: 'operator',
    tag: 'Dashboards',
    summary: 'Change a dashboard of your own',
    params,
    body: Type.Object(
      {
        definition: dashboards.DashboardDefinitionSchema,
        version: Type.Integer({
          minimum: 1,
          description: 'The one that you changed; another one in the store is a conflict',
        }),
      },
      strict,
    ),
    answers: { 200: dashboards.DashboardSchema },
  },
  deleteDashboard: {
    method: 'DELETE',
    path: '/api/v1/dashboards/:id',
    access: 'operator',
    tag: 'Dashboards',
    summary: 'Delete a dashboard of your own',
    params,
    answers: { 204: null },
  },
  exportGrafana: {
    method: 'GET',
    path: '/api/v1/grafana',
    access: 'viewer',
    tag: 'Dashboards',
    summary: 'Dashboards, data sources and alert rules as files for Grafana',
    query: Type.Object(
      {
        dashboard: Type.Optional(Type.String({ pattern: DASHBOARD_ID, description: 'This one alone' })),
        metricsUrl: Address,
        logsUrl: Address,
      },
      strict,
    ),
    answers: { 200: dashboards.GrafanaExportSchema },
  },
} as const;
