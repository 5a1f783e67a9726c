import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { callShell, connectionsQuery, shellKeys } from '../../../stores/desktop.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { connectionPlace } from '../../../shell/frame/connection-place.ts';
import { ConnectionForm } from './ConnectionForm.tsx';
import { TunnelState } from './TunnelState.tsx';
import { ProbeSteps } from './ProbeSteps.tsx';
import css from '../shared/Settings.module.css';
import { Loading } from '../../../ui/Loading.tsx';

const KEPT = {
  system: t('token in the system key store'),
  session: t('token until the app is closed'),
  plain: t('token in a plain text file'),
  cluster: t('token from the Secret of its release'),
  none: t('no token'),
} as const;

export function DesktopConnections() {
  const { data, error, refetch } = useQuery(connectionsQuery());
  const client = useQueryClient();
  const [form, setForm] = useState<Connection | 'new' | null>(null);
  const { ask, dialog } = useConfirm();
  const changed = () => client.invalidateQueries({ queryKey: shellKeys.connections });
  const remove = ({ id, name }: Connection) =>
    ask({
      danger: true,
      title: t('Remove connection “{name}”?', { name }),
      confirmLabel: t('Remove 1 connection'),
      text: t('Its URL and token are deleted from this app. The cluster itself is not affected.'),
      async run() {
        await callShell('connections:remove', { id });
        await changed();
        toastSuccess(t('Connection removed'));
      },
    });
  return (
    <Section
      title={t('Connections')}
      flush
      actions={
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setForm('new')}>
          {t('Add connection')}
        </Button>
      }
    >
      {data === undefined && (
        <Loading query={{ error, refetch }} what={t('Could not load connections')} lines={3} compact />
      )}
      {data?.map((connection) => (
        <Row
          key={connection.id}
          connection={connection}
          onEdit={() => setForm(connection)}
          onRemove={() => remove(connection)}
        />
      ))}
      <FormModal
        opened={form !== null}
        onClose={() => setForm(null)}
        title={form === 'new' ? t('Add connection') : t('Edit connection')}
        size="lg"
      >
        {form !== null && (
          <ConnectionForm
            connection={form === 'new' ? null : form}
            onDone={() => (setForm(null), void changed())}
            onCancel={() => setForm(null)}
          />
        )}
      </FormModal>
      {dialog}
    </Section>
  );
}

function Row({ connection, onEdit, onRemove }: { connection: Connection; onEdit(): void; onRemove(): void }) {
  const test = useMutation({ mutationFn: () => callShell('connections:test', { id: connection.id }) });
  const open = () =>
    void callShell('connections:select', { id: connection.id }).catch(
      toastFailure(t('Could not switch the connection')),
    );
  return (
    <div className={css['connection']}>
      <span className={css['swatch']} style={{ '--swatch': connection.colour ?? 'transparent' }} aria-hidden />
      <div className={css['grow']}>
        <strong>{connection.name}</strong>{' '}
        {connection.production && <ToneBadge tone="fail">{t('production')}</ToneBadge>}{' '}
        {connection.readOnly && <ToneBadge tone="ready">{t('read-only')}</ToneBadge>}{' '}
        {connection.selected && <span className="dim">{t('(current window)')}</span>}
        <div className="dim">
          <span className="mono">{connectionPlace(connection)}</span>
          {connection.kind === 'remote' && `, ${KEPT[connection.tokenKept]}`}
          {connection.authority !== null && `, ${t('custom CA {name}', { name: connection.authority })}`}
          {connection.proxy !== 'system' &&
            `, ${connection.proxy === 'direct' ? t('no proxy') : t('via {proxy}', { proxy: connection.proxy })}`}
        </div>
        <TunnelState connection={connection} />
      </div>
      <Group gap={6}>
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate()}
          aria-label={t('Test {name}', { name: connection.name })}
        >
          {t('Test')}
        </Button>
        {connection.kind === 'remote' && (
          <>
            <Button variant="default" onClick={onEdit} aria-label={t('Edit {name}', { name: connection.name })}>
              {t('Edit')}
            </Button>
            <Button
              variant="default"
              onClick={onRemove}
              disabled={connection.selected}
              aria-label={t('Remove {name}', { name: connection.name })}
            >
              {t('Remove')}
            </Button>
          </>
        )}
        {!connection.selected && (
          <Button onClick={open} aria-label={t('Open {name}', { name: connection.name })}>
            {t('Open')}
          </Button>
        )}
      </Group>
      {test.data && <ProbeSteps report={test.data} />}
      <ErrorLine error={test.error} />
    </div>
  );
}
