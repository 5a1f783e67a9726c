import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LocalFile } from '../contract/process.ts';
import { pathTo } from './api-client.ts';
import { errorCode, errorMessage } from './errors.ts';
import { Fault } from './fault.ts';

/**
 * How a client knows that at the address in `local.json` there is still the master that wrote it: whoever answers a random
 * number with its keyed sum has the key of that file, which only its owner can read. A master that was killed leaves the file
 * behind, and its port to anybody.
 */
const LONGEST_ANSWER = 4096;
const PATIENCE_MS = 10_000;

export const makeProofKey = (): string => randomBytes(32).toString('base64url');

/** With the port: what a master at another port says proves nothing about this one. */
export const proofOf = (key: string, nonce: string, port: number): string =>
  createHmac('sha256', key).update(`yardmaster master proof\n${port}\n${nonce}`).digest('base64url');

/** Throws MASTER_UNPROVEN where somebody else listens there; the token has not been sent then. Where nobody listens: what `fetch` throws. */
export async function proveLocalMaster({ url, proofKey, ports }: LocalFile): Promise<void> {
  const remedy = 'restart the master, or specify one with --url and --token';
  if (typeof proofKey !== 'string')
    throw new Fault('MASTER_UNPROVEN', `the master at ${url} was started by an older version: ${remedy}`);
  const nonce = randomBytes(16).toString('hex');
  const expected = proofOf(proofKey, nonce, ports.master);
  let said: string;
  try {
    const answer = await fetch(`${url}${pathTo('master.proof', { query: { nonce } })}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (Number(answer.headers.get('content-length') ?? 0) > LONGEST_ANSWER) throw new Error('a long answer');
    said = ((await answer.json()) as { proof?: unknown }).proof?.toString() ?? '';
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    // Nobody is there: that is told as of any master.
    if (errorCode(cause) === 'ECONNREFUSED') throw error;
    throw new Fault(
      'MASTER_UNPROVEN',
      `what listens at ${url} did not prove that it is the master of this data folder (${errorMessage(cause)}); the token was not sent: ${remedy}`,
      { cause: error },
    );
  }
  const [left, right] = [Buffer.from(said), Buffer.from(expected)];
  if (left.length !== right.length || !timingSafeEqual(left, right))
    throw new Fault(
      'MASTER_UNPROVEN',
      `what listens at ${url} is not the master of this data folder; the token was not sent: ${remedy}`,
    );
}
