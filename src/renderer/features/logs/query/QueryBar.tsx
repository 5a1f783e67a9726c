import { Button, CloseButton, Combobox, Flex, Group, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../../../lib/language.ts';
import { type LogFilters, logFieldsQuery, logValuesQuery } from '../../../api/logs.ts';
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
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  useEffect(() => {
    setText(value);
    setCaret(value.length);
  }, [value]);
  const known = useKnown(filters, combobox.dropdownOpened, text, caret);
  const suggestions = combobox.dropdownOpened ? suggest(text, caret, known) : [];

  function take(index: string) {
    const one = suggestions[Number(index)];
    if (!one) return;
    const next = text.slice(0, one.from) + one.insert + text.slice(one.to);
    const at = one.from + one.insert.length;
    // The caret is put where it belongs before the next key is: a frame later it would go back behind what was typed meanwhile.
    flushSync(() => {
      setText(next);
      setCaret(at);
      combobox.resetSelectedOption();
      // A field wants its value next: the list stays open.
      if (!one.insert.endsWith(':')) combobox.closeDropdown();
    });
    input.current?.focus();
    input.current?.setSelectionRange(at, at);
  }
  function run(query: string) {
    combobox.closeDropdown();
    onRun(query.trim());
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.defaultPrevented) return;
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) {
      event.preventDefault();
      run(text);
    }
    // As in a shell; with Escape the list is gone, and Tab leads on to the next control.
    if (event.key === 'Tab' && !event.shiftKey && suggestions.length > 0 && text.trim() !== '') {
      event.preventDefault();
      take(String(Math.max(0, combobox.getSelectedOptionIndex())));
    }
  }
  const failure = fault ? describeError(fault.error) : null;
  return (
    <Group gap={8} flex="1 1 420px" miw={0}>
      <Combobox store={combobox} onOptionSubmit={take} withinPortal shadow="md">
        <Combobox.Target>
          <TextInput
            ref={input}
            data-filter
            className={css['input'] ?? ''}
            classNames={{ input: css['text'] ?? '' }}
            aria-label={t('LogsQL query')}
            placeholder='level:ERROR AND "no article"    words, phrases, field:value, AND, OR, NOT, _time:5m'
            spellCheck={false}
            autoComplete="off"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={text}
            error={fault !== null}
            aria-describedby={fault ? 'query-fault' : undefined}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
              combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={onKeyDown}
            {...(text === ''
              ? {}
              : { rightSection: <CloseButton size="sm" aria-label={t('Clear query')} onClick={() => run('')} /> })}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={suggestions.length === 0}>
          <Combobox.Options aria-label={t('Suggestions')}>
            {suggestions.map((one, index) => (
              <Combobox.Option key={one.label} value={String(index)}>
                <Flex component="span" gap={20} justify="space-between" fz={12.5}>
                  <span className="mono">{one.label}</span>
                  <span className="dim">{one.hint}</span>
                </Flex>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Button onClick={() => run(text)}>{t('Search')}</Button>
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
