import { Fault } from '../../../lib/fault.ts';
import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import { route, type App } from '../core/route.ts';
import { makeLink } from './make-link.ts';

/** Characters of an idempotency key. */
const KEY_CHARACTERS = 255;

/** Signals to jobs, and links that send them. */
export function jobSignalRoutes(app: App): void {
  const { access, jobs, limits } = app.services;

  route(app, 'jobs.signal', async ({ params: { jobId, name }, query, lossless, actor, request }) => {
    const payload = jsonTextOf(lossless);
    if (Buffer.byteLength(payload) > limits.signalBytes)
      throw new Fault('BODY_TOO_LARGE', `a signal has at most ${limits.signalBytes} bytes (limit signalBytes)`);
    const { delivered } = await jobs.waits.signal(
      { jobId, name, replica: query.replica ?? null, payload, key: keyOf(request.headers['idempotency-key']) },
      { name: actor.name, audit: access.audit.entry(actor) },
    );
    return { jobId, name, delivered };
  });
  route(app, 'jobs.signalLink', async ({ params: { jobId, name }, body, actor, request }) => {
    const { finishedAt } = await jobs.get(jobId);
    if (finishedAt !== null)
      throw new Fault('JOB_FINISHED', `job ${jobId} has finished: nothing waits for signal ${name} any more`);
    const purpose = { kind: 'signal', jobId, name, replica: body.replica ?? null } as const;
    return makeLink(app, purpose, body, { actor, request });
  });
}

function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || header === '' || header.length > KEY_CHARACTERS)
    throw new Fault('BAD_REQUEST', `Idempotency-Key: expected one text of 1 to ${KEY_CHARACTERS} characters`);
  return `key:${header}`;
}
