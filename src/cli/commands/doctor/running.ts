import { VERSION } from '../../../contract/version.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import type { MasterApi } from '../../api-client.ts';
import { failed, passed, warning, type Check } from './check.ts';

/** The master that answers at `api`: alive, ready, of this version, with workers; and whether our token opens it. */
export async function checkMaster(api: MasterApi): Promise<Check[]> {
  try {
    await api.call('master.healthz');
  } catch (error) {
    return [failed('master', errorMessage(error), 'start it, or correct --url; see its output for why it stopped')];
  }
  const checks: Check[] = [passed('master', `responds at ${api.url}`), await checkReady(api)];
  try {
    const { role, actor } = await api.call('session.get');
    checks.push(passed('token', `${actor}, role ${role}`));
  } catch (error) {
    return [
      ...checks,
      failed(
        'token',
        `${errorCode(error)}: ${errorMessage(error)}`,
        'set a valid operator token with --token or YARDMASTER_TOKEN',
      ),
    ];
  }
  return [...checks, await checkVersion(api), await checkWorkers(api), await checkSecrets(api)];
}

async function checkReady(api: MasterApi): Promise<Check> {
  try {
    await api.call('master.readyz');
    return passed('ready', 'ready');
  } catch (error) {
    return failed(
      'ready',
      `not ready: ${errorMessage(error)}`,
      'see the output of the master; the usual cause is a full disk',
    );
  }
}

async function checkVersion(api: MasterApi): Promise<Check> {
  const { version, node, store, durability } = await api.call('settings.get');
  if (version === VERSION) return passed('version', `${version} on Node ${node}, ${store}, durability ${durability}`);
  return warning(
    'version',
    `the master is version ${version}, this command is ${VERSION}`,
    "use the command of the master's version",
  );
}

async function checkWorkers(api: MasterApi): Promise<Check> {
  const { items, totalItems } = await api.call('workers.list', { query: { size: 500 } });
  const down = items.filter(({ state }) => state === 'Down').length;
  if (totalItems === 0)
    return failed(
      'workers',
      'no workers registered: calls that need a task are rejected',
      'start the master with --workers, or add one with `yardmaster worker --master URL`',
    );
  if (down === items.length)
    return failed('workers', `all ${totalItems} are Down`, 'see their output; the master restarts local workers');
  return down === 0
    ? passed('workers', `${totalItems} registered, none Down`)
    : passed('workers', `${totalItems} registered, ${down} of them Down or gone`);
}

async function checkSecrets(api: MasterApi): Promise<Check> {
  const { items, totalItems } = await api.call('secrets.list', { query: { size: 500 } });
  const lost = items.filter(({ readable }) => !readable).map(({ name }) => name);
  if (lost.length === 0) return passed('secrets', totalItems === 0 ? 'none' : `${totalItems}, all readable`);
  return failed(
    'secrets',
    `${lost.length} not readable, encryption key missing: ${lost.slice(0, 10).join(', ')}`,
    'restore the key in secrets.key of the data folder or YARDMASTER_SECRETS_KEY and restart the master, or set the secrets again',
  );
}
