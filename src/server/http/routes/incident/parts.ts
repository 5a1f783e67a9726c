import {
  INCIDENT_FORMAT,
  INCIDENT_PATHS,
  INCIDENT_VERSION,
  type IncidentEnd,
  type IncidentManifest,
} from '../../../../contract/incident.ts';
import { iso } from '../../../../lib/clock.ts';
import { familyOf } from './family.ts';
import { gone, type IncidentAsk, type IncidentServices, type Making, type Part } from './making.ts';
import { inputPieces, logPieces, taskPieces } from './pieces.ts';
import { aroundParts, jobMetrics } from './surroundings.ts';
import { createScrub } from './scrub.ts';

const README = ({ jobId, cluster, createdAt, payloads }: IncidentManifest): string => `Incident bundle of Yardmaster
=============================

Job ${jobId}, taken ${createdAt} from ${cluster}.${payloads ? '' : '\nInputs and outputs were left out.'}

Open it in any console of Yardmaster: "Open incident bundle" in the palette, or drop the file on the page. Nothing of it
is sent anywhere, and nothing in it can change a master.

It is a tar archive under gzip: \`tar xzf FILE\` unpacks it. All files are JSON, or JSON lines (.ndjson). Values of secrets
and credentials of the product were taken out; what workflows computed from them, or read elsewhere, was not.
`;

/**
 * The parts of a bundle in their order, each made when it is asked for, so that memory holds one at a time. What is gone
 * by now, or above a limit, is left out and named in the last part.
 */
export async function* incidentParts(
  services: IncidentServices,
  ask: IncidentAsk,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const { jobs, limits, clock, secrets, redactionThread } = services;
  const making: Making = {
    services,
    ask,
    scrub: createScrub({ secrets, redactionThread, signal }),
    signal,
    tasksLeft: limits.incidentTasks,
    linesLeft: limits.incidentLogLines,
    workers: new Set(),
    groups: new Set(),
    leftOut: new Set(),
  };
  const { scrub, leftOut } = making;
  const family = await familyOf(making);
  const { version, node } = services.settings();
  const manifest: IncidentManifest = {
    format: INCIDENT_FORMAT,
    version: INCIDENT_VERSION,
    createdAt: iso(clock.now()),
    createdBy: ask.actor,
    cluster: ask.cluster,
    master: { version, node },
    jobId: ask.job.id,
    jobs: family.map(({ id }) => id),
    payloads: ask.payloads,
  };
  let bytesLeft = limits.incidentBytes;
  let parts = 0;
  function* take(part: Part): Generator<Part> {
    const bytes = Buffer.byteLength(part.json);
    if (bytes > bytesLeft)
      return void leftOut.add(`All that comes after ${limits.incidentBytes} bytes; first ${part.name}`);
    bytesLeft -= bytes;
    parts++;
    yield part;
  }

  yield* take({ name: INCIDENT_PATHS.manifest, json: await scrub('answer', JSON.stringify(manifest)) });
  yield* take({ name: INCIDENT_PATHS.readme, json: README(manifest) });
  for (const job of family) {
    signal.throwIfAborted();
    yield* take({ name: INCIDENT_PATHS.job(job.id), json: await scrub('answer', JSON.stringify(job)) });
    yield* take({
      name: INCIDENT_PATHS.graph(job.id),
      json: await scrub('answer', JSON.stringify(await jobs.graph(job.id))),
    });
    for (const group of await jobs.incident.failureGroups(job.id, signal)) making.groups.add(group);
    const output = await jobs.payload({ job: job.id, of: 'output' }, signal);
    if (ask.payloads && output.length <= limits.incidentPayloadBytes * 4)
      yield* take({ name: INCIDENT_PATHS.output(job.id), json: await scrub('answer', output) });
    else
      yield* take({
        name: INCIDENT_PATHS.output(job.id),
        json: await scrub(
          'answer',
          JSON.stringify({ output: null, error: (await jobs.result(job.id))?.failure ?? null }),
        ),
      });
    for await (const part of taskPieces(making, job)) yield* take(part);
    if (ask.payloads) for await (const part of inputPieces(making, job)) yield* take(part);
    for await (const part of logPieces(making, job)) yield* take(part);
    const metrics = await gone(() => jobMetrics(making, job), null);
    if (metrics) yield* take(metrics);
  }
  for await (const part of aroundParts(making, family)) yield* take(part);
  const end: IncidentEnd = {
    parts: parts + 1,
    bytes: limits.incidentBytes - bytesLeft,
    tasks: limits.incidentTasks - making.tasksLeft,
    logLines: limits.incidentLogLines - making.linesLeft,
    leftOut: [...leftOut],
  };
  yield { name: INCIDENT_PATHS.end, json: JSON.stringify(end, null, 2) };
}
