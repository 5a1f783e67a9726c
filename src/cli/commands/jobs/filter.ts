import { InvalidArgumentError, type Command } from 'commander';
import type { JobFilter } from '../../../contract/jobs.ts';
import {
  type Environment,
  DISPLAY_STATUSES,
  type DisplayStatus,
  ENVIRONMENTS,
  JOB_STATUSES,
  type JobStatus,
  TRIGGER_KINDS,
  type TriggerKind,
} from '../../../contract/vocabulary.ts';
import type { ProcessIo } from '../../process-io.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import { parseJobQuery } from '../../../lib/job-query/parse.ts';
import { list, option, time } from '../../options.ts';

/** What narrows a list of jobs, an export, or a bulk operation. */
export interface FilterFlags {
  status?: JobStatus[];
  displayStatus?: DisplayStatus[];
  workflow?: string;
  project?: string;
  environment?: Environment;
  externalId?: string;
  q?: string;
  from?: string;
  to?: string;
  label?: string[];
  input?: string[];
  text?: string;
  failureGroup?: string;
  trigger?: TriggerKind[];
  query?: string;
  filter?: Record<string, string[]>;
}

/** The filters of the list by their names in the API. */
const KEYS = [
  'status',
  'displayStatus',
  'workflowId',
  'project',
  'environment',
  'externalId',
  'q',
  'createdFrom',
  'createdTo',
  'label',
  'input',
  'text',
  'failureGroup',
  'parentTaskId',
  'parentJobId',
  'rerunOf',
  'traceId',
  'trigger',
  'triggerId',
  'query',
] as const;
const MANY: ReadonlySet<string> = new Set(['status', 'displayStatus', 'label', 'input', 'trigger']);
const TIMES: ReadonlySet<string> = new Set(['createdFrom', 'createdTo']);

export function filterOptions(command: Command, io: ProcessIo): Command {
  const repeated = (text: string, before: string[] | undefined) => [...(before ?? []), text];
  option(command, io, '--status <status>', `only these (${JOB_STATUSES.join(', ')})`, { parse: list });
  option(command, io, '--display-status <status>', `only shown as one of these (${DISPLAY_STATUSES.join(', ')})`, {
    parse: list,
  });
  option(command, io, '--workflow <id>', 'only this workflow');
  option(command, io, '--project <id>', 'only workflows of this project');
  option(command, io, '--environment <name>', 'only this environment', { choices: ENVIRONMENTS });
  option(command, io, '--external-id <id>', 'only with this external ID');
  option(command, io, '--q <prefix>', 'only with this prefix of the ID or external ID');
  option(command, io, '--from <time>', 'created at or after: a time, or an age such as 15m, 2h, 7d', {
    parse: (text) => time(text),
  });
  option(command, io, '--to <time>', 'created before: as --since', { parse: (text) => time(text) });
  option(command, io, '--label <key=value>', 'only with this label, key=value or key; repeatable', { parse: repeated });
  option(command, io, '--input <path=value>', 'only with this input value, such as customer.id=42; repeatable', {
    parse: repeated,
  });
  option(command, io, '--text <words>', 'only with these words in the inputs');
  option(command, io, '--query <query>', 'a query such as "status:failed duration:>5s input.country:DE"', {
    parse: query,
  });
  option(command, io, '--failure-group <id>', 'only with a failure of this group');
  option(command, io, '--trigger <kind>', `only started by this (${TRIGGER_KINDS.join(', ')})`, { parse: list });
  return option(command, io, '--filter <name=value>', `any filter by its API name (${KEYS.join(', ')}); repeatable`, {
    parse: pair,
  });
}

/** Checked here, so that the place of an error is shown under it. */
function query(text: string): string {
  const parsed = parseJobQuery(text);
  if (parsed.ok) return text;
  const { message, from, to } = parsed.error;
  throw new InvalidArgumentError(
    `${message}\n  ${text.replaceAll(/\s/g, ' ')}\n  ${' '.repeat(from)}${'^'.repeat(Math.max(1, to - from))}`,
  );
}

function pair(text: string, before: Record<string, string[]> | undefined): Record<string, string[]> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (!isOneOf(KEYS, name))
    throw new InvalidArgumentError(`Expected name=value with one of the names ${KEYS.join(', ')}.`);
  const values =
    name === 'status' || name === 'displayStatus' || name === 'trigger'
      ? list(value, undefined)
      : [TIMES.has(name) ? time(value) : value];
  return { ...before, [name]: [...(before?.[name] ?? []), ...values] };
}

/** The filter by the API's names; empty where nothing was asked for. */
export function filterOf({
  status,
  displayStatus,
  workflow,
  project,
  environment,
  externalId,
  q,
  from,
  to,
  label,
  input,
  text,
  failureGroup,
  trigger,
  query: asked,
  filter = {},
}: FilterFlags): JobFilter {
  const many: Record<string, string[] | undefined> = { status, displayStatus, label, input, trigger };
  const one: Record<string, string | undefined> = {
    workflowId: workflow,
    project,
    environment,
    externalId,
    q,
    createdFrom: from,
    createdTo: to,
    text,
    failureGroup,
    query: asked,
  };
  const found: Record<string, string | string[]> = {};
  for (const name of KEYS) {
    const values = [...(many[name] ?? []), ...(one[name] === undefined ? [] : [one[name]]), ...(filter[name] ?? [])];
    const last = values.at(-1);
    if (last !== undefined) found[name] = MANY.has(name) ? values : last;
  }
  // Words that `--filter` was given are the master's to check.
  return found as JobFilter;
}
