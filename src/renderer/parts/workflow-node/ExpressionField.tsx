import { javascript } from '@codemirror/lang-javascript';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { secretsQuery } from '../../api/keeping.ts';
import { useRole } from '../../stores/role.ts';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { formatDuration } from '../../ui/Duration.tsx';
import { JsonTree } from '../../ui/JsonTree.tsx';
import type { NodeInput } from '../workflow-draft-run/node-input.ts';
import type { Known, Language } from './complete.ts';
import { expressionCompletions } from './completion.ts';
import { jsonata, templateText } from './jsonata-language.ts';
import classes from './NodePanel.module.css';
import { usePreview } from './use-preview.ts';

export interface ExpressionFieldProps {
  readonly label: string;
  readonly help: string;
  readonly language: Language;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly fault: string | null;
  readonly required: boolean;
  readonly workflowId: string;
  readonly input: NodeInput;
  readonly mayNameSecrets: boolean;
}

const LANGUAGES = { jsonata, javascript, template: templateText } as const;
const HEIGHTS: Readonly<Record<Language, { least: number; most: number }>> = { jsonata: { least: 56, most: 320 }, javascript: { least: 160, most: 460 }, template: { least: 40, most: 260 } };

/** An expression, a template or code: coloured, completed from what the node is given, with its result below. */
export function ExpressionField({ label, help, language, value, onChange, fault, required, workflowId, input, mayNameSecrets }: ExpressionFieldProps): ReactNode {
  const helpId = useId();
  const { canOperate } = useRole();
  const { data: secrets } = useQuery({ ...secretsQuery({ page: 0, size: 500 }), enabled: mayNameSecrets });
  const known = useRef<Known>({ sample: undefined, secrets: [], mayNameSecrets });
  known.current = { sample: input.known ? input.value : undefined, secrets: secrets?.items.map(({ name }) => name) ?? [], mayNameSecrets };
  const extensions = useMemo(() => LANGUAGES[language](), [language]);
  const completions = useMemo(() => expressionCompletions(language, () => known.current), [language]);
  // A secret stands in no preview.
  const shows = canOperate && !/\bsecrets\s*[.[]/.test(value);
  const { preview, asking } = usePreview(workflowId, language, value, input, shows && fault === null);
  const size = HEIGHTS[language];

  return (
    <div>
      <Text component="div" size="sm" fw={500}>
        {label} {required && <span className={classes.required} aria-hidden="true">*</span>}
      </Text>
      {help !== '' && <Text id={helpId} size="xs" className="dim" mb={4}>{help}</Text>}
      <CodeEditor label={label} value={value} onChange={onChange} language="text" extensions={extensions} completions={completions} bare={language !== 'javascript'} minHeight={size.least} maxHeight={size.most} />
      {fault !== null && <Text size="xs" className={classes.fault} role="status">{fault}</Text>}
      {preview && fault === null && (
        <div className={classes.preview} data-old={asking || undefined} aria-live="polite">
          {preview.kind === 'value' ? (
            <>
              <Text size="xs" className="dim">{[t('Result on the sample'), preview.ms === null ? '' : formatDuration(preview.ms)].filter((part) => part !== '').join(' · ')}</Text>
              <JsonTree label={t('Result of {label}', { label })} value={preview.value} openDepth={1} maxHeight={180} />
            </>
          ) : (
            <Text size="xs" className={preview.kind === 'error' ? classes.fault : 'dim'}>{preview.kind === 'error' ? preview.message : t('No result within 6 seconds.')}</Text>
          )}
        </div>
      )}
      {!input.known && shows && <Text size="xs" className="dim" mt={4}>{t('Run the draft to see the result here, and to complete from real data.')}</Text>}
    </div>
  );
}

/** A text that is handed on when typing rests, so that not every key press rewrites the definition. */
export function useTyped(value: string, onChange: (text: string) => void, rest = 150): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    // Undone, renamed, merged: it changed elsewhere.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return undefined;
    const send = () => {
      sent.current = text;
      change.current(text);
    };
    const timer = setTimeout(send, rest);
    return () => clearTimeout(timer);
  }, [text, rest]);
  return [text, setText];
}
