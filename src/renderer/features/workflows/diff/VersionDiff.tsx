import { SegmentedControl, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { commitQuery, diffQuery } from '../../../api/workflows.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { readableDefinition } from '../readable-definition.ts';
import { Changes } from './Changes.tsx';
import { DiffCanvas } from './DiffCanvas.tsx';
import { readableDiff } from './shape.ts';
import { TextDiff } from './TextDiff.tsx';

export type DiffForm = 'canvas' | 'changes' | 'text';

export interface VersionDiffProps {
  readonly workflowId: string;
  /** Hashes, the older first. */
  readonly from: string;
  readonly to: string;
  readonly form: DiffForm;
  readonly onForm: (form: DiffForm) => void;
  readonly maxHeight?: string;
}

/** What differs between two versions of a workflow, on the canvas, as a list of changes or as text. */
export function VersionDiff({ workflowId, from, to, form, onForm, maxHeight }: VersionDiffProps): ReactNode {
  const diff = useQuery(diffQuery(workflowId, from, to));
  const before = useQuery(commitQuery(workflowId, from));
  const after = useQuery(commitQuery(workflowId, to));
  const failed = [diff, before, after].find((query) => query.isError && query.data === undefined);
  const readable = useMemo(
    () =>
      diff.data && before.data && after.data
        ? readableDiff(diff.data, before.data.definition, after.data.definition)
        : null,
    [diff.data, before.data, after.data],
  );
  const texts = useMemo(
    () =>
      form === 'text' && before.data && after.data
        ? ([readableDefinition(before.data.definition), readableDefinition(after.data.definition)] as const)
        : null,
    [form, before.data, after.data],
  );

  if (failed)
    return (
      <ErrorState
        error={failed.error}
        what={t('Could not load the diff')}
        onRetry={() => void Promise.all([diff.refetch(), before.refetch(), after.refetch()])}
      />
    );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" aria-live="polite">
          {readable?.summary ?? t('Comparing…')}
        </Text>
        <SegmentedControl
          aria-label={t('Diff view')}
          value={form}
          onChange={(value) => onForm(value)}
          data={[
            { value: 'canvas', label: t('Canvas') },
            { value: 'changes', label: t('Changes') },
            { value: 'text', label: t('Text') },
          ]}
        />
      </Group>
      {readable === null ? (
        <SkeletonLines lines={6} />
      ) : form === 'text' && texts ? (
        <TextDiff
          label={t('Diff of two versions')}
          before={texts[0]}
          after={texts[1]}
          beforeTitle={from.slice(0, 8)}
          afterTitle={to.slice(0, 8)}
          {...(maxHeight === undefined ? {} : { maxHeight })}
        />
      ) : form === 'canvas' && diff.data && before.data && after.data && !readable.same ? (
        <DiffCanvas
          key={`${from} ${to}`}
          diff={diff.data}
          readable={readable}
          from={before.data.definition}
          to={after.data.definition}
          height={maxHeight ?? 'max(360px, calc(100vh - 400px))'}
        />
      ) : (
        <div
          {...(maxHeight === undefined
            ? {}
            : { style: { maxHeight, overflow: 'auto' }, tabIndex: 0, role: 'group', 'aria-label': t('Changes') })}
        >
          <Changes diff={readable} />
        </div>
      )}
    </Stack>
  );
}
