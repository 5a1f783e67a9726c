import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t, tn } from '../../../../lib/language.ts';
import { storageLocationText } from '../../../stores/desktop.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { rich } from '../../../ui/rich.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { TextDiff } from '../diff/TextDiff.tsx';
import { useDefinitionMarks } from '../definition/use-marks.ts';
import { isDefinition } from '../definition/marks.ts';
import { readableDefinition } from '../readable-definition.ts';
import { rewriteJson } from '../../../ui/json-text/rewrite.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { Conflicts } from './Conflicts.tsx';
import { mergeDefinitions } from './merge.ts';
import { mergeSummary } from './summary.ts';
import type { Side } from './three-way.ts';
import classes from './Merge.module.css';
import { Loading } from '../../../ui/Loading.tsx';
import { useSending } from '../../../ui/use-sending.ts';

export interface MergeDialogProps {
  readonly workflowId: string;
  /** The version that the text began from; null: before the first one. */
  readonly parent: string | null;
  /** The head that is newer. */
  readonly head: string;
  readonly text: string;
  /** It is saved as soon as it is merged; else it only goes on from the head. */
  readonly saving: boolean;
  readonly onClose: () => void;
  /** `headText`: what the draft follows from then on. A throw is shown. */
  readonly onMerged: (text: string, headText: string) => Promise<void>;
  readonly onOpenHead: (headText: string) => void;
}

const NOTHING: Definition = { schemaVersion: 1, name: '', response: 'list', nodes: [], edges: [], output: '' };

/** Somebody saved meanwhile: brings both together, asks where they collide, and shows what comes of it before it is saved. */
export function MergeDialog({
  workflowId,
  parent,
  head,
  text,
  saving,
  onClose,
  onMerged,
  onOpenHead,
}: MergeDialogProps): ReactNode {
  useRestoreFocus(true);
  const base = useQuery({ ...commitQuery(workflowId, parent ?? ''), enabled: parent !== null });
  const theirs = useQuery(commitQuery(workflowId, head));
  const baseDefinition = parent === null ? NOTHING : base.data?.definition;
  const headText = theirs.data ? readableDefinition(theirs.data.definition) : null;
  const failed = theirs.isError ? theirs : base.isError ? base : null;
  const mine = useMemo(() => (isDefinition(scanJson(text)) ? parseJson<Definition>(text) : null), [text]);
  const ready = baseDefinition && theirs.data && headText !== null;
  return (
    <Modal opened onClose={onClose} title={<strong>{t('A newer version was saved meanwhile')}</strong>} size="80rem">
      <Stack gap="sm">
        {theirs.data && (
          <Group gap={6}>
            <HashLabel hash={head} />
            <Text size="sm">
              {rich('by {name}, {timeAgo}: {message}', {
                name: theirs.data.author.name,
                timeAgo: <TimeAgo at={theirs.data.createdAt} />,
                message: theirs.data.message,
              })}
            </Text>
          </Group>
        )}
        {failed ? (
          <Loading query={failed} what={t('Could not load the versions')} compact />
        ) : !ready ? (
          <SkeletonBlock height={280} />
        ) : mine ? (
          <Merging
            workflowId={workflowId}
            base={baseDefinition}
            theirs={theirs.data.definition}
            mine={mine}
            text={text}
            headText={headText}
            saving={saving}
            onMerged={onMerged}
            onClose={onClose}
            onOpenHead={onOpenHead}
          />
        ) : (
          <>
            <Callout tone="warn">
              {t(
                "Your draft has syntax errors, so it can't be merged. Fix the marked errors, or open the newer version: your draft is kept {here}.",
                { here: storageLocationText() },
              )}
            </Callout>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => onOpenHead(headText)}>
                {t('Open newer version')}
              </Button>
              <Button onClick={onClose}>{t('Back to my draft')}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

type MergingProps = Pick<MergeDialogProps, 'workflowId' | 'text' | 'saving' | 'onMerged' | 'onClose' | 'onOpenHead'> & {
  readonly base: Definition;
  readonly theirs: Definition;
  readonly mine: Definition;
  readonly headText: string;
};

function Merging({
  workflowId,
  base,
  theirs,
  mine,
  text,
  headText,
  saving,
  onMerged,
  onClose,
  onOpenHead,
}: MergingProps): ReactNode {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const { busy, error, send } = useSending();
  const merged = useMemo(() => mergeDefinitions(base, theirs, mine, choices), [base, theirs, mine, choices]);
  const open = merged.conflicts.filter(({ key }) => !choices.has(key)).length;
  const result = useMemo(() => rewriteJson(text, merged.definition), [text, merged.definition]);
  const checked = useDefinitionMarks(workflowId, result);
  const faults = checked.marks.filter(({ blocks }) => blocks !== null);
  const take = () => send(() => onMerged(result, headText));
  return (
    <>
      <div className={classes.sides}>
        <Changes title={t('Their changes')} changes={mergeSummary(base, theirs)} />
        <Changes title={t('Your changes')} changes={mergeSummary(base, mine)} />
      </div>
      {merged.conflicts.length === 0 ? (
        <Text size="sm" role="status">
          {t('No conflicts: both sets of changes are merged.')}
        </Text>
      ) : (
        <Conflicts
          conflicts={merged.conflicts}
          choices={choices}
          onChoose={(key, side) => setChoices((now) => new Map(now).set(key, side))}
        />
      )}
      <details className={classes.result}>
        <summary>{t('Merge result compared to the newer version')}</summary>
        <TextDiff
          label={t('Diff of the newer version and the merge result')}
          before={headText}
          after={result}
          beforeTitle={t('Newer version')}
          afterTitle={t('Merge result')}
          maxHeight="42vh"
        />
      </details>
      {open === 0 && faults.length > 0 && (
        <Callout
          tone="warn"
          title={tn('{count} problem in the merge result', '{count} problems in the merge result', faults.length)}
        >
          {faults.slice(0, 3).map(({ message, pointer }) => (
            <div key={`${pointer} ${message}`}>
              {message} <code>{pointer}</code>
            </div>
          ))}
          {faults.length > 3 && <div>{tn('and {count} more', 'and {count} more', faults.length - 3)}</div>}
        </Callout>
      )}
      {error !== null && <ErrorLine error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Back to my draft')}
        </Button>
        <Button variant="default" onClick={() => onOpenHead(headText)}>
          {t('Open newer version')}
        </Button>
        <Button loading={busy} disabled={open > 0} onClick={() => void take()}>
          {open > 0
            ? tn('{count} unresolved conflict', '{count} unresolved conflicts', open)
            : saving
              ? t('Save merged version')
              : t('Continue editing the merge result')}
        </Button>
      </Group>
    </>
  );
}

const SHOWN = 12;

function Changes({ title, changes }: { title: string; changes: readonly string[] }): ReactNode {
  return (
    <section className={classes.side}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <ul>
        {changes.slice(0, SHOWN).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {changes.length > SHOWN && <li>{t('and {count} more', { count: changes.length - SHOWN })}</li>}
        {changes.length === 0 && <li>{t('no version')}</li>}
      </ul>
    </section>
  );
}
