import type { Session } from '../../../contract/access.ts';
import type { Secret } from '../../../contract/secrets.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Page } from '../../../contract/shapes.ts';
import { VERSION } from '../../../contract/version.ts';
import type { Worker } from '../../../contract/workers.ts';
import type { Fault } from '../../../lib/fault.ts';
import type { ApiClient } from '../../api-client.ts';
import { failed, passed, warning, type Check } from './check.ts';

/** The master that answers at `api`: alive, ready, of this version, with workers; and whether our token opens it. */
export async function checkMaster(api: ApiClient): Promise<Check[]> {
  try {
    await api.call('GET', '/healthz');
  } catch (error) {
    return [
      failed('master', (error as Error).message, 'start it, or correct --url; its own output tells why it ended'),
    ];
  }
  const checks: Check[] = [passed('master', `answers at ${api.url}`), await checkReady(api)];
  try {
    const { role, actor } = await api.call<Session>('GET', '/api/v1/session');
    checks.push(passed('token', `${actor}, role ${role}`));
  } catch (error) {
    return [
      ...checks,
      failed(
        'token',
        `${(error as Fault).code}: ${(error as Error).message}`,
        'give a valid token of an operator with --token or YARDMASTER_TOKEN',
      ),
    ];
  }
  return [...checks, await checkVersion(api), await checkWorkers(api), await checkSecrets(api)];
}

async function checkReady(api: ApiClient): Promise<Check> {
  try {
    await api.call('GET', '/readyz');
    return passed('ready', 'takes work');
  } catch (error) {
    return failed(
      'ready',
      `takes no work: ${(error as Error).message}`,
      'see the output of the master; a full disk is the usual cause',
    );
  }
}

async function checkVersion(api: ApiClient): Promise<Check> {
  const { version, node, store, durability } = await api.call<Settings>('GET', '/api/v1/settings');
  if (version === VERSION) return passed('version', `${version} on Node ${node}, ${store}, durability ${durability}`);
  return warning(
    'version',
    `the master is ${version}, this command ${VERSION}`,
    'use the command that came with the master',
  );
}

async function checkWorkers(api: ApiClient): Promise<Check> {
  const { items, totalItems } = await api.call<Page<Worker>>('GET', '/api/v1/workers', { query: { size: 500 } });
  const down = items.filter(({ state }) => state === 'Down').length;
  if (totalItems === 0)
    return failed(
      'workers',
      'none is registered: calls that need a task are refused',
      'start the master with --workers, or join one with `yardmaster worker --master URL`',
    );
  if (down === items.length)
    return failed('workers', `all ${totalItems} are Down`, 'see their output; local ones are restarted by the master');
  return down === 0
    ? passed('workers', `${totalItems} registered, none Down`)
    : passed('workers', `${totalItems} registered, ${down} of them Down or gone`);
}

async function checkSecrets(api: ApiClient): Promise<Check> {
  const { items, totalItems } = await api.call<Page<Secret>>('GET', '/api/v1/secrets', { query: { size: 500 } });
  const lost = items.filter(({ readable }) => !readable).map(({ name }) => name);
  if (lost.length === 0) return passed('secrets', totalItems === 0 ? 'none' : `${totalItems}, all of them can be read`);
  return failed(
    'secrets',
    `${lost.length} cannot be read, their key is missing: ${lost.slice(0, 10).join(', ')}`,
    'put the key back into secrets.key of the data folder or YARDMASTER_SECRETS_KEY and start the master again, or set them anew',
  );
}
