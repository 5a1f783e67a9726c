import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../../../contract/definition.ts';
import { ENVIRONMENTS, WORKFLOW_ID, type Environment } from '../../../contract/vocabulary.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { FolderWriter } from '../../../lib/folder-writer.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { isRawNumber, parseJson } from '../../../lib/json.ts';
import { parseWorkflowFile, type WorkflowFile } from '../../workflow-file.ts';
import { schedulesFault, type FileSchedule } from './schedules.ts';

export type FileFormat = 'json' | 'yaml';

/** A workflow as code: a workflow file with what belongs to its life on a master. */
export interface CodeFile extends WorkflowFile {
  /** Its name below the folder. */
  readonly file: string;
  readonly format: FileFormat;
  /** The version that it was pulled from; null: it was written by hand. */
  readonly base: string | null;
  /** Where a push publishes it. */
  readonly publish: readonly Environment[];
  /** The schedules that it is to have; null: the file says nothing of them. */
  readonly schedules: readonly FileSchedule[] | null;
}

/** What a file holds, in the order in which it is written. */
export type CodeContent = Pick<
  CodeFile,
  'id' | 'name' | 'description' | 'base' | 'publish' | 'schedules' | 'sample' | 'definition'
>;

const NAME = /\.workflow\.(json|ya?ml)$/;
const MAX_FILES = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
const HASH = /^[0-9a-f]{40}$/;

/** All workflow files below a folder, links and dotted folders left out. Throws FILE_INVALID with the file that is wrong. */
export async function readFolder(folder: FolderWriter): Promise<CodeFile[]> {
  const found: CodeFile[] = [];
  const byId = new Map<string, string>();
  for (const name of namesBelow(folder.path)) {
    const file = await readFile(folder, name);
    const other = byId.get(file.id);
    if (other !== undefined) throw invalid(name, `${other} is workflow ${file.id} too`);
    byId.set(file.id, name);
    found.push(file);
  }
  return found;
}

function namesBelow(root: string): string[] {
  const names: string[] = [];
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else if (entry.isFile() && NAME.test(entry.name)) names.push(name);
      if (names.length > MAX_FILES)
        throw new Fault('FILE_INVALID', `${root} has more than ${MAX_FILES} workflow files`);
    }
  };
  walk('');
  return names.sort();
}

async function readFile(folder: FolderWriter, name: string): Promise<CodeFile> {
  if (statSync(join(folder.path, name)).size > MAX_BYTES) throw invalid(name, `it has more than ${MAX_BYTES} bytes`);
  const text = (folder.read(name) ?? '').replace(/^\uFEFF/, '');
  const format: FileFormat = name.endsWith('.json') ? 'json' : 'yaml';
  let content: unknown;
  try {
    content = format === 'json' ? parseJson(text) : await parseYaml(text);
  } catch (error) {
    throw invalid(name, `not valid ${format.toUpperCase()}: ${errorMessage(error)}`);
  }
  const workflow = parseWorkflowFile(content, name, undefined);
  if (!new RegExp(WORKFLOW_ID).test(workflow.id)) throw invalid(name, `"id" must match ${WORKFLOW_ID}`);
  // Where it was a bare definition, parseWorkflowFile has refused it: there is no ID.
  const { base = null, publish = [], schedules = null } = isRecord(content) ? content : {};
  if (base !== null && !(typeof base === 'string' && HASH.test(base)))
    throw invalid(name, '"base" must be the hash of a version, 40 hexadecimal digits');
  if (!Array.isArray(publish) || !publish.every((one): one is Environment => isOneOf(ENVIRONMENTS, one)))
    throw invalid(name, `"publish" must be a list of environments: ${ENVIRONMENTS.join(', ')}`);
  const fault = schedules === null ? null : schedulesFault(schedules);
  if (fault !== null) throw invalid(name, fault);
  return { ...workflow, file: name, format, base, publish, schedules: schedules as readonly FileSchedule[] | null };
}

/** The text of a file; the same content is always the same text, so that a diff shows changes alone. */
export async function fileText(content: CodeContent, format: FileFormat): Promise<string> {
  const { id, name, description, base, publish, schedules, sample, definition } = content;
  const members: [string, unknown][] = [
    ['id', id],
    ['name', name],
    ...(description === null ? [] : [['description', description] as [string, unknown]]),
    ...(base === null ? [] : [['base', base] as [string, unknown]]),
    ...(publish.length === 0 ? [] : [['publish', publish] as [string, unknown]]),
    ...(schedules === null ? [] : [['schedules', schedules] as [string, unknown]]),
    ...(sample.length === 0 ? [] : [['sample', sample] as [string, unknown]]),
    ['definition', definition],
  ];
  if (format === 'yaml') return writeYaml(members);
  const lines = members.map(([key, value]) => `  ${JSON.stringify(key)}: ${indented(canonicalJson(value).trimEnd())}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const indented = (json: string): string => json.replaceAll('\n', '\n  ');

/** Numbers keep their digits: those that a double cannot hold are raw, as from JSON. */
async function parseYaml(text: string): Promise<unknown> {
  const { isScalar, parseDocument, visit } = await import('yaml');
  // It compares each key with each other one, which takes minutes where somebody writes very many.
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true, uniqueKeys: false });
  const [fault] = document.errors;
  if (fault) throw fault;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) throw new Error('keys must be texts');
        const name = String(key.value);
        if (seen.has(name)) throw new Error(`the key ${JSON.stringify(name)} is there twice`);
        seen.add(name);
      }
    },
  });
  const parsed: unknown = document.toJS({ maxAliasCount: 1000 });
  const json = JSON.stringify(parsed, (_key, value: unknown) =>
    typeof value === 'bigint' ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value)) : value,
  );
  return parseJson(json ?? 'null');
}

async function writeYaml(members: readonly [string, unknown][]): Promise<string> {
  const { Document } = await import('yaml');
  const sorted = Object.fromEntries(members.map(([key, value]) => [key, plain(value)]));
  return new Document(sorted, { aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}

/** For YAML: members in canonical order, whole numbers as they came. A long fraction it would change, and is refused. */
function plain(value: unknown): unknown {
  if (isRawNumber(value)) {
    if (/^-?\d+$/.test(value.rawJSON)) return BigInt(value.rawJSON);
    throw new Fault('FILE_INVALID', `YAML cannot hold the number ${value.rawJSON} exactly: use --format json`);
  }
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, plain(value[key])]),
  );
}

/** One text for the same definition, whatever the order of its members. */
export const definitionText = (definition: Definition): string => canonicalJson(definition);

const invalid = (file: string, why: string): Fault => new Fault('FILE_INVALID', `${file}: ${why}`);
