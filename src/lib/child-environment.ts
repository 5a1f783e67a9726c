/** What a process of ours may need of the environment, in upper case; Windows does not tell cases apart. */
const NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'PATHEXT',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'SYSTEMROOT',
  'WINDIR',
  'COMSPEC',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'LD_LIBRARY_PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'UV_THREADPOOL_SIZE',
  'ELECTRON_RUN_AS_NODE',
  'NODE_OPTIONS',
  'NODE_ENV',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NO_COLOR',
  'YARDMASTER_HANDLERS',
  'YARDMASTER_LOGSTASH',
  'YARDMASTER_DRAIN_SECONDS',
  'YARDMASTER_WORKER_UMASK',
]);
/** Never handed on, whoever asks for it. */
const SECRET: ReadonlySet<string> = new Set([
  'YARDMASTER_ADMIN_TOKEN',
  'YARDMASTER_PRESET_WORKER_TOKEN',
  'YARDMASTER_PRESET_VIEWER_TOKEN',
  'YARDMASTER_SECRETS_KEY',
  'YARDMASTER_STORE',
  'YARDMASTER_OIDC_CLIENT_SECRET',
  'PGPASSWORD',
  'YARDMASTER_AUDIT_WEBHOOK_SECRET',
  'YARDMASTER_LOGS',
  'YARDMASTER_LOGS_INSERT',
  'YARDMASTER_LOGS_PASSWORD',
  'YARDMASTER_LOGS_TOKEN',
  'YARDMASTER_METRICS',
  'YARDMASTER_METRICS_PASSWORD',
  'YARDMASTER_METRICS_TOKEN',
  'YARDMASTER_REMOTE_WRITE',
  'YARDMASTER_REMOTE_WRITE_PASSWORD',
  'YARDMASTER_REMOTE_WRITE_TOKEN',
]);
const PREFIXES = ['LC_', 'MALLOC_', 'XDG_'];

/** Nothing of the environment of this process, which may hold tokens, but what one of its own needs to start: for processes that only compute. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  for (const name of ['SystemRoot', 'TZ', 'LANG']) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

/**
 * The part of an environment that a worker process is given: what the system and Node need, by an allow-list, and what
 * `YARDMASTER_WORKER_ENV` names, for handlers that read variables of their own (names, separated by commas). The admin token
 * and the encryption key of the secrets are variables of the master, and no worker's business.
 */
export function childEnvironment(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const asked = new Set((env['YARDMASTER_WORKER_ENV'] ?? '').split(',').map((name) => name.trim().toUpperCase()));
  const isAllowed = (name: string) =>
    !SECRET.has(name) && (NAMES.has(name) || asked.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name.toUpperCase())));
}
