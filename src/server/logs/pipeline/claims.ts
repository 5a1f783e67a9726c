import type { OwnField } from './normalise.ts';
import type { Answer, Question } from './port.ts';

/** Asks the master what holds; an answer for each of the question, in its order. */
export type AskMaster = (question: Question) => Promise<Answer>;

/**
 * What lines of one worker token say of their task, job, workflow, worker and source, held against what its workers run or ran. What
 * was asked once is known from then on; values are JSON texts as they stand in the line.
 */
export interface Claims {
  /** False where the master has to be asked first; it is, with the next `ask`. */
  knows(fields: ReadonlyMap<string, string>): boolean;
  /** Asks for all that was not known. Never rejects: what cannot be answered does not hold. */
  ask(): Promise<void>;
  /** Puts what does not hold under another name, `claimed_…`, and what is known to hold in its place. */
  settle(fields: Map<string, string>, address: string): void;
}

/** Of each kind, over all connections of a token, in each of two generations. */
const KEPT = 10_000;
/** What does not hold is asked again after so long: the task may have come to a worker of this token meanwhile. */
const REFUSED_MS = 1000;
/** Of an ID as JSON text, escapes and all: what is longer is none, is not asked for and not kept. */
const ID_CHARACTERS = 256;
const SOURCES = new Set(['"task"', '"worker"']);

type Held<T> = T | { readonly refusedAt: number };

export function createClaims(ask: AskMaster, counts: { forged: number }, now: () => number): Claims {
  const tasks = createCache<Held<{ job: string; worker: string; workflow: string | null }>>();
  const jobs = createCache<Held<{ workflow: string | null }>>();
  const workers = createCache<Held<true>>();
  /** By the text of the task: the job that the line names with it. */
  const askTasks = new Map<string, string | undefined>();
  const askJobs = new Set<string>();
  const askWorkers = new Set<string>();

  const isKnown = (held: Held<object | true> | undefined): boolean =>
    held !== undefined && (held === true || !('refusedAt' in held) || now() - held.refusedAt < REFUSED_MS);

  return {
    knows(fields) {
      const given = (field: OwnField): string | undefined => {
        const text = fields.get(field);
        return text !== undefined && text.length > ID_CHARACTERS ? undefined : text;
      };
      const [task, job, worker] = [given('task_id'), given('job_id'), given('worker_id')];
      let known = true;
      if (task !== undefined) {
        if (!isKnown(tasks.get(task))) {
          askTasks.set(task, job);
          known = false;
        }
      } else if (job !== undefined && !isKnown(jobs.get(job))) {
        askJobs.add(job);
        known = false;
      }
      if (worker !== undefined && !isKnown(workers.get(worker))) {
        askWorkers.add(worker);
        known = false;
      }
      return known;
    },
    async ask() {
      const asked = { tasks: [...askTasks], jobs: [...askJobs], workers: [...askWorkers] };
      askTasks.clear();
      askJobs.clear();
      askWorkers.clear();
      const answer = await ask({
        tasks: asked.tasks.map(([task, job]) => ({ task: textOf(task), job: job === undefined ? null : textOf(job) })),
        jobs: asked.jobs.map(textOf),
        workers: asked.workers.map(textOf),
      }).catch(() => null);
      const refused = { refusedAt: now() };
      asked.tasks.forEach(([task], i) => {
        const held = answer?.tasks[i] ?? null;
        tasks.set(
          task,
          held === null
            ? refused
            : { job: JSON.stringify(held.job), worker: JSON.stringify(held.worker), workflow: tokenOf(held.workflow) },
        );
      });
      asked.jobs.forEach((job, i) => {
        const held = answer?.jobs[i] ?? null;
        jobs.set(job, held === null ? refused : { workflow: tokenOf(held.workflow) });
      });
      asked.workers.forEach((worker, i) => workers.set(worker, answer?.workers[i] === true ? true : refused));
    },
    settle(fields, address) {
      let forged = false;
      const refuse = (field: OwnField, value: string) => {
        fields.delete(field);
        fields.set(`claimed_${field}`, value);
        forged = true;
      };
      const [task, job, worker] = [fields.get('task_id'), fields.get('job_id'), fields.get('worker_id')];
      const [source, claimed] = [fields.get('source'), fields.get('workflow_id')];
      let workflow: string | null = null;
      if (worker !== undefined && workers.get(worker) !== true) refuse('worker_id', worker);
      if (task !== undefined) {
        const held = tasks.get(task);
        if (held === undefined || 'refusedAt' in held) {
          refuse('task_id', task);
          if (job !== undefined) refuse('job_id', job);
        } else {
          if (job !== undefined && job !== held.job) refuse('job_id', job);
          fields.set('job_id', held.job);
          workflow = held.workflow;
          if (!fields.has('worker_id')) fields.set('worker_id', held.worker);
        }
      } else if (job !== undefined) {
        const held = jobs.get(job);
        if (held === undefined || 'refusedAt' in held) refuse('job_id', job);
        else workflow = held.workflow;
      }
      // Whose line it is decides who may read it. A field of that name may also be what a workflow logs: that is no forgery.
      if (claimed !== undefined && claimed !== workflow && !isDraftOf(claimed, workflow))
        fields.set('claimed_workflow_id', claimed);
      if (workflow === null) fields.delete('workflow_id');
      else fields.set('workflow_id', workflow);
      if (source !== undefined && !SOURCES.has(source)) refuse('source', source);
      if (!fields.has('source')) fields.set('source', JSON.stringify(address));
      if (forged) counts.forged++;
    },
  };
}

/** Lets a whole generation go at once: with tens of thousands of new tasks a second, to look for the oldest each time is too slow. */
function createCache<V>() {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    get: (key: string): V | undefined => young.get(key) ?? old.get(key),
    set(key: string, value: V) {
      if (young.size >= KEPT) {
        old = young;
        young = new Map();
      }
      young.set(key, value);
    },
  };
}

/** Lines of a draft run are those of its workflow, whose ID has no `~`. As JSON texts, and without the schemas of the contract: this is a thread. */
const isDraftOf = (claimed: string, workflow: string | null): boolean =>
  workflow !== null && claimed.startsWith(`${workflow.slice(0, -1)}~`);
const tokenOf = (text: string | null): string | null => (text === null ? null : JSON.stringify(text));
const textOf = (token: string): string => String(JSON.parse(token));
