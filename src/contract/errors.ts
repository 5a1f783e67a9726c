/**
 * The registry of error codes that the master's port answers with (contract §2): code → status and title.
 * `detail` says in one sentence what was expected, what came and what to do.
 */
export const ERRORS = {
  ROUTE_NOT_FOUND: [404, 'No such route'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed'],
  INVALID_JSON: [400, 'The body is not valid JSON'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported media type'],
  BODY_TOO_LARGE: [413, 'The body is too large'],
  VALIDATION_FAILED: [422, 'The request is not valid'],
  BAD_REQUEST: [400, 'Malformed request'],
  HEADERS_TOO_LARGE: [431, 'The headers are too large'],
  REQUEST_TIMEOUT: [408, 'The request came too slowly'],
  HOST_REFUSED: [421, 'The master does not answer to this host name'],
  INTERNAL: [500, 'Internal error'],
  SHUTTING_DOWN: [503, 'The master is shutting down'],
  STORE_UNAVAILABLE: [503, 'The store refuses writes'],
  STORE_FULL: [503, 'The disk is full'],

  API_KEY_MISSING: [401, 'An API key is required'],
  API_KEY_INVALID: [401, 'The API key is not valid'],
  API_KEY_SCOPE: [403, 'The API key does not reach this endpoint'],
  ENVIRONMENT_UNKNOWN: [422, 'Unknown environment'],
  WORKFLOW_NOT_FOUND: [404, 'No such workflow'],
  NOT_PUBLISHED: [404, 'Nothing is published there'],
  INPUT_INVALID: [422, 'The input is not valid'],
  IDEMPOTENCY_KEY_REUSED: [422, 'The idempotency key was used with another body'],
  IDEMPOTENCY_IN_FLIGHT: [409, 'The first call with this idempotency key is still running'],
  RATE_LIMITED: [429, 'Too many requests'],
  OVERLOADED: [503, 'The master is overloaded'],
  NO_WORKERS: [503, 'No worker is available'],
  WORKFLOW_FAILED: [502, 'The workflow failed'],
  WORKFLOW_TIMEOUT: [504, 'The workflow is still running'],

  WORKFLOW_EXISTS: [409, 'The workflow exists'],
  STALE_PARENT: [409, 'The parent is not the head'],
  COMMIT_NOT_FOUND: [404, 'No such commit'],
  COMMIT_AMBIGUOUS: [422, 'The hash prefix is ambiguous'],
  ENVIRONMENT_MOVED: [409, 'The environment has moved on'],
  INVALID_DAG: [422, 'The workflow has faults'],

  JOB_NOT_FOUND: [404, 'No such job'],
  TASK_NOT_FOUND: [404, 'No such task'],
  TASK_NOT_FAILED: [409, 'The task has not failed'],
  WORKER_NOT_FOUND: [404, 'No such worker'],
  KEY_NOT_FOUND: [404, 'No such API key'],
  TOKEN_NOT_FOUND: [404, 'No such token'],
  SECRET_NOT_FOUND: [404, 'No such secret'],
  SECRETS_LOCKED: [409, 'The key of the secrets is missing'],
  BACKUP_RUNNING: [409, 'A backup is being taken'],
  BACKUP_FAILED: [503, 'The backup failed'],
  OPERATION_NOT_FOUND: [404, 'No such operation'],
  FAILURE_NOT_FOUND: [404, 'No such failure group'],
  SHADOW_NOT_FOUND: [404, 'No such shadow replay'],
  SEARCH_TOO_BROAD: [422, 'The search finds too many jobs'],
  FILTER_EMPTY: [422, 'An empty filter would match every job'],
  QUERY_INVALID: [422, 'The query is not valid'],
  BUCKET_NOT_FOUND: [404, 'No such bucket'],
  BUCKET_EXISTS: [422, 'The bucket exists'],
  METRICS_FULL: [503, 'The metric store refuses writes'],
  METRICS_TIMEOUT: [503, 'The metrics query took too long'],
  METRICS_TOO_BROAD: [422, 'The metrics query reads too much'],
  QUERY_TOO_LARGE: [422, 'The query needs too much memory'],
  QUERY_TIMEOUT: [503, 'The query takes too long'],
  QUERY_CANCELLED: [503, 'The query was cancelled'],

  ALERT_RULE_NOT_FOUND: [404, 'No such alert rule'],
  ALERT_NAME_TAKEN: [409, 'The name is taken'],
  ALERT_BUILT_IN: [409, 'It comes with the product'],
  ALERT_NOT_FOUND: [404, 'No such alert'],
  ALERT_NOT_FIRING: [409, 'Alert does not fire'],
  SILENCE_NOT_FOUND: [404, 'No such silence'],
  CHANNEL_NOT_FOUND: [404, 'No such alert channel'],
  DASHBOARD_NOT_FOUND: [404, 'No such dashboard'],
  DASHBOARD_EXISTS: [409, 'The dashboard exists'],
  DASHBOARD_BUILT_IN: [409, 'The dashboard is built in'],
  DASHBOARD_MOVED: [409, 'The dashboard has changed'],
  CHANNEL_IN_USE: [409, 'The channel is in use'],

  TOKEN_MISSING: [401, 'A token is required'],
  TOKEN_INVALID: [401, 'The token is not valid'],
  FORBIDDEN: [403, 'The role is too low'],
  CSRF: [403, 'A cross-site write was refused'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** RFC 9457 `application/problem+json`, with a stable `code`; more members stand beside it where a route says so. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  /** The request id. */
  instance: string;
  errors?: { pointer: string; message: string }[];
  [member: string]: unknown;
}
