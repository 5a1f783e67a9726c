import { parseStored } from '../../lib/json.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../../contract/definition.ts';
import type { Actor, Workflows } from '../workflows/port.ts';

interface Example {
  id: string;
  name: string;
  description?: string;
  definition: Definition;
}

const SEEDER: Actor = { name: 'local', role: 'admin', address: null };

/** Fills an empty store with the examples of a folder and publishes them to dev. Does nothing where any workflow was ever made. */
export async function seedExamples(workflows: Workflows, folder: string, log: (line: string) => void): Promise<void> {
  const { totalItems } = await workflows.list({ page: 0, size: 1, sort: 'createdAt,desc' });
  const { totalItems: archived } = await workflows.list({ page: 0, size: 1, sort: 'createdAt,desc', archived: true });
  if (totalItems + archived > 0) return;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.workflow.json'))
    .sort();
  for (const name of files) {
    const { id, name: title, description, definition } = parseStored<Example>(readFileSync(join(folder, name), 'utf8'));
    await workflows.create({ id, name: title, description: description ?? null }, SEEDER);
    const { hash } = await workflows.commit(id, { definition, message: 'Add the example', parent: null }, SEEDER);
    await workflows.publish(id, 'dev', { hash, description: 'Example' }, SEEDER);
  }
  if (files.length > 0) log(`added ${files.length} example workflows and published them to dev`);
}
