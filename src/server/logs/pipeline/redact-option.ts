import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { NamedSecret } from '../../../lib/redact.ts';

/** Values that a pipeline without a master takes out of lines: `NAME=VALUE` lines of a file, or the files of a folder, as orchestrators mount secrets. Throws USAGE. */
export function readRedactedValues(path: string): NamedSecret[] {
  let found: NamedSecret[];
  try {
    found = statSync(path).isDirectory() ? ofFolder(path) : ofFile(path);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('USAGE', `--redact ${path} cannot be read: ${errorMessage(error)}`);
  }
  const short = found.find(({ value }) => value.length < MIN_REDACTED_CHARACTERS);
  if (short !== undefined)
    throw new Fault(
      'USAGE',
      `--redact ${path}: the value of ${short.name} has fewer than ${MIN_REDACTED_CHARACTERS} characters, which too many other texts contain`,
    );
  return found;
}

function ofFile(path: string): NamedSecret[] {
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line, i) => {
      const at = line.indexOf('=');
      if (at <= 0) throw new Fault('USAGE', `--redact ${path}: line ${i + 1} must be NAME=VALUE`);
      return { name: line.slice(0, at).trim(), value: line.slice(at + 1) };
    });
}

/** Names with a dot at their beginning are how Kubernetes keeps the versions of a secret. */
const ofFolder = (path: string): NamedSecret[] =>
  readdirSync(path)
    .filter((name) => !name.startsWith('.') && statSync(join(path, name)).isFile())
    .map((name) => ({ name, value: readFileSync(join(path, name), 'utf8').replace(/\r?\n$/, '') }));

const LOOK_MS = 10_000;

/** Reads them now, which throws, and again and again: what can no longer be read stays as it was. `take`: hears of each change. */
export function watchRedactedValues(
  path: string,
  take: (values: NamedSecret[]) => void,
  log: (line: string) => void,
  everyMs = LOOK_MS,
): () => void {
  let known = readRedactedValues(path);
  let isTold = false;
  take(known);
  const timer = setInterval(() => {
    try {
      const now = readRedactedValues(path);
      isTold = false;
      if (JSON.stringify(now) === JSON.stringify(known)) return;
      known = now;
      take(known);
    } catch (error) {
      if (!isTold) log(`${errorMessage(error)}; the values read before stay in force`);
      isTold = true;
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}
