import { useRef } from 'react';

/** The value of before while the new one says the same, so that what hangs on it is not made anew. */
export function useSame<T>(value: T): T {
  const kept = useRef({ value, text: '' });
  const text = JSON.stringify(value);
  if (text !== kept.current.text) kept.current = { value, text };
  return kept.current.value;
}
