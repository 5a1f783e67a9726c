import { Box, Button, Checkbox, Group, PasswordInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconKey, IconPlayerPlay, IconPlayerStop, IconWand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { withPlainNumbers } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { toastSuccess, toastError } from '../../../ui/toasts.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { createSamples } from '../draft-run/samples.ts';
import { useMasterUrl } from '../publish/master-url.ts';
import { endpointPath } from '../endpoint.ts';
import { inProject, whyNoKeys } from '../../../stores/permissions.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { AnswerView, type SentCall } from './AnswerView.tsx';
import { type Answer, callEndpoint, newCallId } from './call.ts';
import { createTryMemory, windowStorage } from './memory.ts';
import { listOf, sampleInputs } from '../sample-input.ts';
import { Snippets } from './Snippets.tsx';
import classes from './Try.module.css';
import { Callout } from '../../../ui/Callout.tsx';
import { bindChecked, bindText } from '../../../ui/bind.ts';

/** Hours a key lives that was made for trying. */
const KEY_HOURS = 8;
/** The second half of a double click on Send is no wish to stop. */
const DOUBLE_CLICK_MS = 500;

/** Calls the real endpoint with an input that is typed here, and shows what came back. */
export function TryTab({
  workflow,
  environment,
  onEnvironment,
  onPublish,
}: {
  workflow: Workflow;
  environment: Environment;
  onEnvironment: (environment: Environment) => void;
  onPublish: () => void;
}): ReactNode {
  const rights = useRights();
  const origin = useMasterUrl();
  const memory = useMemo(() => createTryMemory(windowStorage()), []);
  const published = workflow.environments.find((pointer) => pointer.environment === environment)?.hash ?? null;
  const schemaOf = published ?? workflow.head;
  const commit = useQuery({ ...commitQuery(workflow.id, schemaOf ?? ''), enabled: schemaOf !== null });
  const sample = useMemo(() => sampleInputs(withPlainNumbers(commit.data?.definition.input)), [commit.data]);
  const [typed, setTyped] = useState<string | null>(
    () => memory.input(workflow.id) ?? listOf(createSamples(window.localStorage).load(workflow.id)),
  );
  const [key, setKey] = useState(() => memory.key(workflow.id, environment));
  const [async, setAsync] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [making, setMaking] = useState(false);
  const running = useRef<AbortController | null>(null);
  const sentAt = useRef(0);
  const [sent, setSent] = useState<SentCall | null>(null);
  const busy = sent?.isAwaited === true;
  const keyField = useRef<HTMLInputElement>(null);
  const text = typed ?? (commit.isPending && schemaOf !== null ? '' : sample);
  const diagnostics = useMemo(
    () => scanJson(text).errors.map((fault) => ({ ...fault, severity: 'error' as const })),
    [text],
  );
  const path = endpointPath(workflow.id, environment);

  useEffect(() => setKey(memory.key(workflow.id, environment)), [memory, workflow.id, environment]);
  useEffect(() => () => running.current?.abort(), []);

  const changeInput = (next: string) => {
    if (next === text) return;
    setTyped(next);
    memory.setInput(workflow.id, next);
  };
  const changeKey = (next: string) => {
    setKey(next);
    memory.setKey(workflow.id, environment, next);
  };
  const whyNotSend = key.trim() === '' ? t('Enter an API key above, or create one.') : null;
  const call = async () => {
    if (whyNotSend !== null) return keyField.current?.focus();
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    sentAt.current = performance.now();
    const externalId = newCallId();
    setSent({ externalId, isAwaited: true });
    setError(null);
    try {
      setAnswer(
        await callEndpoint(
          { workflowId: workflow.id, environment, key: key.trim(), body: text, async, externalId },
          abort.signal,
          () => performance.now(),
        ),
      );
    } catch (failure) {
      if (running.current === abort) setAnswer(null);
      if (!abort.signal.aborted) setError(failure);
    } finally {
      if (running.current === abort) {
        running.current = null;
        setSent(abort.signal.aborted ? { externalId, isAwaited: false } : null);
      }
    }
  };
  const makeKey = async () => {
    setMaking(true);
    try {
      const made = await createKey({
        name: t('Try {id} in {environment}', { id: workflow.id, environment }),
        workflows: [workflow.id],
        environments: [environment],
        expiresAt: new Date(Date.now() + KEY_HOURS * 3_600_000).toISOString(),
        ...inProject(workflow.project),
      });
      changeKey(made.key);
      toastSuccess(
        t('Key created'),
        t('Its scope is {id} in {environment}. It expires in {KEY_HOURS} hours.', {
          id: workflow.id,
          environment,
          KEY_HOURS,
        }),
      );
    } catch (failure) {
      toastError(t('Could not create the key'), failure);
    } finally {
      setMaking(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void call();
  };

  return (
    <div className={classes.split}>
      <Stack gap="sm" onKeyDownCapture={onKeyDown} miw={0}>
        <Group gap="sm" align="end">
          <div>
            <Text fz="var(--text-small)" fw={600} mb={1} id="try-environment">
              {t('Environment')}
            </Text>
            <SegmentedControl
              aria-labelledby="try-environment"
              value={environment}
              onChange={(value) => onEnvironment(value)}
              data={[...ENVIRONMENTS]}
            />
          </div>
          <PasswordInput
            ref={keyField}
            className={classes.key}
            label={t('API key')}
            placeholder="ym_…"
            {...bindText(key, changeKey)}
            autoComplete="off"
            spellCheck={false}
          />
          <ReasonButton
            variant={whyNotSend === null ? 'default' : 'light'}
            leftSection={<IconKey size={16} aria-hidden="true" />}
            loading={making}
            reason={whyNoKeys(rights)}
            hint={t(
              'Creates a key for this workflow in {environment}, valid for {KEY_HOURS} hours. Kept only in this window.',
              { environment, KEY_HOURS },
            )}
            onClick={() => void makeKey()}
          >
            {t('Create key')}
          </ReasonButton>
        </Group>
        <Text size="xs" className="dim">
          {whyNotSend === null
            ? t('The key is kept only in this window.')
            : t(
                'A call needs a key with access to {id} in {environment}: paste one, or create one that is valid for {KEY_HOURS} hours.',
                { id: workflow.id, environment, KEY_HOURS },
              )}
        </Text>
        {published === null && (
          <Callout tone="warn" title={t('Not published in {environment}', { environment })}>
            <Group justify="space-between">
              <Text size="sm">{t('The call will return 404 NOT_PUBLISHED.')}</Text>
              <Button variant="default" onClick={onPublish}>
                {t('Publish…')}
              </Button>
            </Group>
          </Callout>
        )}
        <Group justify="space-between">
          <Text size="sm">
            <strong>{t('Input')}</strong> <span className="dim">{t('a JSON array, one object per run')}</span>
          </Text>
          <ReasonButton
            flex="none"
            size="compact-sm"
            variant="subtle"
            leftSection={<IconWand size={14} aria-hidden="true" />}
            reason={text === sample ? t('The input already matches the example from the schema.') : null}
            onClick={() => changeInput(sample)}
          >
            {t('Generate from schema')}
          </ReasonButton>
        </Group>
        <CodeEditor
          label={t('Input')}
          value={text}
          onChange={changeInput}
          language="json"
          minHeight={220}
          maxHeight={420}
          diagnostics={diagnostics}
        />
        <Group>
          {/* One button that changes its word, or the focus would be lost with it. */}
          <ReasonButton
            variant={busy ? 'default' : 'filled'}
            leftSection={
              busy ? <IconPlayerStop size={16} aria-hidden="true" /> : <IconPlayerPlay size={16} aria-hidden="true" />
            }
            reason={busy ? null : whyNotSend}
            hint={busy ? t('The job continues.') : t('Ctrl+Enter')}
            onClick={() => {
              if (!busy) void call();
              else if (performance.now() - sentAt.current > DOUBLE_CLICK_MS) running.current?.abort();
            }}
          >
            {busy ? t('Stop waiting') : t('Send')}
          </ReasonButton>
          <Checkbox label={t('Run asynchronously (Prefer: respond-async)')} {...bindChecked(async, setAsync)} />
        </Group>
        <Snippets call={{ url: origin + path, body: text, async }} apiKey={key.trim()} />
      </Stack>
      <Box miw={0} aria-live="polite" aria-busy={busy}>
        {error !== null ? (
          <Section title={t('Response')}>
            <ErrorLine error={error} />
          </Section>
        ) : (
          <AnswerView answer={answer} sent={sent} />
        )}
      </Box>
    </div>
  );
}
