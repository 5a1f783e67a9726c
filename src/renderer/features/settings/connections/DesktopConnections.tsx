import { Button, Group, Modal } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { callShell, connectionsQuery, shellKeys } from '../../../stores/desktop.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ErrorLine, ErrorState } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { toastSuccess, toastError } from '../../../ui/toasts.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { ProbeSteps } from './ProbeSteps.tsx';
import css from '../shared/Settings.module.css';

const KEPT = {
  system: t("token in the system's key store"),
  session: t('token until the app ends'),
  plain: t('token in a plain file'),
  none: t('no token'),
} as const;

export function DesktopConnections() {
  const { data, error, refetch } = useQuery(connectionsQuery());
  const client = useQueryClient();
  const [form, setForm] = useState<Connection | 'new' | null>(null);
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: shellKeys.connections });
  return (
    <Section
      title={t('Connections')}
      flush
      actions={
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setForm('new')}>
          {t('Add a connection')}
        </Button>
      }
    >
      {data === undefined &&
        (error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <ErrorState
            error={error}
            what={t('The connections could not be read')}
            onRetry={() => void refetch()}
            compact
          />
        ))}
      {data?.map((connection) => (
        <Row
          key={connection.id}
          connection={connection}
          onEdit={() => setForm(connection)}
          onRemove={() => setLeaving(connection)}
        />
      ))}
      <Modal
        opened={form !== null}
        onClose={() => setForm(null)}
        title={<strong>{form === 'new' ? t('Add a connection') : t('Change the connection')}</strong>}
        size="lg"
      >
        {form !== null && (
          <ConnectionForm
            connection={form === 'new' ? null : form}
            onDone={() => (setForm(null), void changed())}
            onCancel={() => setForm(null)}
          />
        )}
      </Modal>
      {leaving && (
        <ConfirmAction
          opened
          onClose={() => setLeaving(null)}
          danger
          title={t('Remove the connection “{name}”?', { name: leaving.name })}
          confirmLabel={t('Remove 1 connection')}
          onConfirm={async () => {
            await callShell('connections:remove', { id: leaving.id });
            await changed();
            toastSuccess(t('The connection is removed'));
          }}
        >
          {t('Its address and token are forgotten here. The cluster itself is not touched.')}
        </ConfirmAction>
      )}
    </Section>
  );
}

function Row({ connection, onEdit, onRemove }: { connection: Connection; onEdit(): void; onRemove(): void }) {
  const test = useMutation({ mutationFn: () => callShell('connections:test', { id: connection.id }) });
  const open = () =>
    void callShell('connections:select', { id: connection.id }).catch((error: unknown) =>
      toastError(t('The connection could not be opened'), error),
    );
  return (
    <div className={css['connection']}>
      <span className={css['swatch']} style={{ '--swatch': connection.colour ?? 'transparent' }} aria-hidden />
      <div className={css['grow']}>
        <strong>{connection.name}</strong>{' '}
        {connection.production && <ToneBadge tone="fail">{t('production')}</ToneBadge>}{' '}
        {connection.readOnly && <ToneBadge tone="ready">{t('read-only')}</ToneBadge>}{' '}
        {connection.selected && <span className="dim">{t('(open in this window)')}</span>}
        <div className="dim">
          <span className="mono">{connection.url ?? t('not running')}</span>
          {connection.kind === 'remote' && `, ${KEPT[connection.tokenKept]}`}
          {connection.authority !== null && `, ${t('own authority {name}', { name: connection.authority })}`}
          {connection.proxy !== 'system' &&
            `, ${connection.proxy === 'direct' ? t('no proxy') : t('by {proxy}', { proxy: connection.proxy })}`}
        </div>
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
            <Button variant="default" onClick={onEdit} aria-label={t('Change {name}', { name: connection.name })}>
              {t('Change')}
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
