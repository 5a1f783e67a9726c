import type { Session } from '../../../contract/access.ts';
import type { Secret } from '../../../contract/secrets.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Page } from '../../../contract/shapes.ts';
import { VERSION } from '../../../contract/version.ts';
import type { Worker } from '../../../contract/workers.ts';
import type { Fault } from '../../../lib/fault.ts';
import type { Api } from '../../api-client.ts';
import { broken, fine, warn, type Check } from './check.ts';

/** The master that answers at `api`: alive, ready, of this version, with workers; and whether our token opens it. */
export async function checkMaster(api: Api): Promise<Check[]> {
  try {
    await api.call('GET', '/healthz');
  } catch (error) {
    return [
      broken('master', (error as Error).message, 'start it, or correct --url; its own output tells why it ended'),
    ];
  }
  const checks: Check[] = [fine('master', `answers at ${api.url}`), await checkReady(api)];
  try {
    const { role, actor } = await api.call<Session>('GET', '/api/v1/session');
    checks.push(fine('token', `${actor}, role ${role}`));
  } catch (error) {
    return [
      ...checks,
      broken(
        'token',
        `${(error as Fault).code}: ${(error as Error).message}`,
        'give a valid token of an operator with --token or YARDMASTER_TOKEN',
      ),
    ];
  }
  return [...checks, await checkVersion(api), await checkWorkers(api), await checkSecrets(api)];
}

async function checkReady(api: Api): Promise<Check> {
  try {
    await api.call('GET', '/readyz');
    return fine('ready', 'takes work');
  } catch (error) {
    return broken(
      'ready',
      `takes no work: ${(error as Error).message}`,
      'see the output of the master; a full disk is the usual cause',
    );
  }
}

async function checkVersion(api: Api): Promise<Check> {
  const { version, node, store, durability } = await api.call<Settings>('GET', '/api/v1/settings');
  if (version === VERSION) return fine('version', `${version} on Node ${node}, ${store}, durability ${durability}`);
  return warn(
    'version',
    `the master is ${version}, this command ${VERSION}`,
    'use the command that came with the master',
  );
}

async function checkWorkers(api: Api): Promise<Check> {
  const { items, totalItems } = await api.call<Page<Worker>>('GET', '/api/v1/workers', { query: { size: 500 } });
  const down = items.filter(({ state }) => state === 'Down').length;
  if (totalItems === 0)
    return broken(
      'workers',
      'none is registered: calls that need a task are refused',
      'start the master with --workers, or join one with `yardmaster worker --master URL`',
    );
  if (down === items.length)
    return broken('workers', `all ${totalItems} are Down`, 'see their output; local ones are restarted by the master');
  return down === 0
    ? fine('workers', `${totalItems} registered, none Down`)
    : fine('workers', `${totalItems} registered, ${down} of them Down or gone`);
}

async function checkSecrets(api: Api): Promise<Check> {
  const { items, totalItems } = await api.call<Page<Secret>>('GET', '/api/v1/secrets', { query: { size: 500 } });
  const lost = items.filter(({ readable }) => !readable).map(({ name }) => name);
  if (lost.length === 0) return fine('secrets', totalItems === 0 ? 'none' : `${totalItems}, all of them can be read`);
  return broken(
    'secrets',
    `${lost.length} cannot be read, their key is missing: ${lost.slice(0, 10).join(', ')}`,
    'put the key back into secrets.key of the data folder or YARDMASTER_SECRETS_KEY and start the master again, or set them anew',
  );
}
