import { WAIT_KINDS } from '../../../../contract/vocabulary.ts';
import { NodeSchema, WAIT_FIELDS, type WorkflowNode } from '../../../../contract/definition.ts';
import { configSchema, readSchema } from '../definition/schema.ts';
import type { Schema } from '../../../ui/json-text/check.ts';
import { t, tn } from '../../../../lib/language.ts';

/** How a member is edited. */
export type Editor =
  | 'text'
  | 'number'
  | 'seconds'
  | 'choice'
  | 'flag'
  | 'jsonata'
  | 'javascript'
  | 'template'
  | 'pairs'
  | 'approvers'
  | 'json'
  | 'workflow'
  | 'handler'
  | 'inner';

/** One field of a form, drawn from a schema. */
export interface Field {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** What it says instead where the limits of the master are known; null: the same. */
  readonly limitHelp: ((limits: Readonly<Record<string, number>>) => string | null) | null;
  readonly editor: Editor;
  readonly required: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly whole: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** What a schema cannot say: the language that a text is written in, and what it names. */
const EDITORS: Readonly<Record<string, Editor>> = {
  'transform/expression': 'jsonata',
  'condition/expression': 'jsonata',
  'forEach/items': 'jsonata',
  'forEach/node': 'inner',
  'code/source': 'javascript',
  'template/template': 'template',
  'http/url': 'template',
  'http/body': 'json',
  'wait/until': 'template',
  'wait/title': 'template',
  'wait/approvers': 'approvers',
  'wait/form': 'json',
  'workflow/workflowId': 'workflow',
  'handler/handler': 'handler',
};

const COMMON = ['retries', 'retryBackoffSeconds', 'scheduleTimeoutSeconds', 'runTimeoutSeconds'] as const;

/** Fields of the configuration of a type of node; none where the type is not known. */
export function configFields(type: string): Field[] {
  const schema = configSchema(type);
  return Object.entries(schema?.properties ?? {}).map(([key, one]) =>
    schemaField(`${type}/${key}`, key, one, schema?.required?.includes(key) ?? false),
  );
}

/** The same without those that the rest of the configuration makes meaningless, unless they are set. */
export function fieldsInUse(type: string, config: Readonly<Record<string, unknown>>): Field[] {
  const fields = configFields(type);
  if (type !== 'wait') return fields;
  const used = WAIT_KINDS.filter((kind) => kind === config['for']).flatMap((kind) => WAIT_FIELDS[kind]);
  return fields.filter(({ key }) => key === 'for' || used.includes(key) || config[key] !== undefined);
}

/** What all nodes that make tasks have: retries, back-off, time limits. */
export const commonFields = (): Field[] => COMMON.map((key) => nodeField(key));
export const nodeField = (key: keyof WorkflowNode): Field =>
  schemaField(key, key, readSchema(NodeSchema.properties[key]), false);

function schemaField(name: string, key: string, schema: Schema, required: boolean): Field {
  const words = fieldLabels()[name];
  const choices = schema.anyOf?.every((one) => typeof one.const === 'string')
    ? schema.anyOf.map((one) => String(one.const))
    : [];
  const shown = choiceLabels();
  return {
    key,
    label: words?.label ?? key,
    help: words?.help ?? schema.description ?? '',
    limitHelp: words?.limitHelp ?? null,
    editor: EDITORS[name] ?? editorOf(key, schema, choices.length > 0),
    required,
    min: schema.minimum ?? schema.exclusiveMinimum ?? null,
    max: schema.maximum ?? null,
    whole: schema.type === 'integer',
    choices: choices.map((value) => ({ value, label: shown[value] ?? value })),
  };
}

function editorOf(key: string, schema: Schema, isChoice: boolean): Editor {
  if (isChoice) return 'choice';
  if (schema.type === 'number' || schema.type === 'integer') return /seconds$/i.test(key) ? 'seconds' : 'number';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'object') return 'pairs';
  return schema.type === 'string' ? 'text' : 'json';
}

/** Members of a configuration that no field is there for: they are kept, and shown as they are. */
export const otherMembers = (type: string, config: Readonly<Record<string, unknown>>): string[] => {
  const known = new Set(Object.keys(configSchema(type)?.properties ?? {}));
  return Object.keys(config).filter((key) => !known.has(key));
};

/** A record with one member set, or taken away where the value is `undefined`; the order of the others stays. */
export function withMember<T extends object>(record: T, key: string, value: unknown): T {
  if (value !== undefined) return { ...record, [key]: value };
  const { [key]: _, ...rest } = record as Record<string, unknown>;
  // Without a member that may be missing.
  return rest as T;
}

/** A number of seconds as people say it; empty where seconds say it well enough. */
export function inWords(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 60) return '';
  const parts = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  let left = Math.round(seconds);
  return parts
    .flatMap(([size, unit]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? [`${count} ${unit}`] : [];
    })
    .join(' ');
}

interface FieldWords {
  readonly label: string;
  readonly help: string;
  readonly limitHelp?: Field['limitHelp'];
}

/** What people read at the members of a node and of its configuration. A member that is not here shows its own name and what the schema says of it. */
function fieldLabels(): Readonly<Record<string, FieldWords>> {
  return {
    name: { label: t('Name'), help: t('Shown instead of the ID') },
    join: {
      label: t('With several inputs'),
      help: t('An object keyed by predecessor, or the value of the one that ran'),
    },
    retries: { label: t('Retries'), help: t('After retryable errors (default 3)') },
    retryBackoffSeconds: {
      label: t('Initial retry back-off'),
      help: t('Doubles with each retry (default 1 s)'),
    },
    scheduleTimeoutSeconds: { label: t('Schedule timeout'), help: t('Max. wait for a worker (default 5 min)') },
    runTimeoutSeconds: { label: t('Run timeout'), help: t('Per attempt (default 10 min)') },
    'transform/expression': { label: t('Expression'), help: t('JSONata on the input; the result is the output') },
    'condition/expression': {
      label: t('Condition'),
      help: t('JSONata on the input. Truthy results (not empty, not 0) take the branch true'),
    },
    'code/source': {
      label: t('Code'),
      help: t('JavaScript: body of an async function (input, ctx). The return value is the output'),
    },
    'code/timeoutSeconds': { label: t('Timeout'), help: t('Default 30 s') },
    'template/template': { label: t('Template'), help: t('Text with {{ JSONata }}') },
    'http/method': { label: t('Method'), help: '' },
    'http/url': { label: t('URL'), help: t('Supports {{ JSONata }} and {{ secrets.NAME }}') },
    'http/headers': { label: t('Headers'), help: t('Values support {{ JSONata }}') },
    'http/query': { label: t('Query'), help: t('Added to the URL') },
    'http/body': { label: t('Body'), help: t('JSON, or a string in quotes; strings support {{ JSONata }}') },
    'http/timeoutSeconds': { label: t('Response timeout'), help: t('Default 30 s') },
    'delay/seconds': { label: t('Delay'), help: t('Max. 1 hour. The worker slot stays occupied') },
    'wait/for': { label: t('Wait for'), help: t('No worker slot is occupied meanwhile') },
    'wait/seconds': { label: t('How long'), help: t('Or set a time below') },
    'wait/until': { label: t('Until'), help: t('ISO 8601 time with its zone; supports {{ JSONata }}') },
    'wait/name': { label: t('Signal name'), help: t('Default: the ID of the node') },
    'wait/title': { label: t('Question'), help: t('Shown to approvers; supports {{ JSONata }}') },
    'wait/approvers': {
      label: t('Approvers'),
      help: t('Who may decide. Empty: whoever may operate the jobs'),
    },
    'wait/form': { label: t('Form'), help: t('JSON Schema of what approvers fill in') },
    'wait/timeoutSeconds': {
      label: t('Deadline'),
      help: t('Default: the longest wait allowed (Settings, Limits)'),
      limitHelp: ({ waitDays }) =>
        waitDays === undefined
          ? null
          : tn(
              'Default: {count} day, the longest wait allowed (Settings, Limits)',
              'Default: {count} days, the longest wait allowed (Settings, Limits)',
              waitDays,
            ),
    },
    'wait/onTimeout': { label: t('After the deadline'), help: '' },
    'wait/onReject': { label: t('After a rejection'), help: '' },
    'wait/remindSeconds': { label: t('Remind after'), help: t('Approvers are notified again') },
    'forEach/items': {
      label: t('List'),
      help: t('JSONata on the input that returns an array; each item is the input of one task'),
    },
    'forEach/node': { label: t('What to run for each item'), help: '' },
    'forEach/concurrency': { label: t('Max. concurrency'), help: t('Default 10') },
    'forEach/onError': {
      label: t('If an item fails'),
      help: t("Fail the replica, or continue with the error as the item's result"),
    },
    'workflow/workflowId': { label: t('Workflow'), help: t('Workflow to call') },
    'workflow/environment': { label: t('Environment'), help: t('Environment of the called workflow') },
    'handler/handler': { label: t('Handler'), help: t('Name of the function registered by workers') },
  };
}

/** Words for the values of a closed set. */
function choiceLabels(): Readonly<Record<string, string>> {
  return {
    keyed: t('Object keyed by predecessor'),
    value: t('Value of the one that ran'),
    failFast: t('Fail the replica'),
    collect: t('Collect errors and continue'),
    time: t('A time'),
    signal: t('A signal'),
    approval: t('An approval'),
    fail: t('Fail'),
    continue: t('Continue'),
    approve: t('Approve'),
    reject: t('Reject'),
  };
}
