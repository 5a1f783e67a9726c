import { ActionIcon, CloseButton, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconLetterCase, IconRegex } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import css from './LogPane.module.css';
import type { FindState } from './use-find.ts';
import { bindText } from '../../../ui/bind.ts';

export interface FindText {
  readonly text: string;
  readonly matchCase: boolean;
  readonly regex: boolean;
}

/** Finds in all lines that the window holds, those that are not drawn too. */
export function FindBar({
  value,
  state,
  at,
  asked,
  onChange,
  onStep,
  onClose,
}: {
  value: FindText;
  state: FindState;
  /** Place of the match that is looked at; -1: none. */ at: number;
  /** Grows each time that it is asked for. */ asked: number;
  onChange(value: FindText): void;
  onStep(by: 1 | -1): void;
  onClose(): void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [asked]);
  const { count } = state.found;
  const words =
    state.fault ??
    (value.text === ''
      ? ''
      : count === 0
        ? state.share < 1
          ? t('Searching…')
          : t('No matches')
        : (at < 0
            ? tn('{count} line', '{count} lines', count)
            : tn('{at} of {count} line', '{at} of {count} lines', count, { at: formatCount(at + 1) })) +
          (state.share < 1 ? '…' : ''));
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  }
  return (
    <div className={css['find']} role="search" aria-label={t('Find in these lines')}>
      <TextInput
        ref={input}
        w={260}
        aria-label={t('Find')}
        placeholder={t('Find in these lines')}
        spellCheck={false}
        autoComplete="off"
        {...bindText(value.text, (next) => onChange({ ...value, text: next }))}
        error={state.fault !== null}
        onKeyDown={onKeyDown}
      />
      <Toggle
        label={t('Match case')}
        icon={IconLetterCase}
        on={value.matchCase}
        onClick={() => onChange({ ...value, matchCase: !value.matchCase })}
      />
      <Toggle
        label={t('Regular expression')}
        icon={IconRegex}
        on={value.regex}
        onClick={() => onChange({ ...value, regex: !value.regex })}
      />
      <span className={css['count']} data-fault={state.fault !== null || undefined} role="status">
        {words}
      </span>
      <ActionIcon aria-label={t('Previous match')} disabled={count === 0} onClick={() => onStep(-1)}>
        <IconChevronUp size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('Next match')} disabled={count === 0} onClick={() => onStep(1)}>
        <IconChevronDown size={15} aria-hidden />
      </ActionIcon>
      <CloseButton size="sm" aria-label={t('Close the find bar')} onClick={onClose} />
    </div>
  );
}

function Toggle({
  label,
  icon: Icon,
  on,
  onClick,
}: {
  label: string;
  icon: typeof IconRegex;
  on: boolean;
  onClick(): void;
}): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={on ? 'filled' : 'subtle'}
        {...(on ? {} : { color: 'gray' })}
        aria-label={label}
        aria-pressed={on}
        onClick={onClick}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
