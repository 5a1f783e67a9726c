import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { withPlainNumbers } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { jobKeys } from '../../../api/jobs.ts';
import { rerunJob } from '../../../api/reruns.ts';
import { commitQuery, commitsQuery, workflowQuery } from '../../../api/workflows.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { ErrorLine, ErrorState } from '../../../ui/ErrorState.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { versionOptions } from '../../workflows/version-options.ts';
import { markInputs, refusedInputs } from './mark-inputs.ts';
import { useInputs } from './use-inputs.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { useSending } from '../../../ui/use-sending.ts';

export interface RerunDialogProps {
  readonly job: Job;
  /** Where to begin, to start with. */
  readonly fromNode?: string | undefined;
  /** Which version, to start with; its own where it is not given. */
  readonly version?: 'original' | 'published' | undefined;
  onClose(): void;
  onStarted(jobId: string): void;
}
type Version = 'original' | 'published' | 'chosen';

/** Runs a job again as a new one: with the same or edited inputs, on a version of choice, from the beginning or from a node. */
export function RerunDialog(form: RerunDialogProps): ReactNode {
  return (
    <FormModal opened onClose={form.onClose} title={t('Rerun job')} size="xl">
      <RerunForm {...form} />
    </FormModal>
  );
}

function RerunForm({
  job,
  fromNode: first,
  version: asked = 'original',
  onClose,
  onStarted,
}: RerunDialogProps): ReactNode {
  const client = useQueryClient();
  const nameOf = useNodeName();
  const [fromNode, setFromNode] = useState<string | null>(first ?? null);
  const [edit, setEdit] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [version, setVersion] = useState<Version>(asked);
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, error, setError, send } = useSending();

  const workflow = useQuery(workflowQuery(job.workflowId));
  const published =
    workflow.data?.environments.find((pointer) => pointer.environment === job.environment)?.hash ?? null;
  const commits = useQuery({ ...commitsQuery(job.workflowId, { page: 0, size: 500 }), enabled: version === 'chosen' });
  const hash = version === 'original' ? job.commit : version === 'published' ? published : chosen;
  const commit = useQuery({ ...commitQuery(job.workflowId, hash ?? job.commit), enabled: hash !== null });
  const original = useQuery(commitQuery(job.workflowId, job.commit));
  const inputs = useInputs(job, fromNode, edit);
  const text = typed ?? inputs.text ?? '';
  const schema = useMemo(
    () => (fromNode === null ? withPlainNumbers(commit.data?.definition.input) : undefined),
    [commit.data, fromNode],
  );
  const refused = useMemo(() => refusedInputs(error), [error]);
  const marks = useMemo(() => (edit ? markInputs(text, schema, refused) : []), [edit, text, schema, refused]);
  const nodes = (original.data?.definition.nodes ?? [])
    .filter((node) => node.type !== 'input' && node.type !== 'output')
    .map((node) => ({ value: node.id, label: node.name ? `${node.name} (${node.id})` : node.id }));

  const blocked =
    hash === null
      ? version === 'published'
        ? t('Nothing is published there.')
        : t('Select a version.')
      : edit && inputs.text === undefined
        ? t('Loading inputs.')
        : marks.some((mark) => mark.severity === 'error')
          ? t('The inputs are invalid.')
          : null;
  const anew = (next: () => void) => {
    next();
    setError(null);
  };
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (blocked !== null) return;
    await send(async () => {
      const { jobId } = await rerunJob(job.id, {
        inputsText: edit && typed !== null ? text : undefined,
        commit: version === 'original' ? undefined : (hash ?? undefined),
        fromNode: fromNode ?? undefined,
      });
      void client.invalidateQueries({ queryKey: jobKeys.all });
      onStarted(jobId);
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Group gap="md" align="end" grow>
          <Select
            label={t('Start from')}
            data={[{ value: '', label: t('Beginning') }, ...nodes]}
            value={fromNode ?? ''}
            onChange={(value) =>
              anew(() => (setFromNode(value === '' || value === null ? null : value), setTyped(null)))
            }
            searchable
          />
          <Select
            label={t('Version')}
            data={[
              { value: 'original' as const, label: t('Original ({value})', { value: job.commit.slice(0, 8) }) },
              ...(job.environment === null
                ? []
                : [
                    {
                      value: 'published' as const,
                      label:
                        published === null
                          ? t('Published in {environment} (none)', { environment: job.environment })
                          : t('Published in {environment} ({hash})', {
                              environment: job.environment,
                              hash: published.slice(0, 8),
                            }),
                      disabled: published === null,
                    },
                  ]),
              { value: 'chosen' as const, label: t('Other…') },
            ]}
            {...bindChoice(version, (value) => anew(() => setVersion(value)))}
          />
        </Group>
        {version === 'chosen' && (
          <Select
            label={t('Select version')}
            searchable
            data={versionOptions(commits.data?.items ?? [], chosen === null ? [] : [chosen])}
            value={chosen}
            onChange={(value) => anew(() => setChosen(value))}
          />
        )}
        <Text size="sm" c="dimmed">
          {fromNode === null
            ? t('Every node runs again.')
            : t('Results of nodes before {fromNode} are reused; {fromNode} and everything after it runs again.', {
                fromNode: nameOf(fromNode),
              })}{' '}
          {t('The new job links to this one; this job is not changed.')}
        </Text>
        <div>
          <Text size="sm" fw={500} id="rerun-inputs" mb={4}>
            {fromNode === null
              ? t('Inputs ({inputCount})', { inputCount: formatCount(job.inputCount) })
              : t('Inputs of {fromNode}', { fromNode: nameOf(fromNode) })}
          </Text>
          <SegmentedControl
            aria-labelledby="rerun-inputs"
            value={edit ? 'edit' : 'same'}
            onChange={(value) => anew(() => setEdit(value === 'edit'))}
            data={[
              { value: 'same', label: t('Original') },
              { value: 'edit', label: t('Edited') },
            ]}
          />
        </div>
        {edit &&
          (inputs.error !== null ? (
            <ErrorState compact what={t('Could not load the inputs')} error={inputs.error} onRetry={inputs.retry} />
          ) : inputs.text === undefined ? (
            <SkeletonLines lines={6} />
          ) : (
            <CodeEditor
              label={t('Inputs')}
              value={text}
              onChange={(next) => next !== text && anew(() => setTyped(next))}
              language="json"
              minHeight={180}
              maxHeight={360}
              diagnostics={marks}
            />
          ))}
        {edit && marks.length > 0 && (
          <Text size="sm" c="var(--tone-fail-text)" role="status">
            {marks[0]?.message} {marks.length > 1 && t('{count} more.', { count: marks.length - 1 })}
          </Text>
        )}
        {error !== null && (refused.length === 0 || !(error instanceof ApiError)) && <ErrorLine error={error} />}
        <Group justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed">
            {blocked}
          </Text>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={blocked !== null}>
            {t('Rerun')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
