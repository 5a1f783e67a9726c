import {
  INCIDENT_FORMAT,
  INCIDENT_PATHS,
  INCIDENT_VERSION,
  type IncidentEnd,
  type IncidentManifest,
} from '../../../../contract/incident.ts';
import { iso } from '../../../../lib/clock.ts';
import { findRelatedJobs } from './related-jobs.ts';
import {
  readOrDefault,
  type IncidentRequest,
  type IncidentServices,
  type IncidentBundle,
  type BundleFile,
} from './bundle.ts';
import { inputChunks, logChunks, taskChunks } from './chunks.ts';
import { contextFiles, jobMetrics } from './context-files.ts';
import { createBundleRedaction } from './redact-bundle.ts';

const README = ({ jobId, cluster, createdAt, payloads }: IncidentManifest): string => `Yardmaster incident bundle
==========================

Job ${jobId}, created ${createdAt} from ${cluster}.${payloads ? '' : '\nInputs and outputs are not included.'}

Open it in any Yardmaster console: use "Open incident bundle" in the command palette, or drop the file on a page. Nothing
in the file is sent anywhere, and it cannot change a master.

The file is a gzip-compressed tar archive: \`tar xzf FILE\` unpacks it. All files are JSON or JSON lines (.ndjson). Values of
secrets and Yardmaster credentials are redacted; other data that workflows read or computed is not.
`;

/**
 * The parts of a bundle in their order, each made when it is asked for, so that memory holds one at a time. What is gone
 * by now, or above a limit, is left out and named in the last part.
 */
export async function* incidentFiles(
  services: IncidentServices,
  request: IncidentRequest,
  signal: AbortSignal,
): AsyncGenerator<BundleFile> {
  const { jobs, limits, clock, secrets, redactionThread } = services;
  const bundle: IncidentBundle = {
    services,
    request,
    redact: createBundleRedaction({ secrets, redactionThread, signal }),
    signal,
    tasksLeft: limits.incidentTasks,
    linesLeft: limits.incidentLogLines,
    workers: new Set(),
    groups: new Set(),
    leftOut: new Set(),
  };
  const { redact, leftOut } = bundle;
  const family = await findRelatedJobs(bundle);
  const { version, node } = services.settings();
  const manifest: IncidentManifest = {
    format: INCIDENT_FORMAT,
    version: INCIDENT_VERSION,
    createdAt: iso(clock.now()),
    createdBy: request.actor,
    cluster: request.cluster,
    master: { version, node },
    jobId: request.job.id,
    jobs: family.map(({ id }) => id),
    payloads: request.payloads,
  };
  let bytesLeft = limits.incidentBytes;
  let parts = 0;
  function* take(part: BundleFile): Generator<BundleFile> {
    const bytes = Buffer.byteLength(part.json);
    if (bytes > bytesLeft)
      return void leftOut.add(`Everything beyond ${limits.incidentBytes} bytes, starting with ${part.name}`);
    bytesLeft -= bytes;
    parts++;
    yield part;
  }

  yield* take({ name: INCIDENT_PATHS.manifest, json: await redact('answer', JSON.stringify(manifest)) });
  yield* take({ name: INCIDENT_PATHS.readme, json: README(manifest) });
  for (const job of family) {
    signal.throwIfAborted();
    yield* take({
      name: INCIDENT_PATHS.job(job.id),
      json: await redact('answer', JSON.stringify(await request.sees.job(job))),
    });
    yield* take({
      name: INCIDENT_PATHS.graph(job.id),
      json: await redact('answer', JSON.stringify(await jobs.graph(job.id))),
    });
    for (const group of await jobs.incident.failureGroups(job.id, signal)) bundle.groups.add(group);
    const output = await jobs.payload({ job: job.id, of: 'output' }, signal);
    if (request.payloads && output.length <= limits.incidentPayloadBytes * 4)
      yield* take({ name: INCIDENT_PATHS.output(job.id), json: await redact('answer', output) });
    else
      yield* take({
        name: INCIDENT_PATHS.output(job.id),
        json: await redact(
          'answer',
          JSON.stringify({ output: null, error: (await jobs.result(job.id))?.failure ?? null }),
        ),
      });
    for await (const part of taskChunks(bundle, job)) yield* take(part);
    if (request.payloads) for await (const part of inputChunks(bundle, job)) yield* take(part);
    for await (const part of logChunks(bundle, job)) yield* take(part);
    const metrics = await readOrDefault(() => jobMetrics(bundle, job), null);
    if (metrics) yield* take(metrics);
  }
  for await (const part of contextFiles(bundle, family)) yield* take(part);
  const end: IncidentEnd = {
    parts: parts + 1,
    bytes: limits.incidentBytes - bytesLeft,
    tasks: limits.incidentTasks - bundle.tasksLeft,
    logLines: limits.incidentLogLines - bundle.linesLeft,
    leftOut: [...leftOut],
  };
  yield { name: INCIDENT_PATHS.end, json: JSON.stringify(end, null, 2) };
}
