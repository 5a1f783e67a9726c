import type { EventEmitter } from 'node:events';
import { errorCode, errorMessage } from '../lib/errors.ts';

/**
 * A master whose lease expires tells whoever waits for a write that it is not known whether it was kept (`NO_OWNER`). Where nobody waits,
 * as for what a timer began, that must not end the process: it takes the lease again, or becomes a standby. Any other rejection that
 * nobody waits for ends it, as Node does.
 */
export function outliveUnknownOutcomes(process: Pick<EventEmitter, 'on'>, log: (line: string) => void): void {
  process.on('unhandledRejection', (reason: unknown) => {
    if (errorCode(reason) !== 'NO_OWNER') throw reason instanceof Error ? reason : new Error(String(reason));
    log(`nobody waited for a write whose outcome is not known: ${errorMessage(reason)}`);
  });
}
