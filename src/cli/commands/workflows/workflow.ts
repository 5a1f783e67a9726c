import type { Command } from 'commander';
import type { DefinitionWarning } from '../../../contract/definition.ts';
import type { Impact, ImpactSide, CommitDetail, Commit, CommitDiff, Workflow } from '../../../contract/workflows.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { errorCode } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, paging, type PageFlags, type Session } from '../../api-command.ts';
import { requestLines } from '../approvals.ts';
import { limitCommand } from '../rate-limit.ts';
import { readJson, parseWorkflowFile, type WorkflowFile } from '../../workflow-file.ts';
import { exportRepository } from './git-export.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { testCommand } from './test.ts';
import { shadowCommand } from './shadow.ts';
import { draftCommand } from './draft.ts';
import { templateCommands } from './template.ts';
import { pageLine, shortHash, table } from '../../text-table.ts';

/** `yardmaster workflow …`: versions and their publication. */
export function workflowCommands(root: Command, io: ProcessIo): void {
  const group = root.command('workflow').description('workflows, versions and publications');

  const list = apiCommand(
    group,
    io,
    'list',
    'list workflows',
    async (session, { page, size, archived, q }: PageFlags & { archived?: boolean; q?: string }) => {
      const found = await session.api.call('workflows.list', { query: { page, size, archived, q } });
      session.show(found, () => [
        ...table(['id', 'name', 'head', 'dev', 'staging', 'prod', 'updated'], found.items.map(listRow), 'no workflows'),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(list, io), io, '--archived', 'archived workflows');
  option(list, io, '--q <text>', 'only with this text in the ID or name');

  const save = apiCommand(
    group,
    io,
    'save <id> <file>',
    'save a version; creates the workflow if needed ("-": standard input)',
    async (session, flags: { message: string; parent?: string }, id, file) => {
      if (flags.message === undefined) throw new Fault('USAGE', 'specify a version message: --message TEXT');
      const content = await readJson(file, io);
      const made = await saveVersion(session, parseWorkflowFile(content, file, id), flags.message, flags.parent);
      session.show(made, () => savedLines(made));
    },
  );
  option(save, io, '--message <text>', 'version message: what changed, and why');
  option(save, io, '--parent <hash>', 'parent version (default: the latest)');

  const bring = apiCommand(
    group,
    io,
    'import <file>',
    'save the workflow of a .workflow.json file ("-": standard input)',
    async (session, flags: { message?: string; id?: string }, file) => {
      const workflow = parseWorkflowFile(await readJson(file, io), file, flags.id);
      const made = await saveVersion(
        session,
        workflow,
        flags.message ?? `Import ${file === '-' ? 'from standard input' : file.split(/[\\/]/).at(-1)}`,
        undefined,
      );
      session.show(made, () => savedLines(made));
    },
  );
  option(bring, io, '--message <text>', 'version message: what changed, and why');
  option(bring, io, '--id <id>', 'workflow ID, if the file has none or to use another');

  templateCommands(group, io);
  draftCommand(group, io);

  const publish = apiCommand(
    group,
    io,
    'publish <id> <environment> <hash>',
    'publish a version to an environment (dev, staging, prod)',
    async (
      session,
      { description, expected, override }: { description?: string; expected?: string; override?: boolean },
      id,
      environment,
      hash,
    ) => {
      const body = {
        hash,
        ...(description === undefined ? {} : { description }),
        ...(expected === undefined ? {} : { expected: expected === 'none' ? null : expected }),
        ...(override === true ? { override } : {}),
      };
      const pointer = await session.api.call('workflows.publish', {
        params: { id: id, environment: environment as Environment },
        body,
      });
      if ('requestedBy' in pointer) return session.show(pointer, () => requestLines(pointer));
      const warnings = await definitionWarnings(session, id, pointer.hash ?? '');
      session.show(pointer, () => [
        `${id} ${pointer.environment} now runs ${pointer.hash}`,
        ...warnings.map(({ pointer: where, message }) => `  warning, ${where}: ${message}`),
      ]);
    },
  );
  option(publish, io, '--description <text>', 'shown in the publish history');
  option(
    publish,
    io,
    '--expected <hash>',
    'fail unless this version is currently published; "none": fail if any is published',
  );

  option(publish, io, '--override', 'publish although tests fail, as an admin; recorded in the audit log');

  const versions = apiCommand(
    group,
    io,
    'versions <id>',
    'history, newest first',
    async (session, { page, size }: PageFlags, id) => {
      const found = await session.api.call('commits.list', { params: { id: id }, query: { page, size } });
      session.show(found, () => [
        ...table(
          ['number', 'hash', 'saved', 'by', 'runs in', 'tags', 'valid', 'message'],
          found.items.map(versionRow),
          'no versions',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(versions, io);

  const tag = apiCommand(
    group,
    io,
    'tag <id> <tag> [hash]',
    'tag a version, or remove a tag',
    async (session, { remove = false }: { remove?: boolean }, id, name, hash?: string) => {
      if (remove === (hash !== undefined)) throw new Fault('USAGE', 'specify either a version or --remove');
      if (hash === undefined) {
        await session.api.call('commits.untag', { params: { id, tag: name } });
        return session.show({ tag: name, hash: null }, () => [`removed tag ${name}`]);
      }
      const commit = await session.api.call('commits.tag', { params: { id, tag: name }, body: { hash } });
      session.show(commit, () => [`${name} is now ${commit.hash}`]);
    },
  );
  option(tag, io, '--remove', 'remove the tag');

  const impact = apiCommand(
    group,
    io,
    'impact <id>',
    'impact of each publication: failures and durations before and after',
    async (
      session,
      { page, size, environment, window }: PageFlags & { environment?: Environment; window?: string },
      id,
    ) => {
      const found = await session.api.call('publications.impact', {
        params: { id: id },
        query: { page, size, environment, window },
      });
      session.show(found, () => [
        ...table(
          ['published', 'to', 'hash', 'impact', 'failed before', 'after', 'p95 before', 'after'],
          found.items.map(impactRow),
          'nothing published yet',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(impact, io), io, '--environment <name>', 'dev, staging or prod');
  option(impact, io, '--window <time>', 'max. period to compare before and after, such as 30m, 1h or 7d (default: 1h)');

  apiCommand(group, io, 'diff <id> <a> <b>', 'diff of version A and version B', async (session, _flags, id, a, b) => {
    const diff = await session.api.call('commits.diff', {
      params: { id: id, a: a, b: b },
    });
    session.show(diff, () => diffLines(diff));
  });

  shadowCommand(group, io);
  testCommand(group, io);
  limitCommand(group, io, 'workflows', 'a workflow');

  const give = apiCommand(
    group,
    io,
    'export <id>',
    'print the latest version as a .workflow.json file, or write the whole history as a Git repository',
    async (session, flags: { git?: string; hash?: string }, id) => {
      if (flags.git !== undefined) {
        const made = await exportRepository(session.api, id, flags.git);
        return session.show(made, () => [
          `${made.commits} versions in ${made.directory}, latest ${made.head ?? 'none'}`,
        ]);
      }
      const file = await workflowFile(session, id, flags.hash);
      io.out(session.json ? JSON.stringify(file) : JSON.stringify(file, null, 2));
    },
  );
  option(give, io, '--git <dir>', 'write a Git repository with the same hashes to this folder');
  option(give, io, '--hash <hash>', 'this version instead of the latest');
}

/** Makes the workflow where there is none, then a version of it on top of `parent` or the newest. */
async function saveVersion(
  session: Session,
  workflow: WorkflowFile,
  message: string,
  parent: string | undefined,
): Promise<CommitDetail> {
  const { id, name, description } = workflow;
  const { definition } = workflow;
  let known: Workflow;
  try {
    known = await session.api.call('workflows.get', { params: { id } });
  } catch (error) {
    if (errorCode(error) !== 'WORKFLOW_NOT_FOUND') throw error;
    known = await session.api.call('workflows.create', { body: { id, name, description } });
  }
  return session.api.call('commits.create', {
    params: { id },
    body: { definition, message, parent: parent ?? known.head },
  });
}

async function workflowFile(session: Session, id: string, hash: string | undefined): Promise<WorkflowFile> {
  const workflow = await session.api.call('workflows.get', { params: { id } });
  const version = hash ?? workflow.head;
  if (version === null)
    throw new Fault(
      'COMMIT_NOT_FOUND',
      `${id} has no versions yet: save one with \`yardmaster workflow save ${id} FILE --message TEXT\``,
    );
  const { definition } = await session.api.call('commits.get', { params: { id, hash: version } });
  return { id, name: workflow.name, description: workflow.description, sample: [], definition };
}

/** What the published version calls and is not there, and ports that lead nowhere; it is published in any case, so that nothing is said where that cannot be told. */
async function definitionWarnings({ api }: Session, id: string, hash: string): Promise<readonly DefinitionWarning[]> {
  try {
    const { definition } = await api.call('commits.get', { params: { id, hash } });
    return (await api.call('workflows.check', { params: { id }, body: { definition } })).warnings ?? [];
  } catch {
    return [];
  }
}

function listRow({ id, name, head, environments, updatedAt }: Workflow) {
  const runs = (wanted: string) =>
    shortHash(environments.find(({ environment }) => environment === wanted)?.hash ?? null);
  return [id, name, shortHash(head), runs('dev'), runs('staging'), runs('prod'), updatedAt];
}

function versionRow({ number, hash, createdAt, author, environments, tags = [], valid, message }: Commit) {
  return [
    number === undefined ? '' : `v${number}`,
    hash,
    createdAt,
    author.name,
    environments.join(' '),
    tags.join(' '),
    valid ? 'yes' : 'no',
    message.split('\n')[0],
  ];
}

function savedLines({ hash, faults }: CommitDetail): string[] {
  if (faults.length === 0) return [`saved ${hash}`];
  return [
    `saved ${hash}, which can't be published yet:`,
    ...faults.map(({ pointer, message }) => `  ${pointer || '(whole)'}: ${message}`),
  ];
}

function diffLines({ nodes, edges, settings }: CommitDiff): string[] {
  const arrow = ({ from, to, port }: CommitDiff['edges']['added'][number]) =>
    `${from} → ${to}${port === undefined ? '' : ` (${port})`}`;
  const node = ({ id, type }: CommitDiff['nodes']['added'][number]) => `node ${id} (${type})`;
  const patches = (patch: readonly unknown[]) => patch.map((operation) => `    ${JSON.stringify(operation)}`);
  const lines = [
    ...nodes.added.map((one) => `+ ${node(one)}`),
    ...nodes.removed.map((one) => `- ${node(one)}`),
    ...nodes.changed.flatMap(({ id, patch }) => [`~ node ${id}`, ...patches(patch)]),
    ...edges.added.map((edge) => `+ edge ${arrow(edge)}`),
    ...edges.removed.map((edge) => `- edge ${arrow(edge)}`),
    ...(settings.length > 0 ? ['~ settings', ...patches(settings)] : []),
  ];
  return lines.length > 0 ? lines : ['no differences'];
}

const impactRow = ({ publication: { publishedAt, environment, hash }, verdict, before, after }: Impact): string[] => [
  publishedAt,
  environment,
  hash === null ? 'unpublished' : hash.slice(0, 8),
  verdict,
  failedOf(before),
  failedOf(after),
  msOf(before.p95Ms),
  msOf(after.p95Ms),
];
const failedOf = ({ failed, finished }: ImpactSide): string => `${failed} of ${finished}`;
const msOf = (ms: number | null): string => (ms === null ? '-' : `${Math.round(ms)} ms`);
