import { Button, Flex, Group, Pagination, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ShadowReplay, ShadowResult } from '../../../../contract/shadow-replays.ts';
import type { ShadowVerdict } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';
import { ignoresQuery, putIgnores, shadowKeys, shadowResultsQuery } from '../../../api/shadow.ts';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { formatDuration } from '../../../ui/Duration.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { toastError, toastFailure } from '../../../ui/toasts.tsx';
import { useNodeNames } from '../NodeName.tsx';
import type { NodeNameLookup } from '../node-names.ts';
import classes from './Shadow.module.css';
import { ShadowResultView } from './ShadowResultView.tsx';
import { differencePath, verdicts } from './labels.ts';

const SIZE = 50;
/** Places that are offered to be ignored. */
const PLACES = 8;

/** What each input came to: counts to filter by, places that differ, and one to open after the other. */
export function ShadowResults({ workflowId, replay }: { workflowId: string; replay: ShadowReplay }): ReactNode {
  const first = verdicts().find(({ verdict }) => replay.summary[verdict] > 0)?.verdict;
  const [chosen, setChosen] = useState<ShadowVerdict | null>(null);
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<number | null>(null);
  const verdict = chosen !== null && replay.summary[chosen] > 0 ? chosen : first;
  const query = useQuery(shadowResultsQuery(workflowId, replay.id, replay.done, { page, size: SIZE, verdict }));
  const rows = query.data?.items ?? [];
  const nameOf = useNodeNames(workflowId, replay.commit);
  return (
    <>
      <Flex gap={6} wrap="wrap" role="group" aria-label={t('Filter inputs')}>
        {verdicts().map(({ verdict: one, tone, icon, word }) =>
          replay.summary[one] === 0 ? null : (
            <button
              key={one}
              type="button"
              className={classes.count}
              aria-pressed={one === verdict}
              onClick={() => {
                setChosen(one);
                setPage(0);
              }}
            >
              <ToneBadge tone={tone} icon={icon}>
                {word} {replay.summary[one]}
              </ToneBadge>
            </button>
          ),
        )}
      </Flex>
      {query.isError && query.data === undefined ? (
        <ErrorLine error={query.error} />
      ) : (
        <ul className={`card bare ${classes.list}`} aria-label={t('Inputs')}>
          {rows.map((row) => (
            <li key={row.number}>
              <Row row={row} nameOf={nameOf} onOpen={() => setOpen(row.number)} />
            </li>
          ))}
        </ul>
      )}
      {query.data && query.data.totalPages > 1 && (
        <Pagination size="xs" total={query.data.totalPages} value={page + 1} onChange={(next) => setPage(next - 1)} />
      )}
      {replay.paths.length > 0 && <Places workflowId={workflowId} replay={replay} />}
      <SidePanel
        what={t('Backtest of one input')}
        id={open === null ? null : String(open)}
        width={1100}
        above
        onClose={() => setOpen(null)}
      >
        {(number) => (
          <ShadowResultView
            workflowId={workflowId}
            replay={replay}
            number={Number(number)}
            rows={rows}
            onOpen={setOpen}
          />
        )}
      </SidePanel>
    </>
  );
}

function Row({ row, nameOf, onOpen }: { row: ShadowResult; nameOf: NodeNameLookup; onOpen: () => void }): ReactNode {
  const look = verdicts().find(({ verdict }) => verdict === row.verdict);
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <span className="visually-hidden">{t('Input {number}', { number: row.number + 1 })}</span>
      <span>
        {look && (
          <ToneBadge tone={look.tone} icon={look.icon}>
            {look.word}
          </ToneBadge>
        )}
      </span>
      <code className={classes.mono} title={row.jobId}>{`…${row.jobId.slice(-8)}`}</code>
      <span className="clip" title={gist(row, nameOf)}>
        {gist(row, nameOf)}
      </span>
      <span className={classes.right}>
        {row.msAfter === null
          ? ''
          : row.msBefore === null
            ? formatDuration(row.msAfter)
            : `${formatDuration(row.msBefore)} → ${formatDuration(row.msAfter)}`}
      </span>
    </button>
  );
}

/** One line about a result. */
function gist(
  { verdict, reason, errorBefore, errorAfter, differences, differencesTotal, assumptions, ignored }: ShadowResult,
  nameOf: NodeNameLookup,
): string {
  if (reason) return reason.message;
  if (verdict === 'mended' && errorBefore)
    return t('Originally failed with {code}: {message}', { code: errorBefore.code, message: errorBefore.message });
  if (errorAfter) return `${nameOf(errorAfter.node)}: ${errorAfter.code}: ${errorAfter.message}`;
  const told = differences.filter((difference) => !difference.ignored);
  const [one] = told;
  const more = differencesTotal - differences.length + told.length;
  if (ignored) return t('Only ignored fields differ');
  if (one)
    return `${differencePath(one.path)}: ${one.before ?? t('missing')} → ${one.after ?? t('missing')}${more > 1 ? ` (${tn('{count} result', '{count} results', more)})` : ''}`;
  return assumptions.length > 0
    ? t('A recorded external response may not fit: {node}', {
        node: assumptions.map(({ node }) => nameOf(node)).join(', '),
      })
    : '';
}

/** Places that differ in many inputs may always do: a time, an id. They can be left out for good. */
function Places({ workflowId, replay }: { workflowId: string; replay: ShadowReplay }): ReactNode {
  const client = useQueryClient();
  const whyNot = useWhy('workflows.write', useWorkflowPlace(workflowId));
  const canOperate = whyNot === undefined;
  const ignores = useQuery(ignoresQuery(workflowId));
  const ignore = async (path: string) => {
    try {
      client.setQueryData(
        shadowKeys.ignores(workflowId),
        await putIgnores(workflowId, [...new Set([...(ignores.data?.paths ?? []), path])]),
      );
      await client.invalidateQueries({ queryKey: shadowKeys.of(workflowId) });
    } catch (error) {
      toastError(t('Could not ignore the field'), error);
    }
  };
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {t('Output differences')}
      </Text>
      <ul className={`bare ${classes.paths}`}>
        {replay.paths.slice(0, PLACES).map(({ path, inputs }) => (
          <li key={path}>
            <code>{differencePath(path)}</code>
            <span className="dim">{tn('in {count} input', 'in {count} inputs', inputs)}</span>
            {canOperate && path !== '' && ignores.data && (
              <Button
                size="compact-xs"
                variant="subtle"
                leftSection={<IconEyeOff size={13} aria-hidden="true" />}
                onClick={() => void ignore(path)}
                aria-label={t('Always ignore {path}', { path })}
              >
                {t('Always ignore')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {replay.paths.length > PLACES && (
        <Text size="xs" c="dimmed">
          {tn('and {count} more field', 'and {count} more fields', replay.paths.length - PLACES)}
        </Text>
      )}
      {(ignores.data?.paths.length ?? 0) > 0 && (
        <Ignored workflowId={workflowId} paths={ignores.data?.paths ?? []} whyNot={whyNot} />
      )}
    </div>
  );
}

function Ignored({
  workflowId,
  paths,
  whyNot,
}: {
  workflowId: string;
  paths: readonly string[];
  whyNot: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const take = async (path: string) => {
    client.setQueryData(
      shadowKeys.ignores(workflowId),
      await putIgnores(
        workflowId,
        paths.filter((one) => one !== path),
      ),
    );
    await client.invalidateQueries({ queryKey: shadowKeys.of(workflowId) });
  };
  return (
    <Group gap={6} mt={6}>
      <Text size="xs" c="dimmed">
        {t('Always ignored:')}
      </Text>
      {paths.map((path) => (
        <Button
          key={path}
          size="compact-xs"
          variant="default"
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => void take(path).catch(toastFailure(t('Could not restore the field')))}
          aria-label={t('Compare {path} again', { path })}
        >
          {path} ×
        </Button>
      ))}
    </Group>
  );
}
