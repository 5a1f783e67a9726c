import type { MasterOptions } from '../../contract/process.ts';
import type { Access } from '../access/port.ts';
import { readSecrets, writeSecrets, type LocalSecrets } from './local-files.ts';

/** Names of the tokens that a local master makes for itself. */
const OWN_TOKENS: ReadonlySet<string> = new Set(['local', 'local workers', 'preset worker', 'preset viewer']);

export interface LocalAccess {
  secrets: LocalSecrets;
  /** True where a person made a token. */
  otherTokens: boolean;
}

/**
 * What the desktop app, `npm start` and the local workers come in with: an admin token, a worker token and an API key
 * for dev, made once and kept for the owner of the data folder. `YARDMASTER_ADMIN_TOKEN` takes the place of the first. Preset
 * tokens last as long as the master is given them.
 *
 * @param given secrets that are not the folder's own: those that the masters of a cluster share
 */
export async function ensureLocalAccess(
  access: Access,
  folder: string,
  options: Pick<MasterOptions, 'adminToken' | 'presetTokens' | 'examples'>,
  given: Partial<LocalSecrets> = {},
): Promise<LocalAccess> {
  const secrets = { ...readSecrets(folder), ...given };
  const adminToken = options.adminToken ?? secrets.adminToken;
  await Promise.all([
    access.tokens.ensure({ name: 'local', role: 'admin', secret: adminToken }),
    access.tokens.ensure({ name: 'local workers', role: 'worker', secret: secrets.workerToken }),
    ...(['worker', 'viewer'] as const).map((role) =>
      access.tokens.ensure({ name: `preset ${role}`, role, secret: options.presetTokens?.[role] ?? null }),
    ),
  ]);
  if (options.examples && (secrets.apiKey === null || access.key(secrets.apiKey) === null)) {
    const { key } = await access.keys.create(
      { name: 'local', workflows: ['*'], environments: ['dev'] },
      { name: 'local', role: 'admin', address: null },
    );
    secrets.apiKey = key;
    writeSecrets(folder, secrets);
  }
  const { items } = await access.tokens.list({ page: 0, size: 500 });
  return {
    secrets: { ...secrets, adminToken },
    otherTokens: items.some((token) => !OWN_TOKENS.has(token.name) && token.revokedAt === null),
  };
}
