import { draftIdForWorkflow } from '../../../contract/draft-ids.ts';
import type { DraftRun } from '../../../contract/drafts.ts';
import type { ROUTES } from '../../../contract/routes.ts';
import { findSecretNames } from '../../../contract/secret-names.ts';
import { Fault } from '../../../lib/fault.ts';
import { jsonTextOf, packTexts } from '../../../lib/packed-inputs.ts';
import type { AuditNote } from '../../access/port.ts';
import { selfCalls } from '../../workflows/check-calls.ts';
import { mapFaultPointers } from '../../workflows/draft.ts';
import { draftFromBody, type DraftBody } from './draft-body.ts';
import { draftRunView } from './draft-view.ts';
import { checkValues } from '../events/event-admission.ts';
import { assertStoreWritable } from '../events/events.ts';
import { checkPacked } from '../core/large-body.ts';
import { route, type App, type Call } from '../core/route.ts';

const WAIT_SECONDS = 10;

/** Draft runs (docs/drafts.md): a definition that was not saved, as a real job on real workers. */
export function draftRoutes(app: App): void {
  const { access, offload, jobs, limits, workers, workflows } = app.services;

  async function view(workflowId: string, jobId: string): Promise<DraftRun> {
    const job = await jobs.get(jobId);
    if (job.kind !== 'draft' || job.workflowId !== workflowId)
      throw new Fault('JOB_NOT_FOUND', `draft run ${jobId} of ${workflowId} not found`);
    const { graph } = workflows.runnable(draftIdForWorkflow(workflowId), job.commit);
    return draftRunView(jobs, job, graph);
  }

  /** Draft runs that were asked for and have not ended. */
  let underWay = 0;

  route(app, 'drafts.run', async (call) => {
    // It answers with what each node gave.
    app.scope.workflow(call.identity, 'payload.read', call.params.id, null);
    assertStoreWritable(app.services);
    if (underWay >= limits.draftRuns)
      throw new Fault(
        'OVERLOADED',
        `the maximum of ${underWay} concurrent draft runs is reached (limit draftRuns): try again when one has finished`,
        {
          extra: { retryAfterSeconds: 1 },
        },
      );
    underWay++;
    let jobId: string | null = null;
    try {
      jobId = await submit(call);
    } finally {
      // One that outlasts its answer still counts, until its time is over at the latest.
      if (jobId === null) underWay--;
      else
        void jobs
          .wait(jobId, limits.draftRunSeconds)
          .catch(() => {})
          .then(() => underWay--);
    }
    const {
      params: { id },
      body,
      reply,
    } = call;
    await jobs.wait(
      jobId,
      Math.min(body.waitSeconds ?? WAIT_SECONDS, limits.preferWaitSeconds),
      (leave) => void reply.raw.once('close', leave),
    );
    return view(id, jobId);
  });

  async function readHere(body: DraftBody) {
    const { definition, places } = draftFromBody(body);
    return { prepared: await workflows.prepare(definition), places };
  }

  async function submit({
    params: { id },
    body,
    lossless,
    fromThread: read,
    actor,
  }: Call<(typeof ROUTES)['drafts.run']>): Promise<string> {
    await workflows.get(id);
    // Checked by the schema of the route.
    const { prepared, places } = read?.kind === 'draft' ? read : await readHere(lossless as DraftBody);
    const count = read?.kind === 'draft' ? read.inputs.length : body.inputs.length;
    if (count > limits.draftRunInputs)
      throw invalid('VALIDATION_FAILED', `a draft run takes at most ${limits.draftRunInputs} inputs; got ${count}`, [
        { pointer: '/inputs', message: `must have at most ${limits.draftRunInputs} elements` },
      ]);
    const faults = mapFaultPointers([...prepared.faults, ...selfCalls(prepared.calls, id)], places);
    if (faults.length > 0)
      throw invalid(
        'INVALID_DAG',
        `the draft has ${faults.length === 1 ? 'a problem' : `${faults.length} problems`}: ${faults[0]?.message ?? ''}`,
        faults.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message })),
      );
    const { runnable, keep } = workflows.draft(id, prepared.text);
    // Where there is no schema, any value will do: a node may be tried with what comes before it.
    const packed =
      read?.kind === 'draft' ? read.inputs : runnable.largeSchema ? packTexts(lossless.inputs.map(jsonTextOf)) : null;
    if (runnable.definition.input === undefined) {
      // Nothing to check.
    } else if (packed) await checkPacked(offload, packed, runnable);
    else checkValues(body.inputs, runnable, limits);
    if (!workers.anyAlive && runnable.graph.nodes.size > 2)
      throw new Fault('NO_WORKERS', 'no worker is online: start one, then run the draft again', {
        extra: { retryAfterSeconds: 5 },
      });
    const note = access.audit.entry(actor);
    const noteJob = runnable.definition.nodes.some(({ type, config = {} }) => findSecretNames(type, config).length > 0)
      ? access.audit.entry(actor)
      : null;
    const audit: AuditNote = (db, item) => {
      keep(db);
      // What runs with stand-ins changes nothing; authors try it with every few key strokes.
      if (body.effects === 'run') note(db, { ...item, action: 'workflow.draftRun', target: `workflow:${id}` });
      // Who wrote what asks for secrets is in no version: the job says it.
      noteJob?.(db, { ...item, action: 'workflow.draftRun' });
    };
    return (
      await jobs.submit({
        runnable,
        environment: null,
        kind: 'draft',
        inputs: packed ?? lossless.inputs,
        externalId: null,
        replicaRunTimeoutSeconds: limits.draftRunSeconds,
        idempotency: null,
        audit,
      })
    ).jobId;
  }

  route(app, 'drafts.get', ({ params: { id, jobId } }) => view(id, jobId));
}

const invalid = (
  code: 'VALIDATION_FAILED' | 'INVALID_DAG',
  detail: string,
  errors: { pointer: string; message: string }[],
): Fault => new Fault(code, detail, { errors });
