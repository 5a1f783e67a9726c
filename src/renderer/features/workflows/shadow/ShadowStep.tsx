import { Box, Button, Group, NumberInput, Progress, Select, Text } from '@mantine/core';
import { IconFlask, IconPlayerStop } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ShadowReplay } from '../../../../contract/shadow-replays.ts';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { abortReplay, replayQuery, replaysQuery, shadowKeys, startReplay } from '../../../api/shadow.ts';
import { whyNot } from '../../../stores/permissions.ts';
import { useRights, useWorkflowPlace } from '../../../stores/role.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { rich } from '../../../ui/rich.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import classes from './Shadow.module.css';
import { ShadowResults } from './ShadowResults.tsx';
import { conclusion } from './labels.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { useSending } from '../../../ui/use-sending.ts';

const COUNT = 50;

/** Tries a version on what an environment was given last, and tells what came out otherwise. */
export function ShadowStep({
  workflowId,
  commit,
  environment,
}: {
  workflowId: string;
  commit: string;
  environment: Environment;
}): ReactNode {
  const client = useQueryClient();
  const why = whyNot(useRights(), 'workflows.write', useWorkflowPlace(workflowId), t('A backtest'));
  const earlier = useQuery(replaysQuery(workflowId, commit));
  const [source, setSource] = useState<Environment>(environment);
  const [count, setCount] = useState(COUNT);
  const { busy, error, send } = useSending();
  const newest = earlier.data?.items.find((replay) => replay.environment === source);

  const start = () =>
    send(async () => {
      const begun = await startReplay(workflowId, { commit, environment: source, count });
      client.setQueryData(shadowKeys.one(workflowId, begun.id), begun);
      await client.invalidateQueries({ queryKey: shadowKeys.list(workflowId, commit) });
    });

  return (
    <section
      className={classes.step}
      aria-label={t('Replay recent inputs (backtest)')}
      onKeyDown={(event) => {
        // Enter in one of its fields means this step, not the form around it.
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.target instanceof HTMLInputElement)
          event.preventDefault();
      }}
    >
      <Group align="end" gap="xs">
        <Box flex={1} miw={220} pe="md">
          <Text size="sm" fw={600}>
            {t('Replay recent inputs (backtest)')}
          </Text>
          <Text size="xs" c="dimmed">
            {t(
              'Runs recorded inputs on this version. No external calls are made: HTTP, handlers and other workflows return their recorded responses.',
            )}
          </Text>
        </Box>
        <NumberInput
          w={84}
          label={t('Recent inputs')}
          value={count}
          onChange={(value) => setCount(Math.max(1, Math.min(500, Number(value) || COUNT)))}
          min={1}
          max={500}
          allowDecimal={false}
        />
        <Select w={104} label={t('of')} data={[...ENVIRONMENTS]} {...bindChoice(source, setSource)} />
        <ReasonButton
          variant="default"
          leftSection={<IconFlask size={14} aria-hidden="true" />}
          reason={why ?? (commit === '' ? t('There is no version to test.') : null)}
          loading={busy}
          onClick={() => void start()}
        >
          {newest === undefined ? t('Replay') : t('Replay again')}
        </ReasonButton>
      </Group>
      {error !== null && <ErrorLine error={error} />}
      {newest && <Replay key={newest.id} workflowId={workflowId} first={newest} />}
    </section>
  );
}

function Replay({ workflowId, first }: { workflowId: string; first: ShadowReplay }): ReactNode {
  const client = useQueryClient();
  const query = useQuery({ ...replayQuery(workflowId, first.id), initialData: first });
  const replay = query.data;
  const { clear, text } = conclusion(replay);
  const running = replay.status === 'RUNNING';
  const abort = async () => {
    const ended = await abortReplay(replay.id);
    client.setQueryData(shadowKeys.one(workflowId, replay.id), ended);
  };
  return (
    <>
      {running ? (
        <Group gap="sm" wrap="nowrap">
          <Progress.Root size="lg" style={{ flex: 1 }}>
            <Progress.Section
              value={replay.total === 0 ? 0 : (100 * replay.done) / replay.total}
              aria-label={t('Replayed inputs')}
            />
          </Progress.Root>
          <Text size="xs" aria-live="polite">
            {t('{done} of {total}', { done: replay.done, total: replay.total })}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlayerStop size={13} aria-hidden="true" />}
            onClick={() => void abort()}
          >
            {t('Stop')}
          </Button>
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          {replay.status === 'ABORTED'
            ? rich('Stopped after {done} of {total} inputs, {timeAgo}.', {
                done: replay.done,
                total: replay.total,
                timeAgo: <TimeAgo at={replay.createdAt} />,
              })
            : rich(
                replay.total === 1
                  ? '{total} input from {environment}, replayed {timeAgo}.'
                  : '{total} inputs from {environment}, replayed {timeAgo}.',
                { total: replay.total, environment: replay.environment, timeAgo: <TimeAgo at={replay.createdAt} /> },
              )}
        </Text>
      )}
      <div aria-live="polite">
        {clear ? (
          <Callout tone="info">{text}</Callout>
        ) : running ? (
          <Text size="sm">{text}</Text>
        ) : (
          <Callout tone="warn">{text}</Callout>
        )}
      </div>
      {replay.warnings.map((warning) => (
        <Callout key={warning} tone="warn">
          {warning}
        </Callout>
      ))}
      {replay.done > 0 && <ShadowResults workflowId={workflowId} replay={replay} />}
    </>
  );
}
