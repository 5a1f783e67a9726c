import { stripAnsi } from '../../../../lib/strip-ansi.ts';
import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import { compileRegex } from '../regex/regex.ts';
import type { Run, Stage } from '../run-context.ts';
import { editStage, joinValue, refuseLonger, type RowEdit, VALUE_CHARS } from './edit.ts';
import { fits } from './simple.ts';
import { itemsOf } from './unroll.ts';

/** What may stand before a field of a format. */
const WAYS: Readonly<Record<string, (value: string) => string>> = {
  q: (value) => JSON.stringify(value),
  uc: (value) => value.toUpperCase(),
  lc: (value) => value.toLowerCase(),
  urlencode: (value) => encodeURIComponent(value.toWellFormed()),
};

/** `format "…<f>…<q:f>" as x`. */
export function formatStage(pipe: PipeOf<'format'>, run: Run): Stage {
  const parts = pipe.pattern.split(/<([^<>]*)>/).map((text, i): ((row: RowEdit) => string) => {
    if (i % 2 === 0) return () => text;
    const [way = '', ...rest] = text.split(':');
    const change = rest.length > 0 && Object.hasOwn(WAYS, way) ? WAYS[way] : undefined;
    const field = change === undefined ? text : rest.join(':');
    return change === undefined ? (row) => row.get(field) : (row) => change(row.get(field));
  });
  return editStage(pipe, run, () => (row) => row.set(pipe.as, joinValue(valuesOf(parts, row), '', pipe.as)));
}

function* valuesOf(parts: readonly ((row: RowEdit) => string)[], row: RowEdit): Generator<string> {
  for (const part of parts) yield part(row);
}

/** `replace ("a", "b") at f`, `replace_regexp`: all occurrences, or the first few. */
export function replaceStage(pipe: PipeOf<'replace' | 'replace_regexp'>, run: Run): Stage {
  const { find, by, at, limit } = pipe;
  const most = limit ?? Number.POSITIVE_INFINITY;
  const change =
    pipe.kind === 'replace'
      ? (text: string) => replaceText(text, { find, by, most, at })
      : regexReplacer({ find, by, most, at });
  return editStage(pipe, run, () => (row) => {
    const old = row.get(at);
    const value = change(old);
    if (value !== old) row.set(at, value);
  });
}

interface Replacing {
  readonly find: string;
  readonly by: string;
  readonly most: number;
  readonly at: string;
}

function replaceText(text: string, { find, by, most, at: field }: Replacing): string {
  if (find === '' || most === 0) return text;
  const longest = (text.length / find.length) * Math.max(by.length, find.length);
  if (most === Number.POSITIVE_INFINITY && longest <= VALUE_CHARS) return text.replaceAll(find, () => by);
  let out = '';
  let from = 0;
  for (let n = 0; n < most; n++) {
    const at = text.indexOf(find, from);
    if (at < 0) break;
    out += text.slice(from, at) + by;
    refuseLonger(out.length, field);
    from = at + find.length;
  }
  return out + text.slice(from);
}

/** `$1` and `${name}` in the replacement stand for groups. */
function regexReplacer({ find, by, most, at }: Replacing): (text: string) => string {
  const regex = compileRegex(find);
  const parts = by.split(/\$(?:(\d{1,2})|\{(\w+)\})/);
  return (text) => {
    const matcher = regex.matcher(text);
    let out = '';
    let from = 0;
    for (let n = 0; n < most && matcher.find(); n++) {
      out += text.slice(from, matcher.start());
      for (let i = 0; i < parts.length; i += 3) {
        out += parts[i] ?? '';
        const name = parts[i + 1] ?? parts[i + 2];
        if (name !== undefined) out += groupOf(matcher, name);
      }
      refuseLonger(out.length, at);
      from = matcher.end();
    }
    return out + text.slice(from);
  };
}

function groupOf(matcher: ReturnType<ReturnType<typeof compileRegex>['matcher']>, name: string): string {
  try {
    return matcher.group(/^\d+$/.test(name) ? Number(name) : name) ?? '';
  } catch {
    // There is no such group: it is empty.
    return '';
  }
}

/** `len(f) as x`: bytes. */
export const lenStage = (pipe: PipeOf<'len'>, run: Run): Stage =>
  editStage({ condition: null }, run, () => (row) => row.set(pipe.as, String(Buffer.byteLength(row.get(pipe.field)))));

/** `json_array_len(f) as x`: items of a JSON array; 0 of what is none. */
export const arrayLenStage = (pipe: PipeOf<'json_array_len'>, run: Run): Stage =>
  editStage({ condition: null }, run, () => (row) => row.set(pipe.as, String(itemsOf(row.get(pipe.field)).length)));

/** `decolorize f`. */
export function decolorizeStage({ field }: PipeOf<'decolorize'>, run: Run): Stage {
  return editStage({ condition: null }, run, () => (row) => {
    const old = row.get(field);
    if (old.includes('\x1b')) row.set(field, stripAnsi(old));
  });
}

/** A value of logfmt: in quotes where it has blanks, quotes or backslashes. */
// eslint-disable-next-line no-control-regex -- Control characters need the quotes too.
const logfmtValue = (value: string): string => (/[\0- "\\]/.test(value) ? JSON.stringify(value) : value);

/** `pack_json`, `pack_logfmt`: the fields of a row as one text in one field. */
export function packStage(pipe: PipeOf<'pack_json' | 'pack_logfmt'>, run: Run): Stage {
  const json = pipe.kind === 'pack_json';
  return editStage({ condition: null }, run, (frame) => {
    const names = frame.names
      .filter((name) => pipe.fields.length === 0 || pipe.fields.some((pattern) => fits(pattern, name)))
      .toSorted();
    return (row) => {
      const packed = joinValue(pairsOf(names, row, json), json ? ',' : ' ', pipe.as);
      row.set(pipe.as, json ? `{${packed}}` : packed);
    };
  });
}

function* pairsOf(names: readonly string[], row: RowEdit, json: boolean): Generator<string> {
  for (const name of names) {
    const value = row.get(name);
    if (value !== '') yield json ? `${JSON.stringify(name)}:${JSON.stringify(value)}` : `${name}=${logfmtValue(value)}`;
  }
}
