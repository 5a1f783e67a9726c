import { itemAt } from '../../lib/item-at.ts';
import { putRow, readPage } from '../store/rows.ts';
import type { Definition, DefinitionFault as GraphFault } from '../../contract/definition.ts';
import type { Commit } from '../../contract/workflows.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { iso } from '../../lib/clock.ts';
import { authorLine, cleanMessage, gitObjectsFromText } from '../../lib/git.ts';
import { parseJson } from '../../lib/json.ts';
import { selfCalls } from './check-calls.ts';
import { diffDefinitions } from './diff.ts';
import { dataDamaged } from '../store/whole.ts';
import { draftMadeAt, draftText } from './drafts.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Workflows } from './port.ts';
import {
  commitView,
  definitionFaults,
  findVersion,
  notFound,
  openRow,
  requireWorkflow,
  workflowRow,
  type VersionRow,
} from './rows.ts';
import { CHECKER_VERSION } from './prepare-definition.ts';
import { readDefinition, readDefinitionText, LARGE_DEFINITION_CHARACTERS } from './runnables.ts';

/** Versions of workflows: each is a Git commit on top of the one before. */
export function createVersions({
  store,
  clock,
  audit,
  offload,
  prepare,
}: WorkflowDeps & Pick<Workflows, 'prepare'>): Pick<
  Workflows,
  'commit' | 'commitPrepared' | 'commits' | 'commitsLike' | 'commitDetail' | 'commitDetailText' | 'diffText'
> {
  const { read } = store;

  function versionOf(id: string, hashOrPrefix: string): VersionRow {
    if (!workflowRow(read, id)) throw notFound(id);
    return findVersion(read, id, hashOrPrefix);
  }

  /** What a draft run ran, in the form of a commit: pages of jobs show both alike. */
  const draftDetail = (id: string, hash: string, madeAt: number): string =>
    withDefinition(
      {
        hash,
        parent: null,
        restores: null,
        message: 'Draft run, not saved',
        author: authorLine('draft'),
        createdAt: iso(madeAt),
        description: null,
        environments: [],
        valid: true,
        faults: [],
      },
      draftText(read, id, hash),
    );

  const stale = (id: string, parent: string | null, head: string | null) =>
    new Fault(
      'STALE_PARENT',
      `${parent === null ? 'no parent was given' : `parent ${parent} is not the latest version`}, the latest version of ${id} is ${head ?? 'none'}: reload the workflow and save again`,
      { extra: { head } },
    );

  const commitPrepared: Workflows['commitPrepared'] = async (id, { prepared, message, parent }, actor) => {
    const { text } = prepared;
    const faults = [...prepared.faults, ...selfCalls(prepared.calls, id)];
    const cleaned = cleanMessage(message);
    if (cleaned === '')
      throw invalidAt('/message', 'the version message is empty; describe the change', 'must not be empty');
    const author = authorLine(actor.name);
    // A clock that went back must not make a version older than the one before it.
    const before =
      parent === null
        ? undefined
        : read
            .query<{ created_at: number; name: string | null }>(
              "SELECT version.created_at, json_extract(definition.text, '$.name') AS name FROM version LEFT JOIN definition ON definition.blob = version.blob WHERE version.hash = ?",
            )
            .get(parent);
    const createdAt = Math.max(clock.now(), before?.created_at ?? 0);
    const { blob, commit } = gitObjectsFromText(text, { workflowId: id, parent, author, createdAt, message: cleaned });
    const row = requireWorkflow(
      await store.write((db) => {
        const workflow = openRow(db, id);
        if (workflow instanceof Fault) return workflow;
        if (workflow.head !== parent) return stale(id, parent, workflow.head);
        db.statement('INSERT INTO definition (blob, text) VALUES (?, ?) ON CONFLICT (blob) DO NOTHING').run(
          blob.id,
          text,
        );
        putRow(db, 'version', {
          hash: commit.id,
          workflow_id: id,
          parent,
          blob: blob.id,
          message: cleaned,
          author_name: author.name,
          author_email: author.email,
          created_at: createdAt,
          faults: JSON.stringify(faults),
          checker: CHECKER_VERSION,
        });
        // A version that gives the workflow another name than the one before it renames it; one that leaves the name alone
        // does not undo what was named by hand since.
        const { name } = prepared;
        const renamed = before !== undefined && before.name !== name && name !== workflow.name;
        db.statement('UPDATE workflow SET head = ?, updated_at = ?, name = ? WHERE id = ?').run(
          commit.id,
          createdAt,
          renamed ? name : workflow.name,
          id,
        );
        audit.record(db, actor, {
          action: 'workflow.commit',
          target: `workflow:${id}`,
          before: { head: parent, ...(renamed ? { name: workflow.name } : {}) },
          after: { head: commit.id, message: cleaned, ...(renamed ? { name } : {}) },
        });
        return itemAt(db.query<VersionRow>('SELECT * FROM version WHERE hash = ?').all(commit.id), 0);
      }),
    );
    return { ...commitView(read, row), faults };
  };

  return {
    async commit(id, { definition, message, parent }, actor) {
      const prepared = await prepare(definition);
      return {
        ...(await commitPrepared(id, { prepared, message, parent }, actor)),
        definition: parseJson<Definition>(prepared.text),
      };
    },
    commitPrepared,

    async commits(id, { page, size }) {
      if (!workflowRow(read, id)) throw notFound(id);
      return readPage<VersionRow, Commit>(
        read,
        { from: 'version WHERE workflow_id = ?', order: 'seq DESC', values: [id] },
        { page, size },
        (row) => commitView(read, row),
      );
    },

    commitsLike: (prefix, most) =>
      read
        .query<{ hash: string; workflowId: string; message: string }>(
          "SELECT hash, workflow_id AS workflowId, message FROM version WHERE hash >= ? AND hash < ? || 'g' ORDER BY hash LIMIT ?",
        )
        .all(prefix, prefix, most),

    async commitDetail(id, hashOrPrefix) {
      const row = versionOf(id, hashOrPrefix);
      checkCommit(row, readDefinitionText(read, row.blob));
      return { ...commitView(read, row), definition: readDefinition(read, row.blob), faults: definitionFaults(row) };
    },

    async commitDetailText(id, hashOrPrefix) {
      const madeAt = hashOrPrefix.length === 40 ? draftMadeAt(read, id, hashOrPrefix) : null;
      if (madeAt !== null) return draftDetail(id, hashOrPrefix, madeAt);
      const row = versionOf(id, hashOrPrefix);
      const text = readDefinitionText(read, row.blob);
      checkCommit(row, text);
      return withDefinition({ ...commitView(read, row), faults: definitionFaults(row) }, text);
    },

    async diffText(id, a, b) {
      const from = versionOf(id, a);
      const to = versionOf(id, b);
      const texts = { from: readDefinitionText(read, from.blob), to: readDefinitionText(read, to.blob) };
      const members =
        offload && texts.from.length + texts.to.length > LARGE_DEFINITION_CHARACTERS
          ? await offload.call('diff', texts)
          : diffTexts(texts);
      return `{"from":"${from.hash}","to":"${to.hash}",${members}}`;
    },
  };
}

/** Throws DATA_DAMAGED where a version is not the Git commit that it was saved as. */
export function checkCommit(row: VersionRow, text: string): void {
  const { commit } = gitObjectsFromText(text, {
    workflowId: row.workflow_id,
    parent: row.parent,
    author: { name: row.author_name, email: row.author_email },
    createdAt: row.created_at,
    message: row.message,
  });
  if (commit.id !== row.hash) throw dataDamaged(`the commit ${row.hash}`);
}

/** What leads from one saved definition to another, as the members of a JSON object. */
export const diffTexts = ({ from, to }: { from: string; to: string }): string =>
  JSON.stringify(diffDefinitions(parseJson<Definition>(from), parseJson<Definition>(to))).slice(1, -1);

/** JSON text of a commit with its definition, which goes in as the text that it is kept as. */
export const withDefinition = (commit: Commit & { faults: GraphFault[] }, definition: string): string =>
  `${JSON.stringify(commit).slice(0, -1)},"definition":${definition.trimEnd()}}`;
