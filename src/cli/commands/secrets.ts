import type { Command } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { pageLine, table } from '../text-table.ts';

const VALUE = 'YARDMASTER_SECRET_VALUE';

/** `yardmaster secrets …`: values for `http` and `code` nodes. A value never stands on a command line, where others could read it. */
export function secretsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('secrets').description("secrets for http and code nodes; values can't be read back");
  const find = apiCommand(group, io, 'list', 'list secret names', async (session, { page, size }: PageFlags) => {
    const found = await session.api.call('secrets.list', { query: { page, size } });
    session.show(found, () => [
      ...table(
        ['name', 'description', 'changed', 'by', 'key'],
        found.items.map((one) => [
          one.name,
          one.description,
          one.updatedAt,
          one.updatedBy,
          one.readable ? 'there' : 'MISSING',
        ]),
        'no secrets',
      ),
      ...pageLine(found),
    ]);
  });
  paging(find, io);

  const set = apiCommand(
    group,
    io,
    'set <name>',
    `set a secret; its value is read from standard input or ${VALUE}`,
    async (session, { description }: { description?: string }, name) => {
      const value = await readValue(io);
      const set = await session.api.call('secrets.set', {
        params: { name: name },
        body: { value, ...(description === undefined ? {} : { description }) },
      });
      session.show(set, () => [`set ${set.name}`]);
    },
  );
  option(set, io, '--description <text>', 'what it is for');

  apiCommand(
    group,
    io,
    'delete <name>',
    'delete a secret; tasks that use it will fail',
    async (session, _flags, name) => {
      await session.api.call('secrets.delete', { params: { name: name } });
      session.show({ name, deleted: true }, () => [`deleted ${name}`]);
    },
  );
}

/** Without the line feed that `echo` and editors add. */
async function readValue(io: ProcessIo): Promise<string> {
  const given = io.env[VALUE];
  if (given) return given;
  if (io.interactive)
    throw new Fault(
      'USAGE',
      `pass the value on standard input, such as \`yardmaster secrets set NAME < file\`, or in ${VALUE}`,
    );
  const text = (await io.stdin()).replace(/\r?\n$/, '');
  if (text === '') throw new Fault('USAGE', 'the value on standard input is empty');
  return text;
}
