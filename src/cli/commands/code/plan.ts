import type { CommitDetail, Workflow } from '../../../contract/workflows.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { jsonDiff, type JsonChange } from '../../../lib/json-diff.ts';
import type { MasterApi } from '../../api-client.ts';
import { checkTimings, listSchedules, scheduleChanges, scheduleLine, type ScheduleChange } from './schedules.ts';
import { definitionText, type CodeFile } from './workflow-files.ts';

/** Ends the message of each version that a push made: what has it was written in files, not in the console. */
export const PUSHED = 'Pushed-by: yardmaster push';

export type PlanAction =
  /** Neither is there on the master. */
  | 'create'
  | 'update'
  | 'unchanged'
  /** The master has a version that the file does not know: a push would go over it. */
  | 'drift'
  /** Archived on the master: it cannot be changed. */
  | 'archived';

export interface PlanItem {
  readonly id: string;
  readonly file: string;
  readonly action: PlanAction;
  /** The latest version on the master; null: none. */
  readonly head: string | null;
  /** Who saved it and when, where it drifted. */
  readonly savedBy: string | null;
  readonly changes: readonly JsonChange[];
  /** Name or description are others. */
  readonly renamed: boolean;
  /** Environments that would run another version. */
  readonly publish: readonly Environment[];
  readonly schedules: readonly ScheduleChange[];
}

export interface Plan {
  readonly items: readonly PlanItem[];
  /** Workflows of the master without a file. */
  readonly onMasterOnly: readonly string[];
}

const DIFF = { changes: 200, steps: 200_000 };
const PAGE = 500;

/** What it answers becomes names of files, and is checked. */
export async function listWorkflows(api: Pick<MasterApi, 'checkedCall'>): Promise<Workflow[]> {
  const all = new Map<string, Workflow>();
  for (let page = 0; ; page++) {
    const found = await api.checkedCall('workflows.list', { query: { page, size: PAGE, sort: 'id,asc' } });
    const before = all.size;
    for (const workflow of found.items) all.set(workflow.id, workflow);
    // However many pages there are said to be: one that holds nothing new is the last.
    if (page + 1 >= found.totalPages || all.size === before) return [...all.values()];
  }
}

/** What a push of these files would do, without doing it. */
export async function makePlan(
  api: Pick<MasterApi, 'call' | 'checkedCall'>,
  files: readonly CodeFile[],
): Promise<Plan> {
  const workflows = new Map((await listWorkflows(api)).map((workflow) => [workflow.id, workflow]));
  const items: PlanItem[] = [];
  for (const file of files) items.push(await planOne(api, file, workflows.get(file.id) ?? null));
  const known = new Set(files.map(({ id }) => id));
  return { items, onMasterOnly: [...workflows.keys()].filter((id) => !known.has(id)) };
}

async function planOne(
  api: Pick<MasterApi, 'call' | 'checkedCall'>,
  file: CodeFile,
  listed: Workflow | null,
): Promise<PlanItem> {
  // An archived one is in no list, and its ID is taken all the same.
  const workflow = listed ?? (await archived(api, file.id));
  const hash = workflow?.head ?? null;
  const head = hash === null ? null : await api.checkedCall('commits.get', { params: { id: file.id, hash } });
  const common = { id: file.id, file: file.file, head: head?.hash ?? null };
  const isSame = head !== null && definitionText(head.definition) === definitionText(file.definition);
  const renamed = workflow !== null && (workflow.name !== file.name || workflow.description !== file.description);
  const { changes } = isSame || head === null ? { changes: [] } : jsonDiff(head.definition, file.definition, DIFF);
  const publish = file.publish.filter(
    (environment) =>
      !isSame || workflow?.environments.find((one) => one.environment === environment)?.hash !== head?.hash,
  );
  const action: PlanAction =
    (workflow?.archivedAt ?? null) !== null
      ? 'archived'
      : workflow === null || head === null
        ? 'create'
        : isSame
          ? 'unchanged'
          : knows(file, head)
            ? 'update'
            : 'drift';
  const savedBy = action === 'drift' && head ? `${head.author.name}, ${head.createdAt}` : null;
  const schedules = scheduleChanges(
    file.schedules,
    file.schedules === null || workflow === null ? [] : await listSchedules(api, file.id),
  );
  await checkTimings(api, schedules).catch((error: unknown) => {
    throw new Fault('FILE_INVALID', `${file.file}: ${errorMessage(error)}`);
  });
  return { ...common, action, savedBy, changes, renamed, publish, schedules };
}

/** The file began from the latest version, or the latest version came from files. */
const knows = ({ base }: CodeFile, head: CommitDetail): boolean =>
  base === head.hash || head.message.trimEnd().endsWith(PUSHED);

async function archived(api: Pick<MasterApi, 'call' | 'checkedCall'>, id: string): Promise<Workflow | null> {
  try {
    return await api.call('workflows.get', { params: { id } });
  } catch (error) {
    if (errorCode(error) === 'WORKFLOW_NOT_FOUND') return null;
    throw error;
  }
}

const SIGNS: Readonly<Record<PlanAction, string>> = {
  create: '+',
  update: '~',
  unchanged: '=',
  drift: '!',
  archived: '!',
};
const SHOWN = 20;

/** A plan for people, as a review reads it. */
export function planLines({ items, onMasterOnly }: Plan): string[] {
  const lines = items.flatMap((item) => [
    `${SIGNS[item.action]} ${item.id} (${item.file}): ${said(item)}`,
    ...item.changes.slice(0, SHOWN).map((change) => `    ${changeLine(change)}`),
    ...(item.changes.length > SHOWN ? [`    and ${item.changes.length - SHOWN} more`] : []),
    ...item.schedules.map((change) => `    ${scheduleLine(change)}`),
  ]);
  const count = (action: PlanAction) => items.filter((item) => item.action === action).length;
  return [
    ...lines,
    ...(onMasterOnly.length === 0 ? [] : [`on the master alone: ${onMasterOnly.join(', ')}`]),
    `${count('create')} to create, ${count('update')} to change, ${count('unchanged')} unchanged, ${count('drift')} drifted`,
  ];
}

function said({ action, head, savedBy, renamed, publish, schedules }: PlanItem): string {
  const what = {
    create: 'create',
    update: `change version ${head?.slice(0, 8)}`,
    unchanged: 'unchanged',
    drift: `drifted: version ${head?.slice(0, 8)} was saved on the master (${savedBy}); pull it, or push with --force`,
    archived: 'archived on the master: it cannot be changed',
  }[action];
  return [
    what,
    ...(renamed ? ['rename'] : []),
    ...(publish.length > 0 ? [`publish to ${publish.join(', ')}`] : []),
    ...(schedules.length > 0 ? ['change schedules'] : []),
  ].join('; ');
}

function changeLine({ path, op, before, after }: JsonChange): string {
  const at = path.join('/') || '(whole)';
  if (op === 'added') return `+ ${at}: ${short(after)}`;
  if (op === 'removed') return `- ${at}: ${short(before)}`;
  return `~ ${at}: ${short(before)} → ${short(after)}`;
}

const MAX_TEXT = 120;
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
