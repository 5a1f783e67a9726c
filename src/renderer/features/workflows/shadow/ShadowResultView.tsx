import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { ShadowDetail, ShadowReplay, ShadowResult } from '../../../../contract/shadow-replays.ts';
import { t } from '../../../../lib/language.ts';
import { shadowResultQuery } from '../../../api/shadow.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { useNodeNames } from '../NodeName.tsx';
import { TextDiff } from '../diff/TextDiff.tsx';
import classes from './Shadow.module.css';
import { differencePath, verdicts } from './labels.ts';
import { Loading } from '../../../ui/Loading.tsx';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'null';

/** One input: what came out then and what comes out now, side by side. */
export function ShadowResultView({
  workflowId,
  replay,
  number,
  rows,
  onOpen,
}: {
  workflowId: string;
  replay: ShadowReplay;
  number: number;
  rows: readonly ShadowResult[];
  onOpen: (number: number) => void;
}): ReactNode {
  const query = useQuery(shadowResultQuery(workflowId, replay.id, number));
  const result = query.data;
  const nameOf = useNodeNames(workflowId, replay.commit);
  const at = rows.findIndex((row) => row.number === number);
  const step = (by: number, label: string, Icon: typeof IconChevronLeft) => {
    const next = rows[at + by];
    return (
      <ActionIcon
        variant="default"
        aria-label={label}
        disabled={next === undefined}
        onClick={() => next && onOpen(next.number)}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    );
  };
  if (!result) return <Loading query={query} what={t('Could not load the result')} height={420} />;
  const look = verdicts().find(({ verdict }) => verdict === result.verdict);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          {look && (
            <ToneBadge tone={look.tone} icon={look.icon} size="large">
              {look.word}
            </ToneBadge>
          )}
          <Text size="sm">
            {rich('Input {number} of job {job}', {
              number: result.replica + 1,
              job: (
                <Link to="/jobs/$jobId" params={{ jobId: result.jobId }} className={classes.mono ?? ''}>
                  {result.jobId}
                </Link>
              ),
            })}
          </Text>
        </Group>
        <Group gap={4}>
          {step(-1, t('Previous input'), IconChevronLeft)}
          {step(1, t('Next input'), IconChevronRight)}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {rich('Originally ran on {old}; replayed on {fresh}.', {
          old: <code>{result.commit.slice(0, 8)}</code>,
          fresh: <code>{replay.commit.slice(0, 8)}</code>,
        })}
      </Text>
      {result.reason && <Callout tone="warn">{result.reason.message}</Callout>}
      {result.assumptions.map(({ node, message }) => (
        <Callout key={node} tone="warn" title={nameOf(node)}>
          {message}
        </Callout>
      ))}
      {result.reason === null && <Outputs result={result} />}
      {result.differences.length > 0 && <Table result={result} />}
      {!result.cut && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t('Input')}
          </Text>
          <JsonTree label={t('Input')} value={result.input} openDepth={1} maxHeight={240} />
        </div>
      )}
    </Stack>
  );
}

function Outputs({ result }: { result: ShadowDetail }): ReactNode {
  const { errorBefore, errorAfter, before, after, cut } = result;
  const texts = useMemo(
    () =>
      [
        errorBefore ? pretty({ error: errorBefore }) : pretty(before),
        errorAfter ? pretty({ error: errorAfter }) : pretty(after),
      ] as const,
    [errorBefore, errorAfter, before, after],
  );
  if (cut)
    return <Callout tone="info">{t('The outputs are too large to store; the differences are listed below.')}</Callout>;
  return (
    <TextDiff
      label={t('Outputs side by side')}
      before={texts[0]}
      after={texts[1]}
      beforeTitle={t('Original')}
      afterTitle={t('New')}
      maxHeight="48vh"
    />
  );
}

function Table({ result }: { result: ShadowDetail }): ReactNode {
  return (
    <table className={classes.differences}>
      <thead>
        <tr>
          <th scope="col">{t('Path')}</th>
          <th scope="col">{t('Original')}</th>
          <th scope="col">{t('New')}</th>
        </tr>
      </thead>
      <tbody>
        {result.differences.map(({ path, before, after, ignored }) => (
          <tr key={path} className={ignored ? (classes.ignored ?? '') : ''}>
            <td>
              <code>{differencePath(path)}</code> {ignored && t('(ignored)')}
            </td>
            <td>{before === null ? t('missing') : <code>{before}</code>}</td>
            <td>{after === null ? t('missing') : <code>{after}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
