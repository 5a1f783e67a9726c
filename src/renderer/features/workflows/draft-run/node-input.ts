import type { Definition } from '../../../../contract/definition.ts';
import type { DraftRun } from '../../../../contract/drafts.ts';
import { t } from '../../../../lib/language.ts';
import type { BorrowedInput } from './draft-runs.ts';

/** What a node is given, as far as the last draft run and the example input tell. `known: false`: run the draft to learn it. */
export type NodeInput =
  | {
      readonly known: true;
      readonly value: unknown;
      readonly from: 'run' | 'sample';
      /** The job that it was recorded in; null: it is of a draft run, or the author's example. */
      readonly job: BorrowedInput | null;
    }
  | { readonly known: false };

/** What of a run and of the input of all nodes is known. */
export interface KnownRun {
  readonly run: DraftRun | null;
  /** The run is that of a job. */
  readonly isRecorded: boolean;
  /** Null: it is no JSON. */
  readonly sample: { readonly value: unknown } | null;
  readonly borrowed: BorrowedInput | null;
}

const UNKNOWN: NodeInput = { known: false };

/** By the rules of the contract: one predecessor hands on its output, several give an object keyed by those that ran, or with `join: "value"` the one that ran. */
export function nodeInput(definition: Definition, nodeId: string, known: KnownRun): NodeInput {
  const found = inputFound(definition, nodeId, known.run, known.sample);
  if (found === null) return UNKNOWN;
  return { known: true, ...found, job: found.from === 'sample' ? known.borrowed : jobOfRun(known) };
}

/** The job of a run that is no draft's. */
export const jobOfRun = ({ run, isRecorded }: Pick<KnownRun, 'run' | 'isRecorded'>): BorrowedInput | null =>
  run && isRecorded ? { jobId: run.jobId, isChanged: false } : null;

/** The end of a job's ID: IDs of one day begin alike. */
export const shortJob = (jobId: string): string => jobId.slice(-12);

/** What stands over the result of an expression: what it was given. */
export function resultLabel(input: NodeInput): string {
  const job = input.known ? input.job : null;
  if (job !== null)
    return job.isChanged
      ? t('Result for the changed input of job {job}', { job: shortJob(job.jobId) })
      : t('Result for the input in job {job}', { job: shortJob(job.jobId) });
  return input.known && input.from === 'run'
    ? t('Result for the input of the last draft run')
    : t('Result for the example input');
}

/** The same behind an error. */
export function errorLabel(input: NodeInput): string {
  const job = input.known ? input.job : null;
  if (job !== null)
    return job.isChanged
      ? t('(with the changed input of job {job})', { job: shortJob(job.jobId) })
      : t('(with the input in job {job})', { job: shortJob(job.jobId) });
  return input.known && input.from === 'run'
    ? t('(with the input of the last draft run)')
    : t('(with the example input)');
}

type Found = Pick<Extract<NodeInput, { known: true }>, 'value' | 'from'>;

function inputFound(
  definition: Definition,
  nodeId: string,
  run: DraftRun | null,
  sample: { readonly value: unknown } | null,
): Found | null {
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (!node) return null;
  if (node.type === 'input') return sample && { value: sample.value, from: 'sample' };
  const edges = definition.edges.filter(({ to }) => to === nodeId);
  const outputs = edges.flatMap(({ from, port }) => {
    const output = outputOf(definition, from, run, sample, port);
    return output ? [{ from, ...output }] : [];
  });
  const [first] = outputs;
  if (first && (edges.length === 1 || node.join === 'value')) return { value: first.value, from: first.source };
  if (first) return { value: Object.fromEntries(outputs.map(({ from, value }) => [from, value])), from: 'run' };
  // Edges may have changed since: what it was given then is still better than nothing.
  const before = run?.nodes.find((one) => one.node === nodeId);
  return before ? { value: before.input, from: 'run' } : null;
}

function outputOf(
  definition: Definition,
  id: string,
  run: DraftRun | null,
  sample: { readonly value: unknown } | null,
  port: string | undefined,
): { value: unknown; source: 'run' | 'sample' } | null {
  if (definition.nodes.find((node) => node.id === id)?.type === 'input')
    return sample && { value: sample.value, source: 'sample' };
  const ran = run?.nodes.find((node) => node.node === id);
  if (!ran || ran.state !== 'COMPLETED' || (port !== undefined && ran.port !== null && ran.port !== port)) return null;
  return { value: ran.output, source: 'run' };
}
