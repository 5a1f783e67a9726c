import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a key press until a text is handed on. */
export const DEBOUNCE_MS = 150;

/** A text that is handed on when typing rests, so that not every key press rewrites the definition; at the latest when its field goes. */
export function useDebouncedText(value: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  const send = useRef(() => {
    const { text: typed, onChange: change } = latest.current;
    if (typed === sent.current) return;
    sent.current = typed;
    change(typed);
  });
  useEffect(() => {
    // Undone, renamed, merged: it changed elsewhere.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(send.current, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => send.current(), []);
  return [text, setText];
}
