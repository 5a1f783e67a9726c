import { findSecretNames } from '../../../contract/secret-names.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { Runnable } from '../../workflows/port.ts';

const known = new WeakMap<Runnable, boolean>();

/** True where a version names secrets, or calls a workflow that may; looked at once. */
export function mayUseSecrets(runnable: Runnable): boolean {
  let uses = known.get(runnable);
  if (uses === undefined) {
    uses = runnable.definition.nodes.some(
      ({ type, config = {} }) => calls(type, config) || findSecretNames(type, config).length > 0,
    );
    known.set(runnable, uses);
  }
  return uses;
}

const calls = (type: string, config: Readonly<Record<string, unknown>>): boolean =>
  type === 'workflow' || (type === 'forEach' && isRecord(config['node']) && config['node']['type'] === 'workflow');
