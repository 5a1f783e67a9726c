import { Button, Group } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { type LogFilters, logFieldsQuery, logValuesQuery } from '../../../api/logs.ts';
import { CompletionInput, useCompletionText } from '../../../ui/CompletionInput.tsx';
import { describeError } from '../../../ui/error-text.ts';
import { fieldAt, suggest } from './complete.ts';
import css from './QueryBar.module.css';

export interface QueryBarProps {
  /** The query that is shown now. */
  readonly value: string;
  onRun(query: string): void;
  /** Fields and values of what they leave are offered; the query itself is left out. */
  readonly filters: LogFilters;
  /** Why the query that is shown now is refused, with the place in it. */
  readonly fault: { readonly error: unknown; readonly position: number | null; readonly query: string } | null;
}

/** LogsQL with completion. Enter runs what is typed, Tab completes it. */
export function QueryBar({ value, onRun, filters, fault }: QueryBarProps): ReactNode {
  const typed = useCompletionText(value);
  const { text, caret, open } = typed;
  const known = useKnown(filters, open, text, caret);
  const suggestions = open ? suggest(text, caret, known) : [];
  const run = (query: string) => onRun(query.trim());
  const failure = fault ? describeError(fault.error) : null;
  return (
    <Group gap={8} flex="1 1 420px" miw={0}>
      <CompletionInput
        typed={typed}
        suggestions={suggestions}
        // A field wants its value next.
        isWhole={(inserted) => !inserted.endsWith(':')}
        onRun={run}
        label={t('LogsQL query')}
        placeholder='level:ERROR AND "no article"    words, phrases, field:value, AND, OR, NOT, _time:5m'
        icon={<IconSearch size={14} aria-hidden />}
        errorId={fault === null ? null : 'query-fault'}
        className={css['input']}
        textClass={css['text']}
      />
      <Button
        onClick={() => {
          typed.combobox.closeDropdown();
          run(text);
        }}
      >
        {t('Search')}
      </Button>
      {fault !== null && failure && (
        <div id="query-fault" role="alert" className={css['fault']}>
          {fault.position !== null && (
            <pre aria-hidden>
              {fault.query.slice(0, fault.position)}
              <mark>{fault.query.slice(fault.position).match(/^(\s*\S+)/)?.[0] ?? ' '}</mark>
              {fault.query.slice(
                fault.position + (fault.query.slice(fault.position).match(/^(\s*\S+)/)?.[0].length ?? 0),
              )}
            </pre>
          )}
          <span>{failure.detail || failure.title}</span>
        </div>
      )}
    </Group>
  );
}

const MAX_FIELDS = 300;
const MAX_VALUES = 200;

/** What the store has to complete with: its fields, and the values of the field that the caret is in. */
function useKnown(
  filters: LogFilters,
  open: boolean,
  text: string,
  caret: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  // Times that move on with each search would ask anew for the same.
  const scope = {
    job_id: filters.job_id,
    task_id: filters.task_id,
    worker_id: filters.worker_id,
    source: filters.source,
  };
  const at = fieldAt(text, caret);
  const fields = useQuery({ ...logFieldsQuery({ ...scope, limit: MAX_FIELDS }), enabled: open });
  const asked = at !== null && at.field !== '_time' && at.field !== '_msg';
  const first = useQuery({
    ...logValuesQuery({ ...scope, field: at?.field ?? '', limit: MAX_VALUES }),
    enabled: open && asked,
  });
  const typed = at?.typed ?? '';
  const narrow = useQuery({
    ...logValuesQuery({ ...scope, field: at?.field ?? '', contains: typed, limit: MAX_VALUES }),
    enabled: open && asked && typed !== '' && first.data?.complete === false,
  });
  return useMemo(() => {
    const known = new Map<string, ReadonlySet<string>>(
      fields.data?.values
        .filter(({ value }) => !value.startsWith('_stream'))
        .map(({ value }) => [value, new Set<string>()]),
    );
    if (at !== null)
      known.set(
        at.field,
        new Set(
          [...(first.data?.values ?? []), ...(narrow.data?.values ?? [])]
            .map(({ value }) => value)
            .filter((value) => value !== '' && value.length <= 200),
        ),
      );
    return known;
  }, [fields.data, first.data, narrow.data, at?.field]);
}
