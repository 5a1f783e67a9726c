import { CloseButton, Combobox, type ComboboxProps, Flex, TextInput, useCombobox } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../lib/language.ts';

/** What is offered at the caret: it replaces the text from `from` to `to`. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
}

/** The text of a query while it is typed, from the one that is shown. Suggestions hang on the text and the caret. */
export function useCompletionText(value: string) {
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  useEffect(() => {
    setText(value);
    setCaret(value.length);
  }, [value]);
  return { text, setText, caret, setCaret, combobox, open: combobox.dropdownOpened };
}

/** A line of a query language with completion. Enter runs what is typed, Tab completes it, Ctrl+Space opens the list. */
export function CompletionInput({
  typed: { text, setText, setCaret, combobox },
  suggestions,
  isWhole,
  onRun,
  onType,
  label,
  placeholder,
  icon,
  errorId,
  className,
  textClass,
  dropdown,
}: {
  typed: ReturnType<typeof useCompletionText>;
  suggestions: readonly Completion[];
  /** Nothing is expected behind what was inserted: the list closes. */
  isWhole(inserted: string): boolean;
  onRun(text: string): void;
  onType?(): void;
  label: string;
  placeholder: string;
  icon: ReactNode;
  /** The element that says what is wrong; null: nothing is. */
  errorId: string | null;
  className?: string | undefined;
  textClass: string | undefined;
  dropdown?: Pick<ComboboxProps, 'position' | 'width'>;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  // As a `LazySelect`: no list before somebody may want it.
  const [wanted, setWanted] = useState(false);

  function take(index: string) {
    const one = suggestions[Number(index)];
    if (!one) return;
    const rest = text.slice(one.to);
    const next = text.slice(0, one.from) + one.insert + (one.insert.endsWith(' ') ? rest.replace(/^ /, '') : rest);
    const at = one.from + one.insert.length;
    // The caret is put where it belongs before the next key is: a frame later it would go back behind what was typed meanwhile.
    flushSync(() => {
      setText(next);
      setCaret(at);
      combobox.resetSelectedOption();
      if (isWhole(one.insert)) combobox.closeDropdown();
    });
    input.current?.focus();
    input.current?.setSelectionRange(at, at);
  }
  function run(query: string) {
    combobox.closeDropdown();
    onRun(query);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.defaultPrevented) return;
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) {
      event.preventDefault();
      run(text);
    }
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      combobox.openDropdown();
    }
    // As in a shell; with Escape the list is gone, and Tab leads on to the next control.
    if (event.key === 'Tab' && !event.shiftKey && suggestions.length > 0 && text.trim() !== '') {
      event.preventDefault();
      take(String(Math.max(0, combobox.getSelectedOptionIndex())));
    }
  }
  return (
    <Combobox store={combobox} onOptionSubmit={take} withinPortal keepMounted={wanted} shadow="md" {...dropdown}>
      <Combobox.Target>
        <TextInput
          ref={input}
          data-filter
          className={className ?? ''}
          classNames={{ input: textClass ?? '' }}
          aria-label={label}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          leftSection={icon}
          value={text}
          error={errorId !== null}
          {...(errorId === null ? {} : { 'aria-describedby': errorId })}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
            onType?.();
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onFocus={() => setWanted(true)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={onKeyDown}
          {...(text === ''
            ? {}
            : {
                rightSection: (
                  <CloseButton
                    size="sm"
                    aria-label={t('Clear query')}
                    onClick={() => {
                      setText('');
                      run('');
                    }}
                  />
                ),
              })}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={suggestions.length === 0}>
        <Combobox.Options aria-label={t('Suggestions')}>
          {suggestions.map((one, index) => (
            <Combobox.Option key={one.label} value={String(index)}>
              <Flex component="span" gap={20} justify="space-between" fz="var(--text-small)">
                <span className="mono">{one.label}</span>
                <span className="dim">{one.hint}</span>
              </Flex>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
