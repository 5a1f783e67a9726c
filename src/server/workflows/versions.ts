import type { Definition } from '../../contract/definition.ts';
import { Fault } from '../../lib/fault.ts';
import { authorOf, canonicalJson, cleanMessage, objectsOfText } from '../../lib/git.ts';
import { withPlainNumbers } from '../../lib/json.ts';
import { diffDefinitions } from './diff.ts';
import type { Parts } from './parts.ts';
import type { Workflows } from './port.ts';
import { commitOf, faultsOf, findVersion, notFound, openRow, orThrow, workflowRow, type VersionRow } from './rows.ts';
import { definitionOf } from './runnables.ts';

/** Versions of workflows: each is a Git commit on top of the one before. */
export function createVersions({ store, clock, audit, limits, check }: Parts): Pick<Workflows, 'commit' | 'commits' | 'commitDetail' | 'diff'> {
  const { read } = store;

  function versionOf(id: string, hashOrPrefix: string): VersionRow {
    if (!workflowRow(read, id)) throw notFound(id);
    return findVersion(read, id, hashOrPrefix);
  }

  const stale = (id: string, parent: string | null, head: string | null) =>
    new Fault('STALE_PARENT', `${parent === null ? 'no parent was given' : `the parent ${parent} is not the head`}, the head of ${id} is ${head ?? 'still none'}: load it and save again`, { extra: { head } });

  return {
    async commit(id, { definition: given, message, parent }, actor) {
      const definition = withPlainSettings(given);
      const text = canonicalJson(definition);
      if (Buffer.byteLength(text) > limits.definitionBytes)
        throw new Fault('VALIDATION_FAILED', `the definition has ${Buffer.byteLength(text)} bytes, more than ${limits.definitionBytes}`, { errors: [{ pointer: '/definition', message: `must have at most ${limits.definitionBytes} bytes` }] });
      const cleaned = cleanMessage(message);
      if (cleaned === '') throw new Fault('VALIDATION_FAILED', 'the message is empty; say what changed', { errors: [{ pointer: '/message', message: 'must not be empty' }] });
      const faults = check(definition);
      const author = authorOf(actor.name);
      // A clock that went back must not make a version older than the one before it.
      const before = parent === null ? undefined : read.query<{ created_at: number }>('SELECT created_at FROM version WHERE hash = ?').get(parent);
      const createdAt = Math.max(clock.now(), before?.created_at ?? 0);
      const { blob, commit } = objectsOfText(text, { workflowId: id, parent, author, createdAt, message: cleaned });
      const row = orThrow(await store.write((db) => {
        const workflow = openRow(db, id);
        if (workflow instanceof Fault) return workflow;
        if (workflow.head !== parent) return stale(id, parent, workflow.head);
        db.statement('INSERT INTO definition (blob, text) VALUES (?, ?) ON CONFLICT (blob) DO NOTHING').run(blob.id, text);
        db.statement('INSERT INTO version (hash, workflow_id, parent, blob, message, author_name, author_email, created_at, faults) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
          commit.id, id, parent, blob.id, cleaned, author.name, author.email, createdAt, JSON.stringify(faults),
        );
        db.statement('UPDATE workflow SET head = ?, updated_at = ? WHERE id = ?').run(commit.id, createdAt, id);
        audit.record(db, actor, { action: 'workflow.commit', target: `workflow:${id}`, before: { head: parent }, after: { head: commit.id, message: cleaned } });
        return db.query<VersionRow>('SELECT * FROM version WHERE hash = ?').get(commit.id) as VersionRow;
      }));
      return { ...commitOf(read, row), definition, faults };
    },

    async commits(id, { page, size }) {
      if (!workflowRow(read, id)) throw notFound(id);
      const { n } = read.query<{ n: number }>('SELECT count(*) AS n FROM version WHERE workflow_id = ?').get(id) ?? { n: 0 };
      const rows = read.query<VersionRow>('SELECT * FROM version WHERE workflow_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?').all(id, size, page * size);
      return { items: rows.map((row) => commitOf(read, row)), page, size, totalItems: n, totalPages: Math.ceil(n / size) };
    },

    async commitDetail(id, hashOrPrefix) {
      const row = versionOf(id, hashOrPrefix);
      return { ...commitOf(read, row), definition: definitionOf(read, row.blob), faults: faultsOf(row) };
    },

    async diff(id, a, b) {
      const from = versionOf(id, a);
      const to = versionOf(id, b);
      return { from: from.hash, to: to.hash, ...diffDefinitions(definitionOf(read, from.blob), definitionOf(read, to.blob)) };
    },
  };
}

/**
 * Settings are computed with, so their numbers are plain; those that only pass through a workflow (the body of a request,
 * the input schema) stay as they came.
 */
function withPlainSettings(definition: Definition): Definition {
  const plain = withPlainNumbers(definition) as Definition;
  const nodes = plain.nodes.map((node, i) => {
    const body = definition.nodes[i]?.config?.['body'];
    return node.type === 'http' && node.config && body !== undefined ? { ...node, config: { ...node.config, body } } : node;
  });
  return { ...plain, nodes, ...(definition.input === undefined ? {} : { input: definition.input }) };
}
