import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { bindText } from './bind.ts';

const TYPING_MS = 250;

/** A search field: what is typed is handed on when typing rests. `/` leads here. */
export function Finder({
  value,
  label,
  placeholder,
  onChange,
}: {
  value: string;
  label: string;
  placeholder: string;
  onChange(value: string): void;
}): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      data-filter
      aria-label={label}
      placeholder={placeholder}
      w={230}
      leftSection={<IconSearch size={14} aria-hidden />}
      {...bindText(text, setText)}
      onKeyDown={(event) => event.key === 'Enter' && onChange(text.trim())}
      {...(text === ''
        ? {}
        : { rightSection: <CloseButton size="sm" aria-label={t('Clear text')} onClick={() => setText('')} /> })}
    />
  );
}
