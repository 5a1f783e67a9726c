import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fsyncPath } from '../../../lib/fsync-path.ts';
import type { ReadHandle } from '../../store/port.ts';
import { TASK_VIEW } from '../queries/list-tasks.ts';
import { jobResultOrDamage, outputAndErrorText } from '../lifecycle/job-result.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_SEQ } from '../engine/sql.ts';
import { damagesOf, jobView, taskView, type TaskViewRow } from '../queries/views.ts';

/** Characters that are packed together. */
const PACKED = 1024 * 1024;
const WHOLE = Number.MAX_SAFE_INTEGER;
const TASKS_OF_JOB = `${TASK_VIEW} WHERE t.job = ? ORDER BY t.seq`;

/** Name of an archive file of a day (UTC): nearly always the first. */
export const archiveName = (finishedAt: number, nth = 1): string =>
  `jobs-${new Date(finishedAt).toISOString().slice(0, 10)}${nth > 1 ? `-${nth}` : ''}.ndjson.gz`;

/**
 * Appends jobs to an archive file behind its valid part, and brings them to the disk. Returns how much is valid then.
 * One line is one job, `{"kind":"job","job","result"}`, followed by a line for each task, `{"kind":"task","task"}`, with
 * whole payloads. The file is a row of gzip members, which every gzip tool reads as one. What fails leaves nothing there.
 */
export function appendToArchive(read: ReadHandle, file: string, valid: number, seqs: readonly number[]): number {
  if (!existsSync(file)) {
    closeSync(openSync(file, 'a', 0o600));
    fsyncPath(dirname(file));
  }
  const target = openSync(file, 'r+');
  try {
    // What was not finished is written over.
    const from = Math.min(valid, fstatSync(target).size);
    ftruncateSync(target, from);
    try {
      return append(read, target, from, seqs);
    } catch (error) {
      // What is left of a full disk is the database's.
      ftruncateSync(target, from);
      throw error;
    }
  } finally {
    closeSync(target);
  }
}

function append(read: ReadHandle, target: number, from: number, seqs: readonly number[]): number {
  let at = from;
  let text = '';
  const pack = () => {
    const packed = gzipSync(text);
    for (let done = 0; done < packed.length;) done += writeSync(target, packed, done, packed.length - done, at + done);
    at += packed.length;
    text = '';
  };
  for (const seq of seqs) {
    for (const line of linesOf(read, seq)) {
      text += `${line}\n`;
      if (text.length >= PACKED) pack();
    }
  }
  if (text !== '') pack();
  fsyncSync(target);
  return at;
}

function* linesOf(read: ReadHandle, seq: number): Generator<string> {
  const row = read.query<JobRow>(JOB_BY_SEQ).get(seq);
  if (!row) return;
  yield `{"kind":"job","job":${JSON.stringify(jobView(row))},"result":${outputAndErrorText(jobResultOrDamage(read, row))}}`;
  for (const task of read.query<TaskViewRow>(TASKS_OF_JOB).iterate(WHOLE, WHOLE, seq))
    yield JSON.stringify({ kind: 'task', task: taskView(task, WHOLE), ...damaged(task) });
}

/** What of a task could not be archived, because it is damaged; nothing where all of it was. */
function damaged(task: TaskViewRow): { damaged?: string[] } {
  const damages = damagesOf(task);
  return damages.length === 0 ? {} : { damaged: damages };
}
