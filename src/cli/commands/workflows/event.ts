import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { parseJson } from '../../../lib/json.ts';
import { findLocalMaster } from '../../api-client.ts';
import { apiCommand, type CommonFlags } from '../../api-command.ts';
import { readText } from '../../workflow-file.ts';
import type { ProcessIo } from '../../process-io.ts';
import { priority } from '../rate-limit.ts';
import { integer, list, option } from '../../options.ts';
import { refusePlain } from '../../refuse-plain.ts';

interface SendFlags {
  file: string;
  apiKey?: string;
  async?: boolean;
  wait?: number;
  externalId?: string;
  priority?: number;
  idempotencyKey?: string;
  label?: string[];
}

/** `yardmaster event send`: what a client of the endpoint does, from a shell. */
export function eventCommands(root: Command, io: ProcessIo): void {
  const group = root.command('event').description('call published workflows');
  const send = apiCommand(
    group,
    io,
    'send <id> <environment>',
    'call a workflow with an array of inputs and print the output',
    async (session, flags: SendFlags & CommonFlags, id, environment) => {
      const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
      const key = flags.apiKey ?? local?.apiKey;
      if (!key)
        throw new Fault(
          'USAGE',
          'no API key: set --api-key or YARDMASTER_API_KEY (`yardmaster keys create` creates one)',
        );
      if (flags.url !== undefined && flags.allowPlain !== true) for (const url of list(flags.url, [])) refusePlain(url);
      // The text goes out as it is: the endpoint's own answer tells best what is wrong with it.
      if (flags.file === '-' && io.interactive)
        io.err('Reading the array of inputs from standard input, such as [{"content":"hello"}]; Ctrl-D ends it.');
      const body = await readText(flags.file, io);
      const prefer = flags.async ? 'respond-async' : flags.wait === undefined ? undefined : `wait=${flags.wait}`;
      const answer = await session.api.open('events.send', {
        params: { workflowId: id, environment: environment },
        json: body,
        headers: {
          'api-key': key,
          ...(prefer === undefined ? {} : { prefer }),
          ...(flags.externalId === undefined ? {} : { 'x-external-id': flags.externalId }),
          ...(flags.label === undefined ? {} : { 'x-labels': flags.label.map(labelText).join(',') }),
          ...(flags.priority === undefined ? {} : { 'x-priority': String(flags.priority) }),
          ...(flags.idempotencyKey === undefined ? {} : { 'idempotency-key': flags.idempotencyKey }),
        },
      });
      const output = parseJson(await answer.text());
      if (!session.json)
        io.err(`job ${answer.headers.get('x-job-id') ?? (isRecord(output) ? output['jobId'] : '(unknown)')}`);
      session.show(output, () => [JSON.stringify(output, null, 2)]);
    },
  );
  option(send, io, '--file <file>', 'array of inputs ("-": standard input)', { fallback: '-' });
  option(send, io, '--api-key <key>', 'API key with access to the endpoint');
  option(send, io, '--async', 'do not wait for the output');
  option(send, io, '--wait <seconds>', 'max. time to wait for the output', { parse: integer(0, 86_400) });
  option(send, io, '--external-id <id>', 'external ID of the job');
  option(send, io, '--label <key=value>', 'label of the job; repeatable', {
    parse: (text, before: string[] | undefined) => [...(before ?? []), text],
  });
  option(send, io, '--priority <n>', 'from -100 to 100, higher first', { parse: priority });
  option(
    send,
    io,
    '--idempotency-key <key>',
    'idempotency key: a repeated call runs nothing and returns the first response',
  );
}

/** Commas and percent signs would end a label, or its value be read otherwise. */
const labelText = (text: string): string => text.replace(/[%,]/g, encodeURIComponent);
