import type { Command } from 'commander';
import type {
  ComparedLines,
  Comparison,
  LogComparison,
  NodeSide,
  ValueComparison,
} from '../../../contract/comparisons.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { pluralize, duration, shortHash, table } from '../../text-table.ts';

const TASKS = 20;
const LINES = 20;
const CHARACTERS = 100;

/** `jobs compare`: what sets a run apart from another. */
export function compareCommand(group: Command, io: ProcessIo): void {
  apiCommand(
    group,
    io,
    'compare <job> <other>',
    'compare two runs: tasks, durations, inputs, outputs, log lines',
    async ({ api, show }, _flags, job, other) => {
      const params = { jobId: job, otherId: other };
      const found = await api.call('jobs.compare', { params });
      // An input that is not known any more, or a payload that is too large, hides nothing of the rest.
      const values = (of: 'input' | 'output') =>
        api
          .call('jobs.compareValues', {
            params,
            query: { of, replica: of === 'input' ? (found.inputs.replicas[0] ?? 0) : undefined },
          })
          .catch(refused);
      const [input, output, logs] = [
        await values('input'),
        await values('output'),
        await api.call('jobs.compareLogs', { params }).catch(refused),
      ];
      show({ ...found, input, output, logs }, () => [
        found.message,
        '',
        ...jobsLines(found),
        '',
        ...nodeLines(found),
        ...taskLines(found),
        ...valueLines('input', input),
        ...valueLines('output', output),
        ...logLines(logs),
      ]);
    },
  );
}

function refused(error: unknown): { refused: string } {
  if (error instanceof Fault && error.code === 'VALIDATION_FAILED') return { refused: error.message };
  throw error;
}

const jobsLines = ({ here, there }: Comparison): string[] =>
  table(
    ['', 'job', 'status', 'version', 'environment', 'created', 'took'],
    Object.entries({ this: here, other: there }).map(
      ([side, { id, status, commit, environment, createdAt, durationMs }]) => [
        side,
        id,
        status,
        shortHash(commit),
        environment,
        createdAt,
        duration(durationMs),
      ],
    ),
    '',
  );

const mean = (side: NodeSide | null): string =>
  side === null || side.runs === 0 ? '-' : duration(Math.round(side.runMs / side.runs));

const nodeLines = ({ nodes }: Comparison): string[] =>
  table(
    ['node', 'tasks', 'other', 'failed', 'other', 'avg run', 'other'],
    nodes.map(({ node, here, there }) => [
      node,
      here?.tasks ?? 0,
      there?.tasks ?? 0,
      here?.failed ?? 0,
      there?.failed ?? 0,
      mean(here),
      mean(there),
    ]),
    'no tasks',
  );

function taskLines({ tasks, complete }: Comparison): string[] {
  const differing = tasks.items.filter(({ differs }) => differs.length > 0);
  const rows = differing
    .slice(0, TASKS)
    .map(({ node, replica, item, differs, here, there }) => [
      node,
      item === null ? replica : `${replica}/${item}`,
      differs.join(', '),
      here?.state ?? null,
      there?.state ?? null,
      here?.taskId ?? there?.taskId,
    ]);
  if (rows.length === 0) return [...(complete ? [] : ['', 'Partial comparison: a limit was reached.'])];
  return [
    '',
    `${pluralize(tasks.differing, 'task')} ${tasks.differing === 1 ? 'differs' : 'differ'}${tasks.differing > rows.length ? `, the first ${rows.length}` : ''}:`,
    ...table(['node', 'input', 'differs in', 'this', 'other', 'task'], rows, ''),
    ...(complete ? [] : ['Partial comparison: a limit was reached.']),
  ];
}

function valueLines(what: string, found: ValueComparison | { refused: string }): string[] {
  if ('refused' in found) return ['', `The ${what}s were not compared: ${found.refused}`];
  if (found.changes.length === 0) return ['', `The ${what}s are identical.`];
  return [
    '',
    `${pluralize(found.changes.length, 'difference')}${found.complete ? '' : ' or more'} in the ${what}s:`,
    ...table(
      ['path', 'other', 'this'],
      found.changes.slice(0, LINES).map(({ path, before, after }) => [path, cut(before), cut(after)]),
      '',
    ),
  ];
}

function logLines(found: LogComparison | { refused: string }): string[] {
  if ('refused' in found) return ['', `The logs were not compared: ${found.refused}`];
  if (found.items.length === 0) return ['', 'The log lines are the same.'];
  return [
    '',
    'Log lines that differ:',
    ...table(
      ['this', 'other', 'level', 'line'],
      found.items
        .slice(0, LINES)
        .map(({ here, there, level, sample }: ComparedLines) => [here, there, level, cut(sample)]),
      '',
    ),
  ];
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text;
