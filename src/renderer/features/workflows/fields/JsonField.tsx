import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { parseJson } from '../../../../lib/json.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { isJsonEqual } from '../../../ui/json-text/json-equal.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { FieldBox } from './FieldBox.tsx';

const textOf = (value: unknown): string => (value === undefined ? '' : (JSON.stringify(value, null, 2) ?? ''));

/** A value as JSON; empty: there is none. It is handed on while it can be read. `check`: why it cannot be taken. */
export function JsonField({
  label,
  help,
  value,
  onChange,
  fault,
  minHeight = 60,
  maxHeight = 320,
  check,
}: {
  label: string;
  help: string;
  value: unknown;
  onChange: (value: unknown) => void;
  fault: string | null;
  minHeight?: number;
  maxHeight?: number;
  check?: (value: unknown) => string | null;
}): ReactNode {
  const [text, setText] = useState(() => textOf(value));
  const sent = useRef(value);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (!isJsonEqual(value, sent.current)) setText(textOf(value));
    sent.current = value;
  }, [value]);
  const diagnostics = useMemo(
    () => (text.trim() === '' ? [] : scanJson(text).errors.map((one) => ({ ...one, severity: 'error' as const }))),
    [text],
  );
  const change = (next: string) => {
    setText(next);
    let read: unknown;
    try {
      read = next.trim() === '' ? undefined : parseJson(next);
    } catch {
      return;
    }
    const why = check?.(read) ?? null;
    setRefused(why);
    if (why !== null || isJsonEqual(read, sent.current)) return;
    sent.current = read;
    onChange(read);
  };
  const shown = diagnostics[0]?.message ?? refused ?? fault;
  return (
    <div>
      <FieldBox label={label} help={help} fault={shown}>
        <CodeEditor
          label={label}
          value={text}
          onChange={change}
          bare
          minHeight={minHeight}
          maxHeight={maxHeight}
          diagnostics={diagnostics}
        />
      </FieldBox>
    </div>
  );
}
