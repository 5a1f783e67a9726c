import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './postgres.mjs';

const CONSOLE_DAYS = 30;

/**
 * What all masters of a cluster on this machine are given, made once and kept for the owner of the folder (`cluster.json`,
 * mode 0600): the key of the secrets, the admin token, a port for each master. Those of the environment come first.
 */
export async function keptKeys(folder, masters, env = process.env) {
  // PostgreSQL below it may run as another user; what is in the other folders is closed to it.
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const file = join(folder, 'cluster.json');
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const keys = {
    secretsKey: kept.secretsKey ?? randomBytes(32).toString('base64'),
    adminToken: kept.adminToken ?? `yt_${randomBytes(24).toString('hex')}`,
    ports: kept.ports ?? [],
    apiKey: kept.apiKey ?? null,
    console: kept.console ?? null,
  };
  while (keys.ports.length < masters) keys.ports.push(await freePort());
  const save = () => {
    const draft = `${file}.new`;
    writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  };
  save();
  return {
    keys,
    save,
    secretsKey: env.YARDMASTER_SECRETS_KEY || keys.secretsKey,
    adminToken: env.YARDMASTER_ADMIN_TOKEN || keys.adminToken,
  };
}

/**
 * An API key for the curl line and a token that signs a browser in, of this cluster: made through its API, and again where
 * they were revoked, ran out, or belong to another database. `call(path, body?)` asks the API as administrator.
 */
export async function ensureAccess({ keys, save }, call) {
  const lives = (item, all) => item !== null && all.some(({ id, revokedAt }) => id === item.id && revokedAt === null);
  const { items: apiKeys } = await call('/api/v1/keys?size=500');
  if (!lives(keys.apiKey, apiKeys)) {
    const { id, key } = await call('/api/v1/keys', { name: 'npm start', workflows: ['*'], environments: ['dev'] });
    keys.apiKey = { id, key };
  }
  const { items: tokens } = await call('/api/v1/tokens?size=500');
  const soon = Date.now() + 86_400_000;
  if (!lives(keys.console, tokens) || Date.parse(keys.console.until) < soon) {
    const until = new Date(Date.now() + CONSOLE_DAYS * 86_400_000).toISOString();
    const { id, token } = await call('/api/v1/tokens', { name: 'npm start', role: 'admin', expiresAt: until });
    keys.console = { id, token, until };
  }
  save();
  return { apiKey: keys.apiKey.key, consoleToken: keys.console.token };
}
