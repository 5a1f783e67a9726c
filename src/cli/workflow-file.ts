import { isRecord } from '../lib/is-record.ts';
import { readFileSync } from 'node:fs';
import type { Definition } from '../contract/definition.ts';
import { errorCode, errorMessage } from '../lib/errors.ts';
import { Fault } from '../lib/fault.ts';
import { parseJson } from '../lib/json.ts';
import type { ProcessIo } from './process-io.ts';

/** A workflow as a file (resources/examples/README.md). */
export interface WorkflowFile {
  id: string;
  name: string;
  description: string | null;
  sample: unknown[];
  /** As it stands in the file: the master checks it. */
  definition: Definition;
}

/** Text of a file, or of standard input where it is `-`. */
export async function readText(file: string, io: Pick<ProcessIo, 'stdin'>): Promise<string> {
  if (file === '-') return io.stdin();
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Fault('FILE_UNREADABLE', `could not read ${file} (${errorCode(error) ?? errorMessage(error)})`, {
      cause: error,
    });
  }
}

/** JSON of a file; numbers keep their digits. What it is said to be the master checks. */
export async function readJson<T = unknown>(file: string, io: Pick<ProcessIo, 'stdin'>): Promise<T> {
  const text = await readText(file, io);
  try {
    return parseJson<T>(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Fault(
      'INVALID_JSON',
      `${file === '-' ? 'standard input' : file} is not valid JSON: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

/** As far as a file tells: the master checks the rest. */
const isDefinition = (value: unknown): value is Definition => isRecord(value);

/** The definition in a file: bare, or within a workflow file. */
export function findDefinition(content: unknown): unknown {
  return isRecord(content) && 'definition' in content && !('nodes' in content) ? content['definition'] : content;
}

/** A workflow file, or a bare definition with the id given. */
export function parseWorkflowFile(content: unknown, file: string, id: string | undefined): WorkflowFile {
  const definition = findDefinition(content);
  const around = isRecord(content) && definition !== content ? content : {};
  const found = id ?? around['id'];
  if (!isDefinition(definition) || typeof found !== 'string')
    throw new Fault(
      'FILE_INVALID',
      `${file} is not a workflow file: expected an object with "id", "name" and "definition"; for a bare definition, set --id`,
    );
  const name = around['name'] ?? definition.name;
  return {
    id: found,
    name: typeof name === 'string' && name !== '' ? name : found,
    description: typeof around['description'] === 'string' ? around['description'] : null,
    sample: Array.isArray(around['sample']) ? around['sample'] : [],
    definition,
  };
}
