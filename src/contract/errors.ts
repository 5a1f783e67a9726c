/**
 * The registry of error codes that the master's port answers with: code → status and title.
 * `detail` says in one sentence what was expected, what came and what to do.
 */
export const ERRORS = {
  ROUTE_NOT_FOUND: [404, 'Route not found'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed'],
  INVALID_JSON: [400, 'The request body is not valid JSON'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported media type'],
  BODY_TOO_LARGE: [413, 'The request body is too large'],
  VALIDATION_FAILED: [422, 'Validation failed'],
  BAD_REQUEST: [400, 'Malformed request'],
  HEADERS_TOO_LARGE: [431, 'The request headers are too large'],
  REQUEST_TIMEOUT: [408, 'Request timeout'],
  HOST_REFUSED: [421, 'The master does not serve this host name'],
  INTERNAL: [500, 'Internal error'],
  SHUTTING_DOWN: [503, 'The master is shutting down'],
  STORE_UNAVAILABLE: [503, 'The store rejects writes'],
  STORE_FULL: [503, 'The disk is full'],
  DATA_DAMAGED: [500, 'The data is damaged'],
  NO_OWNER: [503, 'No master owns the state'],
  NO_STANDBY: [409, 'No standby can take over'],
  NO_PROJECTION: [404, 'There is no projection'],
  PROJECTION_IN_USE: [409, 'The projection is being written'],

  API_KEY_MISSING: [401, 'An API key is required'],
  API_KEY_INVALID: [401, 'The API key is invalid'],
  API_KEY_SCOPE: [403, 'The API key has no access to this endpoint'],
  ENVIRONMENT_UNKNOWN: [422, 'Unknown environment'],
  WORKFLOW_NOT_FOUND: [404, 'Workflow not found'],
  NOT_PUBLISHED: [404, 'Nothing is published in this environment'],
  INPUT_INVALID: [422, 'The input is invalid'],
  IDEMPOTENCY_KEY_REUSED: [422, 'The idempotency key was already used with a different body'],
  IDEMPOTENCY_IN_FLIGHT: [409, 'A call with this idempotency key is still running'],
  RATE_LIMITED: [429, 'Too many requests'],
  TOO_MANY_ATTEMPTS: [429, 'Too many wrong credentials'],
  OVERLOADED: [503, 'The master is overloaded'],
  NO_WORKERS: [503, 'No worker is available'],
  WORKFLOW_FAILED: [502, 'The workflow failed'],
  WORKFLOW_TIMEOUT: [504, 'The workflow is still running'],

  WORKFLOW_EXISTS: [409, 'The workflow already exists'],
  STALE_PARENT: [409, 'The parent is not the latest version'],
  COMMIT_NOT_FOUND: [404, 'Commit not found'],
  COMMIT_AMBIGUOUS: [422, 'The hash prefix is ambiguous'],
  ENVIRONMENT_MOVED: [409, 'The environment was changed meanwhile'],
  EXPRESSION_FAILED: [422, 'The expression failed'],
  INVALID_DAG: [422, 'The workflow has validation errors'],

  WEBHOOK_NOT_FOUND: [404, 'Webhook not found'],
  WEBHOOK_PATH_TAKEN: [409, 'The path is already used'],
  DELIVERY_NOT_FOUND: [404, 'Delivery not found'],
  DELIVERY_NOT_KEPT: [409, 'The body of the delivery was not kept'],
  SIGNATURE_INVALID: [401, 'The delivery could not be verified'],
  REPLAYED: [409, 'The delivery came before'],

  JOB_NOT_FOUND: [404, 'Job not found'],
  SCHEDULE_NOT_FOUND: [404, 'Schedule not found'],
  TESTS_FAILED: [409, 'Tests of the workflow fail'],
  JOB_FINISHED: [409, 'The job has finished'],
  TOO_MANY_SIGNALS: [409, 'Too many signals wait for the job'],
  TASK_NOT_FOUND: [404, 'Task not found'],
  TASK_NOT_FAILED: [409, 'The task has not failed'],
  WORKER_NOT_FOUND: [404, 'Worker not found'],
  WORKER_NOT_DOWN: [409, 'The worker is not down'],
  KEY_NOT_FOUND: [404, 'API key not found'],
  TOKEN_NOT_FOUND: [404, 'Token not found'],
  SESSION_NOT_FOUND: [404, 'Session not found'],
  GRANT_NOT_FOUND: [404, 'Grant not found'],
  USER_NOT_FOUND: [404, 'User not found'],
  USER_EXISTS: [409, 'The sign-in name is already used'],
  TOO_MANY_USERS: [409, 'Too many users'],
  ROLE_NOT_FOUND: [404, 'Role not found'],
  ROLE_BUILT_IN: [409, 'The role is built in'],
  ROLE_IN_USE: [409, 'The role is in use'],
  PROJECT_NOT_FOUND: [404, 'Project not found'],
  PROJECT_EXISTS: [409, 'The project already exists'],
  PROJECT_IN_USE: [409, 'The project is in use'],
  SECRET_NOT_FOUND: [404, 'Secret not found'],
  SECRET_EXISTS: [409, 'The name of the secret is already used'],
  SECRETS_LOCKED: [409, 'The encryption key for secrets is missing'],
  BACKUP_RUNNING: [409, 'A backup is already running'],
  BACKUP_EXPIRED: [410, 'The backup is no longer there'],
  BACKUP_FAILED: [503, 'The backup failed'],
  OPERATION_NOT_FOUND: [404, 'Operation not found'],
  APPROVAL_NOT_FOUND: [404, 'Approval request not found'],
  LINK_INVALID: [404, 'The link is invalid or has expired'],
  LINK_USED: [409, 'The link was already used'],
  ALREADY_DECIDED: [409, 'The request was already decided'],
  APPROVAL_EXPIRED: [410, 'The approval request has expired'],
  LOGOUT_TOKEN_INVALID: [400, 'The logout token is not valid'],
  SETTINGS_MOVED: [409, 'The settings were changed meanwhile'],
  SECOND_PERSON_NEEDED: [403, 'Another person must decide'],
  TOO_MANY_APPROVALS: [409, 'Too many open approval requests'],
  SNAPSHOT_EXPIRED: [410, 'The dry run has expired'],
  FAILURE_NOT_FOUND: [404, 'Failure group not found'],
  SHADOW_NOT_FOUND: [404, 'Backtest not found'],
  SEARCH_TOO_BROAD: [422, 'The search matches too many jobs'],
  FILTER_EMPTY: [422, 'An empty filter would match every job'],
  QUERY_INVALID: [422, 'The query is invalid'],
  QUERY_TOO_SLOW: [422, 'The query takes too long'],
  BUCKET_NOT_FOUND: [404, 'Bucket not found'],
  BUCKET_EXISTS: [422, 'The bucket already exists'],
  METRICS_FULL: [503, 'The metric store rejects writes'],
  METRICS_UNAVAILABLE: [503, 'The metric store cannot be reached'],
  METRICS_TIMEOUT: [503, 'The metrics query took too long'],
  METRICS_TOO_BROAD: [422, 'The metrics query reads too much data'],
  LOGS_UNAVAILABLE: [503, 'The log store is unavailable'],
  LOGS_REFUSED: [502, 'The log store refused the request'],
  RECORDING_TOO_LARGE: [422, 'The recorded data of the run is too large'],
  QUERY_TOO_LARGE: [422, 'The query needs too much memory'],
  QUERY_TIMEOUT: [503, 'The query took too long'],
  QUERY_CANCELLED: [503, 'The query was cancelled'],

  ALERT_RULE_NOT_FOUND: [404, 'Alert rule not found'],
  ALERT_NAME_TAKEN: [409, 'The name is already used'],
  ALERT_BUILT_IN: [409, 'It is built-in'],
  ALERT_NOT_FOUND: [404, 'Alert not found'],
  ALERT_NOT_FIRING: [409, 'The alert is not firing'],
  SILENCE_NOT_FOUND: [404, 'Silence not found'],
  CHANNEL_NOT_FOUND: [404, 'Alert channel not found'],
  DASHBOARD_NOT_FOUND: [404, 'Dashboard not found'],
  DASHBOARD_EXISTS: [409, 'The dashboard already exists'],
  DASHBOARD_BUILT_IN: [409, 'The dashboard is built in'],
  DASHBOARD_MOVED: [409, 'The dashboard was changed meanwhile'],
  CHANNEL_IN_USE: [409, 'The channel is in use'],

  TOKEN_MISSING: [401, 'A token is required'],
  TOKEN_INVALID: [401, 'The token is invalid'],
  PASSWORD_INVALID: [401, 'The sign-in name or password is wrong'],
  PASSWORD_CHANGE_NEEDED: [403, 'The one-time password must be changed'],
  PASSWORD_REFUSED: [422, 'The password is too weak'],
  PASSKEY_INVALID: [401, 'The passkey is not valid'],
  PASSKEY_EXPIRED: [400, 'The request for a passkey has expired'],
  PASSKEY_COPIED: [403, 'The passkey was copied'],
  PASSKEY_REFUSED: [409, 'This account has no passkeys'],
  PASSKEY_UNAVAILABLE: [409, 'Passkeys do not work at this address'],
  PASSKEY_NOT_FOUND: [404, 'Passkey not found'],
  PASSKEY_EXISTS: [409, 'The passkey is already known'],
  TOO_MANY_PASSKEYS: [409, 'Too many passkeys'],
  LAST_WAY_IN: [409, 'It is the only way to sign in'],
  PROVIDER_UNREACHABLE: [503, 'The sign-in provider does not answer'],
  PROVIDER_INVALID: [502, 'The answer of the sign-in provider is invalid'],
  CLOCK_WRONG: [502, 'The clock differs from the sign-in provider'],
  SIGN_IN_EXPIRED: [400, 'The sign-in has expired'],
  SIGN_IN_REFUSED: [403, 'The sign-in provider refused'],
  IDENTITY_REFUSED: [403, 'This account may not sign in here'],
  SIGN_IN_UNAVAILABLE: [409, 'Nobody can sign in with a browser'],
  DEVICE_CODE_UNKNOWN: [404, 'The code is unknown or has expired'],
  AUTHORIZATION_PENDING: [400, 'The code was not approved yet'],
  SLOW_DOWN: [400, 'Asked too often'],
  PERSON_NEEDED: [409, 'A person has to do this in their browser'],
  DEVICE_DENIED: [403, 'The code was denied'],
  FORBIDDEN: [403, 'Permission denied'],
  CSRF: [403, 'Cross-site request rejected'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Codes of the command line. */
export type CommandCode =
  | 'CHANNEL_FAILED'
  | 'HANDOVER_FAILED'
  | 'CHECKS_FAILED'
  | 'DRAFT_FAILED'
  | 'DRIFTED'
  | 'EXPORT_FAILED'
  | 'FILE_EXISTS'
  | 'FILE_INVALID'
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  | 'FOLDER_NOT_EMPTY'
  | 'GRAFANA_REFUSED'
  | 'GRAFANA_UNREACHABLE'
  | 'HASH_MISMATCH'
  | 'MASTER_ANSWER_INVALID'
  | 'MASTER_NOT_FOUND'
  | 'NOT_CONFIRMED'
  | 'MASTER_UNREACHABLE'
  | 'MASTER_UNPROVEN'
  | 'AUDIT_BROKEN'
  | 'NOT_BUILT'
  | 'OPERATION_INCOMPLETE'
  | 'PATH_REFUSED'
  | 'PLAN_DIFFERS'
  | 'REPAIR_INCOMPLETE'
  | 'SHADOW_ABORTED'
  | 'SHADOW_DIFFERS'
  | 'SHADOW_INCOMPLETE'
  | 'USAGE'
  | 'WORKER_REFUSED';

/** Why a master does not start, or a backup is not restored: what its process ends with. */
export type StartupCode =
  | 'BACKUP_INVALID'
  | 'CLUSTER_DIFFERS'
  | 'SNAPSHOTS_UNUSABLE'
  | 'STORE_NOT_EMPTY'
  | 'STORE_IN_USE'
  | 'STORE_COPY_FAILED'
  | 'DATA_INCOMPLETE'
  | 'DATA_FOLDER_LOCKED'
  | 'DATA_FOLDER_OPEN'
  | 'DATA_FOLDER_UNUSABLE'
  | 'OPEN_MASTER_REFUSED'
  | 'PORT_REFUSED'
  | 'PORT_TAKEN'
  | 'POSTGRES_REFUSED'
  | 'POSTGRES_UNREACHABLE'
  | 'RESTORE_FAILED'
  | 'SCHEMA_UNKNOWN'
  | 'SECRETS_KEY_INVALID'
  | 'STORE_CORRUPT'
  | 'TLS_UNREADABLE';

/** Codes of the desktop shell, which the console shows. */
export type ShellCode =
  | 'ADDRESS_INSECURE'
  | 'ADDRESS_INVALID'
  | 'ARGUMENT_INVALID'
  | 'CA_INVALID'
  | 'CONNECTION_LOCAL'
  | 'CONNECTION_NOT_FOUND'
  | 'CONTEXT_NOT_FOUND'
  | 'CREDENTIALS_COMMAND_FAILED'
  | 'CREDENTIALS_COMMAND_REFUSED'
  | 'FEED_INVALID'
  | 'FEED_REFUSED'
  | 'FILE_TOO_LARGE'
  | 'FILE_UNKNOWN'
  | 'FOLDER_NOT_OPENED'
  | 'KUBECONFIG_INVALID'
  | 'KUBECONFIG_MISSING'
  | 'KUBERNETES_FORBIDDEN'
  | 'KUBERNETES_UNAUTHORIZED'
  | 'KUBERNETES_UNREACHABLE'
  | 'LINK_INVALID'
  | 'LOGIN_ITEM_REFUSED'
  | 'MASTER_NOT_OWN'
  | 'MASTER_NOT_RUNNING'
  | 'NO_UPDATE'
  | 'POD_NOT_READY'
  | 'PROXY_INVALID'
  | 'RELEASE_NOT_FOUND'
  | 'REPORT_NOT_FOUND'
  | 'SECRET_UNREADABLE'
  | 'SSH_ADDRESS_INVALID'
  | 'SSH_AUTH_REFUSED'
  | 'SSH_FORWARD_REFUSED'
  | 'SSH_HOST_CHANGED'
  | 'SSH_HOST_UNKNOWN'
  | 'SSH_MISSING'
  | 'SSH_UNREACHABLE'
  | 'STAYS_READ_ONLY'
  | 'TOKEN_NEEDED'
  | 'TOO_MANY_CONNECTIONS'
  | 'TUNNEL_PORT_BUSY'
  | 'TUNNEL_LOST';

/** Codes that are no problem of a route: Flux answers them in its own form, a shadow replay with its result. */
export type InnerCode = 'FLUX_INVALID' | 'FLUX_LIMIT' | 'FLUX_RUNTIME';

/** Whatever a fault may be coded with. */
export type FaultCode = ErrorCode | CallCode | CommandCode | StartupCode | ShellCode | InnerCode;

/** What callers name themselves: no answer came, or one that is no problem document. */
export type CallCode = 'OFFLINE' | 'UNKNOWN';

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

/** As much of a problem document as a caller can count on: what answered may be another program. */
export interface ReceivedProblem {
  readonly code?: ErrorCode | CallCode;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: { pointer: string; message: string }[];
  readonly [member: string]: unknown;
}
