import type { StreamTag } from '../../../../lib/logsql/ast.ts';
import { regexTest } from '../regex/regex.ts';

/** The labels of a stream, from `{a="1",b="2"}`. */
export function labelsOf(stream: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const [, name = '', value = ''] of stream.matchAll(/([^{},="]+|"(?:[^"\\]|\\.)*")="((?:[^"\\]|\\.)*)"/g))
    labels.set(unquoted(name), unescaped(value));
  return labels;
}

const unquoted = (name: string): string => (name.startsWith('"') ? unescaped(name.slice(1, -1)) : name);
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(.)/gs, (_, c: string) => (c === 'n' ? '\n' : c === 't' ? '\t' : c === 'r' ? '\r' : c))
    : text;

/** A test of `_stream`: one of the groups holds, of which all tags hold. A missing label is ''. */
export function streamTest(groups: readonly (readonly StreamTag[])[]): (stream: string) => boolean {
  const tests = groups.map((tags) => tags.map((tag) => ({ name: tag.name, passes: tagTest(tag) })));
  const known = new Map<string, boolean>();
  return (stream) => {
    let result = known.get(stream);
    if (result === undefined) {
      const labels = labelsOf(stream);
      result = tests.some((tags) => tags.every(({ name, passes }) => passes(labels.get(name) ?? '')));
      if (known.size < 10_000) known.set(stream, result);
    }
    return result;
  };
}

function tagTest({ op, values }: StreamTag): (value: string) => boolean {
  const first = values[0] ?? '';
  switch (op) {
    case '=':
      return (value) => value === first;
    case '!=':
      return (value) => value !== first;
    case 'in':
      return (value) => values.includes(value);
    case 'not_in':
      return (value) => !values.includes(value);
    default: {
      const matches = regexTest(first, true);
      return op === '=~' ? matches : (value) => !matches(value);
    }
  }
}
