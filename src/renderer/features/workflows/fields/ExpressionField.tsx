import { javascript } from '@codemirror/lang-javascript';
import { ActionIcon, Group, Modal, Text } from '@mantine/core';
import { IconArrowsDiagonal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { secretsQuery } from '../../../api/secrets.ts';
import { useReach, useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { formatDuration } from '../../../ui/Duration.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { errorLabel, type NodeInput, resultLabel } from '../draft-run/node-input.ts';
import { type Known, type Language, type ExpressionOffer, offersAt } from './complete.ts';
import { jsonata, templateText } from './jsonata-language.ts';
import classes from './Fields.module.css';
import { usePreview } from './use-preview.ts';
import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { errorMarks } from './error-marks.ts';
import { FieldBox } from './FieldBox.tsx';
import { NodeErrorContext } from './node-error.ts';

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
const HEIGHTS: Readonly<Record<Language, { least: number; most: number }>> = {
  jsonata: { least: 56, most: 320 },
  javascript: { least: 140, most: 420 },
  template: { least: 40, most: 260 },
};
const LARGE = { least: 320, most: 460 };
/** Characters of JSON up to which a result is shown as it is, without the tree's tools. */
const SHORT = 400;

/** An expression, a template or code: coloured, completed from what the node is given, with its result below; larger in a window of its own. */
export function ExpressionField(props: ExpressionFieldProps): ReactNode {
  const [large, setLarge] = useState(false);
  useRestoreFocus(large);
  return (
    <>
      <Editing {...props} isLarge={false} onLarge={() => setLarge(true)} />
      <Modal opened={large} onClose={() => setLarge(false)} title={<strong>{props.label}</strong>} size="70rem">
        <Editing {...props} isLarge onLarge={() => setLarge(false)} />
      </Modal>
    </>
  );
}

function Editing({
  label,
  help,
  language,
  value,
  onChange,
  fault,
  required,
  workflowId,
  input,
  mayNameSecrets,
  isLarge,
  onLarge,
}: ExpressionFieldProps & { isLarge: boolean; onLarge: () => void }): ReactNode {
  const canOperate = useWhy('workflows.write', useWorkflowPlace(workflowId)) === undefined;
  const seesSecrets = useReach('secrets.list');
  const { data: secrets } = useQuery({
    ...secretsQuery({ page: 0, size: 500 }),
    enabled: mayNameSecrets && seesSecrets,
  });
  const known = useRef<Known>({ sample: undefined, secrets: [], mayNameSecrets });
  known.current = {
    sample: input.known ? input.value : undefined,
    secrets: secrets?.items.map(({ name }) => name) ?? [],
    mayNameSecrets,
  };
  const extensions = useMemo(() => LANGUAGES[language](), [language]);
  const completions = useMemo(() => expressionCompletions(language, () => known.current), [language]);
  // A secret stands in no preview.
  const shows = canOperate && !/\bsecrets\s*[.[]/.test(value);
  const { preview, asking } = usePreview(workflowId, language, value, input, shows);
  const size = isLarge ? LARGE : HEIGHTS[language];
  const ran = useContext(NodeErrorContext);
  // The preview is of the newest text. Without one, how the run failed stands until the source is another.
  const failed = preview?.kind === 'error' ? preview : !preview && !asking && ran?.source === value ? ran : null;
  const marks = useMemo(() => (failed ? errorMarks(value, failed) : []), [failed]);
  const view = useRef<EditorView | null>(null);
  const [place] = failed?.stack ?? [];
  const goToError = () => {
    const at = marks[0]?.from;
    if (at === undefined || !view.current) return;
    view.current.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.current.focus();
  };

  return (
    <div>
      {!isLarge && (
        <Group gap={8} wrap="nowrap" justify="space-between">
          <Text component="div" size="xs" fw={600}>
            {label}{' '}
            {required && (
              <span className={classes.required} aria-hidden="true">
                *
              </span>
            )}
          </Text>
          <ActionIcon size="sm" aria-label={t('Edit {label} in a larger window', { label })} onClick={onLarge}>
            <IconArrowsDiagonal size={14} aria-hidden="true" />
          </ActionIcon>
        </Group>
      )}
      <FieldBox label={null} help={help} fault={fault}>
        <CodeEditor
          label={label}
          value={value}
          onChange={onChange}
          language="text"
          extensions={extensions}
          completions={completions}
          diagnostics={marks}
          onCreate={(made) => void (view.current = made)}
          // Errors name lines.
          bare={!isLarge && language !== 'javascript'}
          minHeight={size.least}
          maxHeight={size.most}
        />
      </FieldBox>
      {asking && !preview && fault === null && (
        <Text size="xs" className="dim" mt={4}>
          {t('Evaluating…')}
        </Text>
      )}
      {preview && preview.kind !== 'error' && fault === null && (
        <div className={classes.preview} data-old={asking || undefined} aria-live="polite">
          {preview.kind === 'value' ? (
            <>
              <Text size="xs" className="dim">
                {[resultLabel(input), preview.ms === null || preview.ms < 1 ? '' : formatDuration(preview.ms)]
                  .filter((part) => part !== '')
                  .join(' · ')}
              </Text>
              <Result label={t('Result of {label}', { label })} value={preview.value} />
            </>
          ) : (
            <Text size="xs" className="dim">
              {t('No result within 6 seconds.')}
            </Text>
          )}
        </div>
      )}
      {failed && fault === null && (
        <Text size="xs" className={classes.fault} mt={4} role="status">
          {place && (
            <button type="button" className="linkish" onClick={goToError}>
              {t('line {line}, column {column}', { line: place.line, column: place.column })}
            </button>
          )}
          {place && ': '}
          {failed.message}
          {preview?.kind === 'error' && <span className="dim"> {errorLabel(input)}</span>}
        </Text>
      )}
      {!input.known && shows && (
        <Text size="xs" className="dim" mt={4}>
          {t('Run the draft to see the result here and to get suggestions from real data.')}
        </Text>
      )}
    </div>
  );
}

function Result({ label, value }: { label: string; value: unknown }): ReactNode {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.length <= SHORT ? (
    <pre className={classes.value} aria-label={label}>
      {text}
    </pre>
  ) : (
    <JsonTree label={label} value={value} openDepth={1} maxHeight={220} />
  );
}

const ICONS: Readonly<Record<ExpressionOffer['kind'], string>> = {
  property: 'property',
  function: 'function',
  constant: 'constant',
  variable: 'variable',
};

/** Completion for CodeMirror. `known`: asked anew each time. Unasked it waits for a dot, a dollar or the beginning of a word. */
function expressionCompletions(language: Language, known: () => Known): CompletionSource {
  return ({ state, pos, explicit }) => {
    const found = offersAt(language, state.doc.toString(), pos, known());
    if (!found || found.offers.length === 0) return null;
    if (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== '.') return null;
    return {
      from: found.from,
      options: found.offers.map((offer, index): Completion => ({
        label: offer.label,
        detail: offer.detail,
        type: ICONS[offer.kind],
        boost: offer.kind === 'function' ? -50 : -index / 10,
        ...(offer.insert === undefined ? {} : { apply: offer.insert }),
      })),
      validFor: /^[\w$]*$/,
    };
  };
}
