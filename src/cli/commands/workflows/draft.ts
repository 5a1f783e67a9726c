import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { DraftNode, DraftRun } from '../../../contract/drafts.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, type Session } from '../../api-command.ts';
import { readJson, parseWorkflowFile } from '../../workflow-file.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { namedValues, duration, table } from '../../text-table.ts';

const LOOK_MS = 300;
/** Characters of an output in the table. */
const SHOWN = 80;

interface Flags {
  input?: string;
  id?: string;
  upTo?: string;
  effects?: boolean;
  outputs?: string;
}

/** `yardmaster workflow run-draft`: runs a definition that is not saved. */
export function draftCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'run-draft <file>',
    'run an unsaved definition, show the result of each node, and exit 1 on failure ("-": standard input)',
    async (session, { input, id, upTo, effects, outputs }: Flags, file) => {
      const workflow = parseWorkflowFile(await readJson(file, io), file, id);
      const given = input === undefined ? workflow.sample : await readJson(input, io);
      const inputs = Array.isArray(given) ? given : [given];
      if (inputs.length === 0) throw new Fault('USAGE', 'specify the input: --input FILE, with one input or an array');
      const body = {
        definition: workflow.definition,
        inputs,
        ...(upTo === undefined ? {} : { upTo }),
        ...(effects === true ? { effects: 'run' as const } : {}),
        ...(outputs === undefined ? {} : { outputs: await readJson<Record<string, unknown>>(outputs, io) }),
      };
      const ended = await followed(
        session,
        await session.api.call('drafts.run', { params: { id: workflow.id }, body }),
      );
      session.show(ended, () => linesOf(ended));
      if (ended.error)
        throw new Fault('DRAFT_FAILED', `${ended.error.node} failed: ${ended.error.code}: ${ended.error.message}`);
    },
  );
  option(
    command,
    io,
    '--input <file>',
    'one input, or an array of inputs ("-": standard input; default: the sample of the file)',
  );
  option(command, io, '--id <id>', 'workflow ID, if the file has none or to use another');
  option(command, io, '--up-to <node>', 'run only this node and the nodes it depends on');
  option(command, io, '--effects', 'http, workflow and handler nodes make real calls; otherwise mocks run instead');
  option(command, io, '--outputs <file>', 'outputs of mocks: an object keyed by node ID');
}

async function followed({ api }: Session, begun: DraftRun): Promise<DraftRun> {
  for (
    let run = begun;
    ;
    run = await api.call('drafts.get', { params: { id: begun.workflowId, jobId: begun.jobId } })
  ) {
    if (run.finishedAt !== null) return run;
    await delay(LOOK_MS);
  }
}

function linesOf({ jobId, status, durationMs, nodes, output, leftOut }: DraftRun): string[] {
  return [
    ...namedValues({ job: jobId, status, took: duration(durationMs) }),
    '',
    ...table(['node', 'input', 'state', 'took', 'gave'], nodes.map(rowOf), 'no tasks'),
    ...(leftOut > 0 ? [`and ${leftOut} more tasks`] : []),
    '',
    JSON.stringify(output, null, 2),
  ];
}

const rowOf = ({ node, replica, state, ms, output, error, standIn }: DraftNode) => [
  standIn ? `${node} (stand-in)` : node,
  replica,
  state,
  duration(ms),
  error ? `${error.code}: ${error.message}` : short(JSON.stringify(output) ?? 'null'),
];
const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
