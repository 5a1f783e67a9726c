import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { openFolder } from '../../../lib/folder-writer.ts';
import { apiCommand, type Session } from '../../api-command.ts';
import { option } from '../../options.ts';
import type { ProcessIo } from '../../process-io.ts';
import { listWorkflows, makePlan, planLines, PUSHED, type PlanItem } from './plan.ts';
import { applyChanges, listSchedules, scheduleLine, toFile } from './schedules.ts';
import { fileText, readFolder, type CodeFile, type FileFormat } from './workflow-files.ts';

interface PullFlags {
  format?: FileFormat;
  dryRun?: boolean;
}
interface PushFlags {
  message?: string;
  force?: boolean;
  dryRun?: boolean;
  /** False: `--no-publish`. */
  publish?: boolean;
}

/** `yardmaster pull|plan|push`: workflows as files in a Git repository of their owner. Git itself is never started. */
export function codeCommands(root: Command, io: ProcessIo): void {
  const pull = apiCommand(
    root,
    io,
    'pull <folder> [workflow...]',
    'write workflows of the master into files (*.workflow.json or .yaml)',
    async (session, { format, dryRun = false }: PullFlags, folder, wanted) => {
      const pulled = await pullFolder(session, folder, wanted ?? [], format, dryRun);
      session.show({ items: pulled, dryRun }, () => [
        ...pulled.map(
          ({ id, file, action }) => `${{ write: '+', change: '~', unchanged: '=' }[action]} ${id} (${file})`,
        ),
        dryRun
          ? 'nothing was written (--dry-run)'
          : `${pulled.length} ${pulled.length === 1 ? 'workflow' : 'workflows'} in ${folder}`,
      ]);
    },
  );
  option(pull, io, '--format <format>', 'of new files: json or yaml; others stay as they are (default: json)', {
    choices: ['json', 'yaml'],
  });
  option(pull, io, '--dry-run', 'only say what would be written');

  const plan = apiCommand(
    root,
    io,
    'plan <folder>',
    'show what a push of the workflow files in a folder would change',
    async (session, { check = false }: { check?: boolean }, folder) => {
      const found = await makePlan(session.api, await readFolder(openFolder(folder)));
      session.show(found, () => planLines(found));
      const differs = found.items.some(
        ({ action, publish, renamed, schedules }) =>
          action !== 'unchanged' || renamed || publish.length > 0 || schedules.length > 0,
      );
      if (check && differs) throw new Fault('PLAN_DIFFERS', 'the master does not have what the files say (--check)');
    },
  );
  option(plan, io, '--check', 'exit with 1 where the files and the master differ');

  const push = apiCommand(
    root,
    io,
    'push <folder>',
    'save the workflow files in a folder as versions, and publish those that name environments',
    async (session, flags: PushFlags, folder) => {
      const files = await readFolder(openFolder(folder));
      const found = await makePlan(session.api, files);
      refuse(found.items, flags.force === true);
      if (flags.dryRun === true)
        return session.show({ ...found, dryRun: true }, () => [...planLines(found), 'nothing was changed (--dry-run)']);
      const done: Pushed[] = [];
      for (const item of found.items) {
        // A plan has one item for each file.
        const file = files.find(({ id }) => id === item.id) as CodeFile;
        done.push(await pushOne(session, file, item, flags));
      }
      session.show({ items: done }, () => done.flatMap(pushedLines));
      const faulty = done.filter(({ faults }) => faults.length > 0);
      if (faulty.length > 0)
        throw new Fault('INVALID_DAG', `saved with errors, so not published: ${faulty.map(({ id }) => id).join(', ')}`);
    },
  );
  option(push, io, '--message <text>', 'message of the versions (default: from which folder)');
  option(push, io, '--force', 'save over versions of the master that the files do not know');
  option(push, io, '--dry-run', 'only show the plan');
  option(push, io, '--no-publish', 'save versions only');
}

interface Pulled {
  readonly id: string;
  readonly file: string;
  readonly action: 'write' | 'change' | 'unchanged';
}

async function pullFolder(
  { api }: Session,
  path: string,
  wanted: readonly string[],
  format: FileFormat = 'json',
  dryRun: boolean,
): Promise<Pulled[]> {
  // The master first: where it refuses, no folder is made.
  const listed = await listWorkflows(api);
  const unknown = wanted.find((id) => !listed.some((workflow) => workflow.id === id));
  if (unknown !== undefined) throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${unknown} not found`);
  const folder = openFolder(path);
  const files = new Map((await readFolder(folder)).map((file) => [file.id, file]));
  const pulled: Pulled[] = [];
  for (const { id, name, description, head } of listed) {
    if (head === null || (wanted.length > 0 && !wanted.includes(id))) continue;
    const before = files.get(id);
    const { definition } = await api.checkedCall('commits.get', { params: { id, hash: head } });
    const file = before?.file ?? `${id}.workflow.${format}`;
    const content = {
      id,
      name,
      description,
      definition,
      base: head,
      schedules: await pulledSchedules(api, id, before),
    };
    const text = await fileText(
      { ...content, publish: before?.publish ?? [], sample: before?.sample ?? [] },
      before?.format ?? format,
    );
    const now = folder.read(file);
    const action = now === null ? 'write' : now === text ? 'unchanged' : 'change';
    if (!dryRun && action !== 'unchanged') folder.write(file, text);
    pulled.push({ id, file, action });
  }
  return pulled;
}

/** A file that says nothing of schedules goes on so while the workflow has none. */
async function pulledSchedules(
  api: Session['api'],
  id: string,
  before: CodeFile | undefined,
): Promise<CodeFile['schedules']> {
  const found = await listSchedules(api, id);
  const unreadable = found.find(({ inputs, inputExpression }) => inputs === null && inputExpression === null);
  if (unreadable)
    throw new Fault('FORBIDDEN', `the inputs of schedule ${unreadable.id} of ${id} cannot be read with this token`);
  return found.length === 0 && (before?.schedules ?? null) === null ? null : found.map(toFile);
}

function refuse(items: readonly PlanItem[], force: boolean): void {
  const archived = items.filter(({ action }) => action === 'archived');
  if (archived.length > 0)
    throw new Fault('WORKFLOW_NOT_FOUND', `archived on the master: ${archived.map(({ id }) => id).join(', ')}`);
  const drifted = items.filter(({ action }) => action === 'drift');
  if (drifted.length > 0 && !force)
    throw new Fault(
      'DRIFTED',
      `the master has versions that the files do not know: ${drifted.map(({ id }) => id).join(', ')}. Look at them with \`yardmaster plan\`, then pull them, or push with --force; nothing was changed`,
    );
}

interface Pushed {
  readonly id: string;
  readonly action: 'created' | 'changed' | 'unchanged';
  readonly hash: string;
  readonly faults: readonly { readonly pointer: string; readonly message: string }[];
  readonly published: readonly string[];
  /** Environments for which a second person has to agree. */
  readonly requested: readonly string[];
  /** Schedules that were created, changed or deleted, one line each. */
  readonly schedules: readonly string[];
}

async function pushOne({ api }: Session, file: CodeFile, item: PlanItem, flags: PushFlags): Promise<Pushed> {
  const { id, name, description } = file;
  const isNew = item.action === 'create' && item.head === null;
  if (isNew && !(await exists(api, id)))
    await api.call('workflows.create', { body: { id, name, ...(description === null ? {} : { description }) } });
  else if (item.renamed) await api.call('workflows.update', { params: { id }, body: { name, description } });
  const saves = item.action !== 'unchanged';
  const saved = saves
    ? await api.call('commits.create', {
        params: { id },
        body: { definition: file.definition, message: messageOf(file, flags), parent: item.head },
      })
    : null;
  const hash = saved?.hash ?? item.head ?? '';
  const faults = saved?.faults ?? [];
  const published: string[] = [];
  const requested: string[] = [];
  if (faults.length === 0 && flags.publish !== false)
    for (const environment of item.publish) {
      const pointer = await api.call('workflows.publish', {
        params: { id, environment },
        body: { hash, description: messageOf(file, flags).split('\n')[0] ?? '' },
      });
      ('requestedBy' in pointer ? requested : published).push(environment);
    }
  const scheduled = faults.length === 0 && flags.publish !== false ? item.schedules : [];
  await applyChanges(api, id, scheduled);
  const action = isNew ? 'created' : saves ? 'changed' : 'unchanged';
  return { id, action, hash, faults, published, requested, schedules: scheduled.map(scheduleLine) };
}

async function exists(api: Session['api'], id: string): Promise<boolean> {
  return (await listWorkflows(api)).some((workflow) => workflow.id === id);
}

const messageOf = ({ file }: CodeFile, { message }: PushFlags): string => `${message ?? `Push ${file}`}\n\n${PUSHED}`;

function pushedLines({ id, action, hash, faults, published, requested, schedules }: Pushed): string[] {
  return [
    `${{ created: '+', changed: '~', unchanged: '=' }[action]} ${id} ${hash}`,
    ...faults.map(({ pointer, message }) => `    ${pointer || '(whole)'}: ${message}`),
    ...published.map((environment) => `    published to ${environment}`),
    ...requested.map((environment) => `    asked for approval to publish to ${environment}`),
    ...schedules.map((line) => `    ${line}`),
  ];
}
