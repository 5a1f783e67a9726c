import type { Filter, Pipe } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { badQuery } from './tokens.ts';

export type FilterAt = (cursor: Cursor) => Filter;

/** Pipes that make fields of texts and texts of fields. */
export const TEXT_PIPES = [
  'unpack_json',
  'unpack_logfmt',
  'extract',
  'extract_regexp',
  'format',
  'replace',
  'replace_regexp',
] as const;

/** `name [if (F)] …`, from the name on. */
export function parseTextPipe(cursor: Cursor, kind: (typeof TEXT_PIPES)[number], filterAt: FilterAt): Pipe {
  cursor.next();
  const condition = conditionAt(cursor, filterAt);
  switch (kind) {
    case 'unpack_json':
    case 'unpack_logfmt':
      return unpackAt(cursor, kind, condition);
    case 'extract':
    case 'extract_regexp': {
      const at = cursor.peek().at;
      const pattern = cursor.value('', 'a pattern in quotes');
      const fault = kind === 'extract' ? patternFault(pattern) : null;
      if (fault !== null) throw badQuery(at, fault);
      if (kind === 'extract_regexp') cursor.checkRegex(pattern, at);
      return { kind, condition, pattern, from: cursor.word('from') ? cursor.name() : '_msg', ...flagsAt(cursor) };
    }
    case 'format': {
      const pattern = cursor.value('', 'a format in quotes');
      return { kind, condition, pattern, as: cursor.word('as') ? cursor.name() : '_msg', ...flagsAt(cursor) };
    }
    case 'replace':
    case 'replace_regexp': {
      cursor.expect('(', `behind ${kind}`);
      const start = cursor.peek().at;
      const find = cursor.value('-./+$:', 'the text to replace');
      if (kind === 'replace_regexp') cursor.checkRegex(find, start);
      cursor.expect(',', 'between the two strings');
      const by = cursor.value('-./+$:', 'the replacement text');
      cursor.expect(')', 'after the two strings');
      const at = cursor.word('at') ? cursor.name() : '_msg';
      return { kind, condition, find, by, at, limit: cursor.word('limit') ? cursor.count('how many times') : null };
    }
  }
}

/** `if (F)`, if it stands here. */
export function conditionAt(cursor: Cursor, filterAt: FilterAt): Filter | null {
  if (!cursor.isWord('if') || !cursor.isSign('(', 1)) return null;
  cursor.next();
  cursor.next();
  const condition: Filter = cursor.isSign(')') ? { kind: 'all' } : filterAt(cursor);
  cursor.expect(')', 'at the end of the condition');
  return condition;
}

function unpackAt(cursor: Cursor, kind: 'unpack_json' | 'unpack_logfmt', condition: Filter | null): Pipe {
  const from = cursor.word('from') ? cursor.name() : '_msg';
  let fields: string[] = [];
  if (cursor.word('fields')) {
    cursor.expect('(', 'before the names of fields');
    fields = cursor.upToBrace('between two fields', () => cursor.name());
  }
  const prefix = cursor.word('result_prefix') ? cursor.value('-./+$', 'a prefix') : '';
  return { kind, condition, from, fields, prefix, ...flagsAt(cursor) };
}

function flagsAt(cursor: Cursor): { keep: boolean; skipEmpty: boolean } {
  const keep = cursor.word('keep_original_fields');
  return { keep, skipEmpty: cursor.word('skip_empty_results') };
}

/** Two placeholders need a text between them, or no one could tell where the first ends. */
function patternFault(pattern: string): string | null {
  if (!/<[^<>]*>/.test(pattern)) return 'expected at least one placeholder such as <name> in the pattern';
  return /<[^<>]*><[^<>]*>/.test(pattern) ? 'expected text between two placeholders of the pattern' : null;
}
