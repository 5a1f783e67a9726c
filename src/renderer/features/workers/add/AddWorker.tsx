import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { TokenCreated } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { DrawnLater } from '../../../ui/DrawnLater.tsx';
import { WorkerTokenForm } from '../../settings/WorkerTokenForm.tsx';
import { StartWorker } from './StartWorker.tsx';

interface Props {
  onClose(): void;
  onOpenWorker(workerId: string): void;
}

/** A new worker: its token, what to run, and whether it has come. */
export function AddWorker({ opened, ...body }: Props & { opened: boolean }): ReactNode {
  // Neither a click beside it nor Escape loses a secret that no worker has yet.
  const [holdsSecret, setHoldsSecret] = useState(false);
  return (
    <DrawnLater opened={opened}>
      <Modal
        opened={opened}
        onClose={body.onClose}
        title={<strong>{t('Add worker')}</strong>}
        size="min(720px, 94vw)"
        closeOnClickOutside={!holdsSecret}
        closeOnEscape={!holdsSecret}
        onExitTransitionEnd={() => setHoldsSecret(false)}
      >
        {opened && <Body {...body} onSecret={setHoldsSecret} />}
      </Modal>
    </DrawnLater>
  );
}

function Body({ onSecret, onClose, onOpenWorker }: Props & { onSecret(holds: boolean): void }): ReactNode {
  const [token, setToken] = useState<TokenCreated | null>(null);
  if (token)
    return <StartWorker token={token} onJoined={() => onSecret(false)} onClose={onClose} onOpenWorker={onOpenWorker} />;
  return (
    <WorkerTokenForm
      onCancel={onClose}
      onCreated={(created) => {
        setToken(created);
        onSecret(true);
      }}
    />
  );
}
