import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../lib/fault.ts';
import type { Handlers } from './api.ts';
import { checkHandlers } from './options.ts';

/** The handlers of an ES module (`yardmaster worker --handlers FILE`). Throws `USAGE` with what is wrong with the file. */
export async function loadHandlers(file: string): Promise<Handlers> {
  const path = resolve(file);
  if (!existsSync(path)) throw new Fault('USAGE', `handlers file ${path} not found`);
  let module: { handlers?: unknown };
  try {
    module = await import(/* @vite-ignore */ pathToFileURL(path).href);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    throw new Fault(
      'USAGE',
      `could not load handlers file ${path}: ${name}: ${message}${name === 'SyntaxError' ? syntaxErrorPosition(path) : ''}`,
      { cause: error },
    );
  }
  const { handlers } = module;
  if (handlers === undefined)
    throw new Fault(
      'USAGE',
      `handlers file ${path} must export \`handlers\`; it exports ${Object.keys(module).join(', ') || 'nothing'}. Write: export const handlers = { name: async (input, ctx) => output }`,
    );
  const invalid = (why: string) => new Fault('USAGE', `handlers file ${path} is not valid: ${why}`);
  const checked = checkHandlers(handlers);
  if (typeof checked === 'string') throw invalid(checked);
  if (Object.keys(checked).length === 0) throw invalid('handlers is empty: it must contain at least one function');
  return checked;
}

/** Where a file does not parse: the error itself does not say, a check by Node does. */
function syntaxErrorPosition(path: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  const [, file, line] = /^(?:file:\/\/)?(\/?\S.*?):(\d+)$/m.exec(stderr) ?? [];
  return file === undefined ? '' : ` (${file}, line ${line})`;
}
