import { ApiError } from '../../lib/api-error.ts';
import { call, isGatewayError } from './client.ts';

/** A proxy without a master behind it is asked so often, at this pace: a failover is no outage. */
const TRIES = 4;
const PAUSE_MS = 700;

/** True where the master answers at all, whatever it says. */
export async function isMasterAnswering(signal: AbortSignal): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const error = await call('master.healthz', { signal }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) return true;
    if (!isGatewayError(error)) return error instanceof ApiError && error.status > 0 && error.status < 500;
    if (tries === TRIES || signal.aborted) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
