import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDebouncedText } from './use-debounced-text.ts';

/** A line of text that is handed on when typing rests. Give it a key that changes with what it is of. */
export function TypedText({
  value,
  onChange,
  ...rest
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string; onChange: (text: string) => void }): ReactNode {
  const [text, setText] = useDebouncedText(value, onChange);
  return <TextInput {...rest} value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}
