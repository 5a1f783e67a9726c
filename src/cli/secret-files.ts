import { readFileSync } from 'node:fs';
import { errorMessage } from '../lib/errors.ts';
import { Fault } from '../lib/fault.ts';

/** Variables whose values are secrets, so that each may also come in a file: `YARDMASTER_ADMIN_TOKEN_FILE`. */
export const SECRET_VARIABLES = [
  'YARDMASTER_ADMIN_TOKEN',
  'YARDMASTER_PRESET_WORKER_TOKEN',
  'YARDMASTER_PRESET_VIEWER_TOKEN',
  'YARDMASTER_WORKER_TOKEN',
  'YARDMASTER_SECRETS_KEY',
  'YARDMASTER_LOGS_PASSWORD',
  'YARDMASTER_LOGS_TOKEN',
  'YARDMASTER_LOG_STORE_TOKEN',
  'YARDMASTER_LOG_STORE_PASSWORD',
  'YARDMASTER_LOGSTASH_TOKEN',
  'YARDMASTER_PIPELINE_TOKEN',
  'YARDMASTER_OIDC_CLIENT_SECRET',
  'YARDMASTER_AUDIT_WEBHOOK_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'GRAFANA_TOKEN',
  'YARDMASTER_GRAFANA_READ_TOKEN',
  'YARDMASTER_GRAFANA_INFLUXDB_TOKEN',
  'YARDMASTER_METRICS_PASSWORD',
  'YARDMASTER_METRICS_TOKEN',
  'YARDMASTER_REMOTE_WRITE_PASSWORD',
  'YARDMASTER_REMOTE_WRITE_TOKEN',
] as const;

/**
 * Secrets that orchestrators hand over as files (Docker, Kubernetes, systemd): a variable that ends in `_FILE` names the file with the value of
 * the one without, whose final line break does not count. The file's path is no secret, and the process list shows no value.
 */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of SECRET_VARIABLES) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new Fault('USAGE', `${name} and ${name}_FILE are both set: set one of them`);
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new Fault('USAGE', `${name}_FILE cannot be read: ${errorMessage(error)}`);
    }
    if (read[name] === '') throw new Fault('USAGE', `${name}_FILE: ${file} is empty`);
  }
  return read;
}
