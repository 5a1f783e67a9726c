import { t } from '../language.ts';
import { fieldNames, type QueryLanguage } from './fields.ts';
import { parseQueryLine, type QueryError } from './parse.ts';
import { queryValue } from './print.ts';

/** The filters of a list that a query line says: the values of each field. */
export type ListFilters<F extends string> = { readonly [K in F]?: readonly string[] };
export type ParsedListQuery<F extends string> =
  | { readonly ok: true; readonly filters: ListFilters<F> }
  | { readonly ok: false; readonly error: QueryError };

/**
 * The query line of a list that has filters and no query of its own, such as `status:resolved node:charge timed out`: all of its
 * fields are `single` or `several`, and each stands in it once. What is wrong is told with its place.
 */
export function parseListQuery<F extends string>(text: string, language: QueryLanguage<F>): ParsedListQuery<F> {
  const parsed = parseQueryLine(text, language);
  if (!parsed.ok) return parsed;
  const filters: { [K in F]?: string[] } = {};
  for (const [index, { field, tests }] of parsed.terms.entries()) {
    const values = tests.flatMap((test) => ('value' in test ? [test.value] : []));
    const before = filters[field];
    const place = parsed.places[index];
    // Words beside each other are one text.
    if (before !== undefined && field === language.words) filters[field] = [[...before, ...values].join(' ')];
    else if (before !== undefined && place)
      return { ok: false, error: { message: t('{field} is set twice', { field }), ...place } };
    else filters[field] = values;
  }
  return { ok: true, filters };
}

/** The line that says these filters; the text that words stand for comes last, as it was typed. */
export function printListQuery<F extends string>(filters: ListFilters<F>, language: QueryLanguage<F>): string {
  const terms = fieldNames(language).flatMap((field) => {
    const values = filters[field];
    if (field === language.words || values === undefined || values.length === 0) return [];
    return [`${field}:${values.map(queryValue).join(',')}`];
  });
  const words = filters[language.words]?.[0] ?? '';
  if (words === '') return terms.join(' ');
  const again = parseListQuery(words, language);
  const isPlain = again.ok && again.filters[language.words]?.[0] === words && Object.keys(again.filters).length === 1;
  return [...terms, isPlain ? words : `${language.words}:${queryValue(words)}`].join(' ');
}
