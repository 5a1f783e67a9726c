import { invalidAt } from '../../../lib/fault.ts';
import { jsonTextOf, packTexts } from '../../../lib/packed-inputs.ts';
import { rerunVersion } from '../../jobs/rerun/version.ts';
import type { Runnable } from '../../workflows/port.ts';
import { checkBatch } from '../events/event-admission.ts';
import { assertStoreWritable } from '../events/events.ts';
import { checkPacked } from '../core/large-body.ts';
import { route, type App } from '../core/route.ts';

/** Running jobs again. */
export function jobRerunRoutes(app: App): void {
  const { access, offload, jobs, limits, workflows } = app.services;

  function checkNode({ graph, commit }: Runnable, node: string): void {
    const type = graph.nodes.get(node)?.type;
    if (type === undefined) throw invalidAt('/fromNode', `node ${node} not found in commit ${commit}`);
    if (type === 'input' || type === 'output')
      throw invalidAt(
        '/fromNode',
        `node ${node} of type ${type} creates no tasks: choose another node, or omit fromNode`,
      );
  }

  /** Where the node is given what the workflow is, its inputs have to meet the schema. */
  const takesInput = ({ graph }: Runnable, node: string | null): boolean =>
    node === null || (graph.incoming.get(node) ?? []).every(({ from }) => from === graph.inputId);

  route(app, 'jobs.rerun', async ({ params, body, lossless, fromThread: read, actor, reply }) => {
    assertStoreWritable(app.services);
    const job = await jobs.get(params.jobId);
    const version = rerunVersion(workflows, job, body.commit ?? null);
    if ('fault' in version) throw version.fault;
    const { runnable } = version;
    const from = body.fromNode ?? null;
    if (from !== null) {
      checkNode(runnable, from);
    }
    const packed = read?.kind === 'batch' ? read.inputs : null;
    const given = packed ?? (body.inputs ? packTexts((lossless.inputs ?? []).map(jsonTextOf)) : null);
    if (from !== null && given && given.length !== job.inputCount)
      throw invalidAt(
        '/inputs',
        `must contain one input of ${from} for each of the ${job.inputCount} replicas; got ${given.length}`,
      );
    const inputs = given ?? (await jobs.inputs(job.id, from));
    // What the job was given before is valid by its own commit.
    if (takesInput(runnable, from) && (given || runnable.commit !== job.commit)) {
      if (body.inputs && !packed && !runnable.largeSchema) checkBatch(body.inputs, runnable, limits);
      else await checkPacked(offload, inputs, runnable);
    }
    const { jobId } = await jobs.rerun({
      runnable,
      environment: job.environment,
      kind: 'batch',
      inputs,
      externalId: job.externalId,
      labels: job.labels,
      priority: job.priority,
      replicaRunTimeoutSeconds: job.replicaRunTimeoutSeconds,
      idempotency: null,
      lineage: { rerunOf: job.id, rerunNode: from, parentTaskId: null, parentJobId: null, depth: 0 },
      audit: access.audit.entry(actor),
    });
    reply.header('location', `/api/v1/jobs/${jobId}`);
    return { jobId, rerunOf: job.id };
  });
}
