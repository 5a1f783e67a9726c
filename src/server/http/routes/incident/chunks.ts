import { INCIDENT_PATHS } from '../../../../contract/incident.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonText } from '../../core/response-redaction.ts';
import { readOrDefault, type IncidentBundle, type BundleFile } from './bundle.ts';

/** Tasks and log lines that are read at once. */
const TASKS = 100;
const LINES = 500;
/** Characters of log lines that are read at once, but for one that is longer. */
const LINE_CHARACTERS = 256 * 1024;
/** Characters of a payload that stand with its task; longer ones are parts of their own. */
const WITH_TASK = 16 * 1024;
const INPUT_CHARACTERS = 256 * 1024;
const INPUTS_A_TURN = 20;
/** Inputs that are written down for themselves; those of the others stand with their first tasks. */
const INPUTS = 1000;

/** The tasks of a job, and those of their payloads that are long. Where there are too many, those that did not end well come first. */
export async function* taskChunks(bundle: IncidentBundle, job: Job): AsyncGenerator<BundleFile> {
  const {
    services: { jobs, limits },
    request: { payloads, sees },
    redact,
    leftOut,
    signal,
    workers,
  } = bundle;
  const { completedTasks, ...others } = job.taskCounters;
  const total = completedTasks + Object.values(others).reduce((sum, count) => sum + count, 0);
  let piece = 0;
  if (total > bundle.tasksLeft) {
    leftOut.add(
      `Tasks beyond ${limits.incidentTasks}: of job ${job.id}, failed tasks were kept first, then the earliest`,
    );
    const failed = await jobs.tasks(
      job.id,
      { page: 0, size: LINES, state: ['FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT'] },
      signal,
    );
    const shown = payloads ? failed.items : failed.items.map((task) => ({ ...task, input: null, output: null }));
    if (shown.length > 0)
      yield {
        name: INCIDENT_PATHS.tasks(job.id, piece++),
        json: await redact('lines', await sees.tasks(shown.map((task) => `${JSON.stringify(task)}\n`).join(''))),
      };
    bundle.tasksLeft -= shown.length;
  }
  for (let after = null as Parameters<typeof jobs.incident.tasks>[1]; bundle.tasksLeft > 0;) {
    signal.throwIfAborted();
    const found = await jobs.incident.tasks(
      job.id,
      after,
      Math.min(TASKS, bundle.tasksLeft),
      payloads ? WITH_TASK : 0,
      signal,
    );
    bundle.tasksLeft -= found.count;
    for (const id of found.workers) workers.add(id);
    if (found.count > 0)
      yield { name: INCIDENT_PATHS.tasks(job.id, piece++), json: await redact('lines', await sees.tasks(found.lines)) };
    for (const { taskId, of, characters } of found.apart) {
      if (characters > limits.incidentPayloadBytes)
        leftOut.add(`Payloads over ${limits.incidentPayloadBytes} bytes, such as the ${of} of task ${taskId}`);
      else
        yield {
          name: INCIDENT_PATHS.payload(job.id, taskId, of),
          json: await redact('whole', await jobs.payload({ task: taskId, of }, signal)),
        };
    }
    if (found.next === null) break;
    after = found.next;
  }
}

/** The inputs of a job, some in one part. */
export async function* inputChunks(
  { services: { jobs, limits }, redact, leftOut, signal }: IncidentBundle,
  job: Job,
): AsyncGenerator<BundleFile> {
  let lines: string[] = [];
  let characters = 0;
  let piece = 0;
  const inputs = Math.min(job.inputCount, INPUTS);
  for (let replica = 0; replica < inputs; replica++) {
    signal.throwIfAborted();
    if (replica % INPUTS_A_TURN === 0) await nextTurn();
    const text = await readOrDefault(
      () => jobs.payload({ job: job.id, of: 'input', node: null, replica }, signal),
      null,
    );
    if (text === null) leftOut.add(`Inputs that are no longer stored, such as #${replica} of job ${job.id}`);
    else if (text.length > limits.incidentPayloadBytes)
      leftOut.add(`Inputs over ${limits.incidentPayloadBytes} bytes, such as #${replica} of job ${job.id}`);
    else {
      const line = `[${replica},${jsonText(await redact('whole', text))}]\n`;
      lines.push(line);
      characters += line.length;
    }
    if (characters < INPUT_CHARACTERS && replica < inputs - 1) continue;
    if (lines.length > 0) yield { name: INCIDENT_PATHS.inputs(job.id, piece++), json: lines.join('') };
    [lines, characters] = [[], 0];
  }
}

/** The log lines of a job, oldest first. */
export async function* logChunks(bundle: IncidentBundle, job: Job): AsyncGenerator<BundleFile> {
  const {
    services: { logs, limits },
    redact,
    leftOut,
    signal,
  } = bundle;
  let cursor: string | null = null;
  let piece = 0;
  do {
    signal.throwIfAborted();
    if (bundle.linesLeft <= 0) return void leftOut.add(`Log lines beyond ${limits.incidentLogLines}`);
    const page: Awaited<ReturnType<typeof logs.search>> = await logs.search({
      job_id: job.id,
      limit: Math.min(LINES, bundle.linesLeft),
      order: 'asc',
      chars: LINE_CHARACTERS,
      ...(cursor === null ? {} : { cursor }),
    });
    bundle.linesLeft -= page.records.length;
    cursor = page.nextCursor;
    if (page.records.length > 0)
      yield {
        name: INCIDENT_PATHS.logs(job.id, piece++),
        json: await redact('records', page.records.map((record) => `${JSON.stringify(record)}\n`).join('')),
      };
  } while (cursor !== null);
}
