import { Button, Group, Loader, Stack, Tabs } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { TokenCreated, TokenUse } from '../../../../contract/access.ts';
import type { Worker } from '../../../../contract/workers.ts';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import { t, tn } from '../../../../lib/language.ts';
import { tokenUseQuery } from '../../../api/access.ts';
import { useMasterUrl } from '../../../stores/desktop.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { rich } from '../../../ui/rich.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import states from '../../../ui/States.module.css';
import { isLocalMaster, START_WAYS, startCommands, type StartWay } from './start-commands.ts';
import css from './AddWorker.module.css';

const LOOK_MS = 1500;
const NAMES: Readonly<Record<StartWay, string>> = {
  shell: t('Command line'),
  node: 'Node.js',
  docker: 'Docker',
  systemd: 'systemd',
};
/** What stands over each command of a way. */
const LABELS: Readonly<Record<StartWay, readonly string[]>> = {
  shell: [t('Runs all node types except handlers; add --handlers FILE for your own functions')],
  node: [t('worker.mjs, in a project with the package yardmaster'), t('Start it')],
  docker: [t('With the image that you built: see Containers and systemd in the help')],
  systemd: [t('With the .deb package, or the unit in deploy/systemd')],
};

/** The token and what to paste, and what came of it: it looks until a worker has joined. */
export function StartWorker({
  token,
  onJoined,
  onClose,
  onOpenWorker,
}: {
  token: TokenCreated;
  onJoined(): void;
  onClose(): void;
  onOpenWorker(workerId: string): void;
}): ReactNode {
  const url = useMasterUrl();
  const [way, setWay] = useState<StartWay>('shell');
  const { data } = useQuery({ ...tokenUseQuery(token.id), refetchInterval: LOOK_MS });
  const commands = startCommands(url, token.token);
  const joined = data?.workers.find(({ state }) => state !== 'Down');
  const hasJoined = joined !== undefined;
  const tell = useRef(onJoined);
  tell.current = onJoined;
  useEffect(() => {
    if (hasJoined) tell.current();
  }, [hasJoined]);
  return (
    <Stack gap="sm">
      <div className={states['line']} data-shade="warn" role="note">
        <span>
          {t("The token is in these commands. Copy it now. It can't be shown again: only its hash is stored.")}
        </span>
        <CopyButton value={token.token} label={t('Copy token')} />
      </div>
      <Tabs value={way} onChange={(next) => isOneOf(START_WAYS, next) && setWay(next)}>
        <Tabs.List aria-label={t('How to start the worker')}>
          {START_WAYS.map((one) => (
            <Tabs.Tab key={one} value={one} {...(one === 'shell' ? { 'data-autofocus': true, autoFocus: true } : {})}>
              {NAMES[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {START_WAYS.map((one) => (
          <Tabs.Panel key={one} value={one} pt="sm">
            <Stack gap="xs">
              {commands[one].map((command, i) => (
                <CommandLine key={command} label={LABELS[one][i] ?? ''} command={command} />
              ))}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      {isLocalMaster(url) && (
        <p className={css['note']}>
          {t('This address reaches the master only from its own machine. Workers on other machines need another one.')}
        </p>
      )}
      <div role="status" className={css['outcome']}>
        {joined ? <Joined worker={joined} /> : <Waiting refused={sinceThen(data, token)} />}
      </div>
      <Group justify="flex-end" gap="xs">
        {joined && (
          <Button variant="default" onClick={() => onOpenWorker(joined.id)}>
            {t('Show worker')}
          </Button>
        )}
        <Button variant={joined ? 'filled' : 'default'} onClick={onClose}>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The latest connection that was refused while the dialog is open. Older ones were others' trouble. */
const sinceThen = (use: TokenUse | undefined, { createdAt }: TokenCreated): TokenUse['refused'][number] | undefined =>
  use?.refused.find(({ at }) => at >= createdAt);

function Joined({ worker: { id, maxTasks, version } }: { worker: Worker }) {
  return (
    <div className={css['joined']} data-shade="done">
      <IconCircleCheck size={20} aria-hidden />
      <span>
        <strong>{t('Worker …{id} is connected', { id: id.slice(-8) })}</strong>
        <br />
        {tn('{count} slot, version {version}', '{count} slots, version {version}', maxTasks, { version })}
      </span>
    </div>
  );
}

function Waiting({ refused }: { refused: TokenUse['refused'][number] | undefined }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Loader size={16} aria-hidden />
        <span>{t('Waiting for the worker…')}</span>
      </Group>
      {refused && (
        <Callout tone="warn" title={t('A worker was refused')}>
          {rich('{time} from {address}: {message}', {
            time: <TimeAgo at={refused.at} />,
            address: refused.address ?? t('this machine'),
            message: refused.message,
          })}{' '}
          <span className="mono">{refused.code}</span>
        </Callout>
      )}
    </Stack>
  );
}
