import type { Command } from 'commander';
import { apiCommand } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { table } from '../text-table.ts';

/** `yardmaster find`: what has an id, begins with it, or holds a text. */
export function findCommand(root: Command, io: ProcessIo): void {
  apiCommand(
    root,
    io,
    'find <text>',
    'search jobs, tasks, commits, workflows, workers, operations, failures and keys by ID, ID prefix or text',
    async (session, _flags, text) => {
      const { items } = await session.api.call('master.find', { query: { q: text } });
      session.show(items, () =>
        table(
          ['kind', 'id', 'what', ''],
          items.map(({ kind, id, label, detail }) => [kind, id, label, detail]),
          'no results',
        ),
      );
    },
  );
}
