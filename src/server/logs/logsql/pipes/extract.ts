import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { compileRegex } from '../regex/regex.ts';
import type { Run, Stage } from '../run-context.ts';
import { editStage } from './edit.ts';
import { unquote } from './unpack.ts';

interface Step {
  /** '' or `_`: passed over. */
  readonly name: string;
  readonly plain: boolean;
  /** The text behind the placeholder; '': it goes to the end. */
  readonly until: string;
}

/** `extract "a <x> b <y>"`: what stands where the placeholders are. */
export function extractStage(pipe: PipeOf<'extract' | 'extract_regexp'>, run: Run): Stage {
  const { head, steps } = readPattern(pipe.pattern);
  return editStage(pipe, run, () => (row) => {
    const found = extract(row.get(pipe.from), head, steps);
    for (const { name } of steps) if (name !== '' && name !== '_') row.set(name, found?.get(name) ?? '');
  });
}

function readPattern(pattern: string): { head: string; steps: Step[] } {
  const [head = '', ...rest] = pattern.split(/<([^<>]*)>/);
  const steps: Step[] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const plain = (rest[i] ?? '').startsWith('plain:');
    steps.push({
      name: plain ? (rest[i] ?? '').slice(6) : (rest[i] ?? ''),
      plain,
      until: entities(rest[i + 1] ?? ''),
    });
  }
  return { head: entities(head), steps };
}

const entities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Null where the beginning is not there; what was found before a missing text counts. */
function extract(text: string, head: string, steps: readonly Step[]): Map<string, string> | null {
  const start = text.indexOf(head);
  if (start < 0) return null;
  let at = start + head.length;
  const found = new Map<string, string>();
  for (const { name, plain, until } of steps) {
    const quoted = plain ? null : quotedAt(text, at);
    if (quoted !== null && text.startsWith(until, quoted.end)) {
      found.set(name, quoted.text);
      at = quoted.end + until.length;
      continue;
    }
    const end = until === '' ? text.length : text.indexOf(until, at);
    if (end < 0) return found;
    found.set(name, text.slice(at, end));
    at = end + until.length;
  }
  return found;
}

function quotedAt(text: string, at: number): { text: string; end: number } | null {
  if (text[at] !== '"') return null;
  const match = /"((?:[^"\\]|\\.)*)"/sy;
  match.lastIndex = at;
  const inner = match.exec(text)?.[1];
  return inner === undefined ? null : { text: unquote(inner), end: at + inner.length + 2 };
}

/** `extract_regexp "(?P<x>…)"`: what the named groups of the first match hold. */
export function extractRegexpStage(pipe: PipeOf<'extract' | 'extract_regexp'>, run: Run): Stage {
  const regex = compileRegex(pipe.pattern);
  const names = [...pipe.pattern.matchAll(/\(\?P?<(\w+)>/g)].map(([, name = '']) => name);
  return editStage(pipe, run, () => (row) => {
    const matcher = regex.matcher(row.get(pipe.from));
    const found = matcher.find();
    for (const name of names) row.set(name, found ? (matcher.group(name) ?? '') : '');
  });
}
