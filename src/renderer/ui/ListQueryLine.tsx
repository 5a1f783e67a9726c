import type { ReactNode } from 'react';
import { completeQueryLine } from '../../lib/job-query/complete.ts';
import type { QueryLanguage } from '../../lib/job-query/fields.ts';
import { type ListFilters, parseListQuery, printListQuery } from '../../lib/job-query/list-query.ts';
import { queryValue } from '../../lib/job-query/print.ts';
import { type Completion, useCompletionText } from './CompletionInput.tsx';
import { QueryInput } from './QueryInput.tsx';

const MOST = 12;

/** The filters of a list as a query line, in the way that the list of jobs has one: it and the fields beside it say the same. */
export function ListQueryLine<F extends string>({
  language,
  filters,
  hints,
  known,
  placeholder,
  onChange,
}: {
  language: QueryLanguage<F>;
  filters: ListFilters<F>;
  /** What a field is, beside its name. */
  hints: Readonly<Record<F, string>>;
  /** Values to offer for fields that take any. */
  known: { readonly [K in F]?: readonly string[] };
  placeholder: string;
  onChange(filters: ListFilters<F>): void;
}): ReactNode {
  const value = printListQuery(filters, language);
  const typed = useCompletionText(value);
  const { text, caret, open } = typed;
  function suggest(): Completion[] {
    const { offer, from, to, typed: word } = completeQueryLine(text, caret, language);
    if (offer.kind === 'names') return [];
    if (offer.kind === 'fields')
      return offer.fields.map((field) => ({
        label: `${field}:`,
        insert: `${field}:`,
        from,
        to,
        hint: hints[field],
      }));
    const values = language.fields[offer.field].words ?? known[offer.field] ?? [];
    const low = word.toLowerCase();
    return values
      .filter((one) => one !== word && one.toLowerCase().includes(low))
      .map((one) => ({ label: one, insert: `${queryValue(one)} `, from, to, hint: hints[offer.field] }));
  }
  return (
    <QueryInput
      value={value}
      typed={typed}
      suggestions={open ? suggest().slice(0, MOST) : []}
      errorOf={(line) => {
        const parsed = parseListQuery(line, language);
        return parsed.ok ? null : parsed.error;
      }}
      onRun={(line) => {
        const parsed = parseListQuery(line, language);
        if (parsed.ok) onChange(parsed.filters);
      }}
      placeholder={placeholder}
      beside
    />
  );
}
