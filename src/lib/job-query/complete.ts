import { fieldNames, findField, JOB_LANGUAGE, type QueryField, type QueryLanguage } from './fields.ts';

/** What can stand where the caret is. `from` to `to` is replaced by what is chosen; `typed` stands before the caret. */
export interface QueryCompletion<F extends string = QueryField> {
  readonly offer:
    | { readonly kind: 'fields'; readonly fields: readonly F[] }
    | { readonly kind: 'names'; readonly field: F & ('input' | 'label') }
    | { readonly kind: 'values'; readonly field: F; readonly name: string | null };
  readonly from: number;
  readonly to: number;
  readonly typed: string;
}

/** Works on every text, also one that is half typed. */
export const completeJobQuery = (text: string, caret: number): QueryCompletion =>
  completeQueryLine(text, caret, JOB_LANGUAGE);

/** The same with the fields of another list. */
export function completeQueryLine<F extends string>(
  text: string,
  caret: number,
  language: QueryLanguage<F>,
): QueryCompletion<F> {
  const start = termStart(text, caret);
  const not = text[start] === '-' ? 1 : 0;
  const from = start + not;
  const before = text.slice(from, caret);
  const colon = outsideQuotes(before, ':');
  const to = valueEnd(text, caret);
  if (colon === null) {
    const dot = before.search(/[.[]/);
    const field = dot < 0 ? null : findField(language, before.slice(0, dot));
    const behind = text[to] === ':' ? to + 1 : to;
    if (field !== null && isNamed(field))
      return { offer: { kind: 'names', field }, from: from + dot + 1, to: behind, typed: before.slice(dot + 1) };
    const fields = fieldNames(language).filter((one) => one.toLowerCase().startsWith(before.toLowerCase()));
    return { offer: { kind: 'fields', fields }, from, to: behind, typed: before };
  }
  const [name = ''] = [before.slice(0, colon)];
  const dot = name.search(/[.[]/);
  const field = findField(language, dot < 0 ? name : name.slice(0, dot));
  if (field === null) return { offer: { kind: 'fields', fields: [] }, from, to, typed: before };
  const values = before.slice(colon + 1);
  const comma = outsideQuotes(values, ',', true);
  const last = values.slice(comma === null ? 0 : comma + 1);
  const op = /^(?:>=|<=|>|<|~|=)?"?/.exec(last)?.[0] ?? '';
  const plainOp = op.replace('"', '');
  return {
    offer: {
      kind: 'values',
      field,
      name:
        language.fields[field].named === undefined || dot < 0 ? null : name.slice(name[dot] === '.' ? dot + 1 : dot),
    },
    from: caret - last.length + plainOp.length,
    to,
    typed: last.slice(op.length),
  };
}

const isNamed = <F extends string>(field: F): field is F & ('input' | 'label') =>
  field === 'input' || field === 'label';

/** Where the term that the caret is in begins: behind the last space that stands in no quotes. */
function termStart(text: string, caret: number): number {
  let quoted = false;
  let start = 0;
  for (let at = 0; at < caret; at++) {
    const char = text.charAt(at);
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(char)) start = at + 1;
  }
  return start;
}

function outsideQuotes(text: string, wanted: string, last = false): number | null {
  let quoted = false;
  let found: number | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === wanted) {
      if (!last) return at;
      found = at;
    }
  }
  return found;
}

function valueEnd(text: string, caret: number): number {
  let to = caret;
  while (to < text.length && !/[\s,:"]/.test(text.charAt(to))) to++;
  return text[to] === '"' && to > caret ? to + 1 : to;
}
