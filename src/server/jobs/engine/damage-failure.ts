import type { AttemptFailure } from '../../state-machines/task.ts';
import { dataDamaged } from '../../store/whole.ts';
import type { Transaction } from './port.ts';

/** Why a task cannot be run whose input is not as it was written. A retry by hand says the same until it is restored. */
export function damageFailure(tx: Transaction, what: string): AttemptFailure {
  tx.effects.damaged.push(what);
  return { code: 'DATA_DAMAGED', message: dataDamaged(what).message, retryable: false };
}
