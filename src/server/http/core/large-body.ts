import type { Limits } from '../../../contract/limits.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { toTransferable, type PackedInputs } from '../../../lib/packed-inputs.ts';
import type { CheckedBody, Offload, SchemaRequest } from '../../offload/port.ts';
import type { Runnable } from '../../workflows/port.ts';

/** True for a body that would hold the event loop; smaller ones are quicker there than the way to the thread. */
export const isLargeBody = (body: Uint8Array, { heavyBodyBytes }: Pick<Limits, 'heavyBodyBytes'>): boolean =>
  body.length >= heavyBodyBytes;

/** Bytes from which a body of this route is read in the thread. */
export const offloadThreshold = (route: RouteName, limits: Readonly<Limits>): number =>
  route === 'commits.create' || route === 'workflows.check' || route === 'drafts.run'
    ? limits.heavyDefinitionBytes
    : limits.heavyBodyBytes;

/** Reads the body of an event call in the thread. It is handed over, and no more to be read here. */
export function readEventInThread(
  offload: Offload,
  body: Uint8Array,
  runnable: Runnable,
): Promise<{ bodyHash: string; inputs: PackedInputs }> {
  const bytes = toTransferable(body);
  return offload.call('event', { body: bytes, schema: schemaOf(runnable) }, [bytes]);
}

/** Reads and checks the body of another route in the thread. */
export const readBodyInThread = (
  offload: Offload,
  route: string,
  body: Uint8Array,
  { params, query }: { params: unknown; query: unknown },
): Promise<CheckedBody> => offload.call('body', { route, params, query, body });

/** Checks the packed inputs of a batch job against the workflow's schema. */
export async function checkPacked(offload: Offload, inputs: PackedInputs, runnable: Runnable): Promise<void> {
  const schema = schemaOf(runnable);
  await offload.call('inputs', { inputs, schema });
}

const schemas = new WeakMap<Runnable, SchemaRequest>();

/** Raw numbers in a schema only travel as text. */
function schemaOf(runnable: Runnable): SchemaRequest | null {
  const { commit, definition } = runnable;
  if (definition.input === undefined) return null;
  let known = schemas.get(runnable);
  if (!known) schemas.set(runnable, (known = { commit, schema: JSON.stringify(definition.input) }));
  return known;
}
