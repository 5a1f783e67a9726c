import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { INCIDENT_ENDING, INCIDENT_TYPE } from '../../../../contract/incident.ts';
import { scopeOf } from '../../../../contract/route-scopes.ts';
import { Fault } from '../../../../lib/fault.ts';
import type { Identity } from '../../../access/port.ts';
import { disconnectSignal } from '../../core/disconnect-signal.ts';
import { answerHead } from '../../core/head-request.ts';
import { ALREADY_SENT, route, type App } from '../../core/route.ts';
import type { BundleFile } from './bundle.ts';
import { incidentFiles } from './bundle-files.ts';
import { createSees } from './sees.ts';

const encoder = new TextEncoder();

/** `GET /api/v1/jobs/{id}/incident-bundle`: one file with all that is known of a run, as a stream that a slow reader slows down. */
export function incidentRoutes(app: App): void {
  const { access, clock, jobs, limits } = app.services;
  let running = 0;

  async function* archive(parts: AsyncGenerator<BundleFile>): AsyncGenerator<Uint8Array> {
    const { packTar } = await import('modern-tar');
    const end = await packTar([]);
    for await (const { name, json } of parts) {
      const body = typeof json === 'string' ? encoder.encode(json) : json;
      // An archive of its own but for the end, so that the next part is made only when this one is taken.
      const whole = await packTar([{ header: { name, size: body.length, mtime: new Date(clock.now()) }, body }]);
      yield whole.subarray(0, -end.length);
    }
    yield end;
  }

  /** As if the bundle of that job were asked for. */
  async function shows(identity: Identity, jobId: string): Promise<boolean> {
    const { scope } = app;
    const needs = scopeOf('jobs.incidentBundle');
    try {
      await scope.job(identity, 'payload.read', jobId);
      await scope.job(identity, 'logs.read', jobId);
      return needs !== null && (await scope.masks(identity, 'jobs.incidentBundle', needs, { jobId })) === null;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }

  route(app, 'jobs.incidentBundle', async ({ params, query, actor, identity, request, reply }) => {
    // It holds the log of the job.
    await app.scope.job(identity, 'logs.read', params.jobId);
    const job = await jobs.get(params.jobId);
    const headers = {
      'content-type': INCIDENT_TYPE,
      'content-disposition': `attachment; filename="job-${job.id}${INCIDENT_ENDING}"`,
    };
    if (answerHead(request, reply.headers(headers))) return ALREADY_SENT;
    for (const name of Object.keys(headers)) reply.removeHeader(name);
    if (running >= limits.incidentBundles)
      throw new Fault(
        'OVERLOADED',
        `${limits.incidentBundles} incident bundles are already being created: try again when one has finished`,
      );
    running++;
    const signal = disconnectSignal(reply);
    const payloads = query.payloads ?? true;
    const parts = incidentFiles(
      app.services,
      {
        ...{ job, payloads, cluster: request.host, actor: actor.name },
        ...{ shows: (id) => shows(identity, id), sees: createSees(app, identity) },
      },
      signal,
    );
    let over = false;
    const ended = () => {
      if (!over) running--;
      over = true;
    };
    try {
      // Whoever takes all that is known of a run away is noted before the first byte leaves.
      await access.audit.note(actor, {
        action: 'job.incidentBundle',
        target: `job:${job.id}`,
        before: null,
        after: { payloads },
      });
      const pieces = archive(parts);
      // The first part is made before the answer begins, so that what is refused is answered as a problem.
      const first = await pieces.next();
      request.raw.socket.setTimeout?.(limits.exportStallSeconds * 1000);
      async function* all() {
        try {
          if (first.done !== true) yield first.value;
          yield* pieces;
        } finally {
          ended();
          await pieces.return(undefined);
          await parts.return(undefined);
        }
      }
      const gzip = createGzip({ level: 6 });
      const source = Readable.from(all(), { objectMode: false, highWaterMark: 256 * 1024 });
      source.on('error', (error) => gzip.destroy(error));
      // A reader that goes leaves the source behind, which would keep its place.
      gzip.on('close', () => source.destroy());
      void reply.headers(headers).send(source.pipe(gzip));
    } catch (error) {
      ended();
      throw error;
    }
    return ALREADY_SENT;
  });
}
