import type { Filter } from '../../../../lib/logsql/ast.ts';
import { parseFilterText } from '../../../../lib/logsql/parse.ts';
import { nameText, valueText } from '../../../../lib/logsql/quote.ts';
import { looseTokensOf, type Token } from '../../../../lib/logsql/tokens.ts';

/** The query that also asks for (or, with `negate`, without) records whose field has this value. Asked twice it stays as it is. */
export function withFilter(query: string, field: string, value: string, negate: boolean): string {
  const [filters, pipes] = cutAtPipe(withoutComments(query));
  // An empty value matches records without the field.
  const filter = value === '' ? `${nameText(field)}:""` : `${nameText(field)}:=${valueText(value)}`;
  const opposite = negate ? filter : `NOT ${filter}`;
  const wanted = negate ? `NOT ${filter}` : filter;
  // With an OR that stands in no parentheses the whole is one part: a new filter must not become one of its sides.
  const parts = outside(filters).some(isWord('or')) ? [`(${filters.trim()})`] : topLevelParts(filters);
  if (parts.includes(wanted)) return query;
  const kept = parts.filter((part) => part !== opposite && part !== '*');
  return `${[...kept, wanted].join(' AND ')}${pipes}`;
}

/** Comments run to the end of the line: a filter behind one would be a part of it. */
export function withoutComments(query: string): string {
  let text = '';
  let from = 0;
  for (const { at, end } of looseTokensOf(query)) {
    text += query.slice(from, at).replaceAll(/#[^\n]*/g, '') + query.slice(at, end);
    from = end;
  }
  return text;
}

/** True where a query makes rows of its own from what its filters leave. */
export const hasPipes = (query: string): boolean => /[^|\s]/.test(cutAtPipe(query)[1].replace('|', ''));

/** The filters of a query, and its pipes with the space before them. */
export function cutAtPipe(query: string): readonly [filters: string, pipes: string] {
  const pipe = outside(query).find(({ kind, text }) => kind === 'sign' && text === '|');
  return pipe === undefined ? [query, ''] : [query.slice(0, pipe.at), ` ${query.slice(pipe.at)}`];
}

/** The parts between ANDs that stand in no parentheses. */
function topLevelParts(query: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const token of outside(query).filter(isWord('and'))) {
    parts.push(query.slice(from, token.at).trim());
    from = token.end;
  }
  parts.push(query.slice(from).trim());
  return parts.filter((part) => part !== '');
}

/** What stands in no brackets. A range may begin with `[` and end with `)`: of which kind they are does not matter. */
function outside(query: string): Token[] {
  let depth = 0;
  return looseTokensOf(query).filter(({ kind, text }) => {
    if (kind === 'sign' && '([{'.includes(text)) depth++;
    else if (kind === 'sign' && ')]}'.includes(text)) depth = Math.max(0, depth - 1);
    else return depth === 0;
    return false;
  });
}

/** An operator, and no value such as in `name:or`. */
const isWord = (word: 'and' | 'or') => (token: Token, i: number, all: readonly Token[]) =>
  token.kind === 'word' && token.text.toLowerCase() === word && !(token.glued && all[i - 1]?.text === ':');

/** Words and phrases that a message is searched for, to mark them in it. */
export function searchedWords(query: string): string[] {
  try {
    return wordsIn(parseFilterText(cutAtPipe(withoutComments(query))[0])).filter((text) => text !== '');
  } catch {
    // Half typed, or in words that only another log store knows.
    return [];
  }
}

function wordsIn(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.flatMap(wordsIn);
  if (filter.kind !== 'field' || filter.field !== '_msg') return [];
  const { test } = filter;
  switch (test.kind) {
    case 'phrase':
    case 'exact':
    case 'substring':
      return [test.text];
    case 'seq':
      return [...test.texts];
    case 'contains_all':
    case 'contains_any':
      return [...test.values];
    default:
      return [];
  }
}
