import { type ReactNode, useState } from 'react';
import type { TokenCreated } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';
import { DrawnLater } from '../../../ui/DrawnLater.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { WorkerTokenForm } from '../../settings/WorkerTokenForm.tsx';
import { StartWorker } from './StartWorker.tsx';

interface Props {
  onClose(): void;
  onOpenWorker(workerId: string): void;
}

/** A new worker: its token, what to run, and whether it has come. */
export function AddWorker({ opened, ...body }: Props & { opened: boolean }): ReactNode {
  // A click beside it never loses a secret that cannot be shown again, and Escape none that no worker has yet.
  const [secret, setSecret] = useState<'none' | 'shown' | 'used'>('none');
  return (
    <DrawnLater opened={opened}>
      <FormModal
        opened={opened}
        onClose={body.onClose}
        title={t('Add worker')}
        guarded={secret === 'none'}
        size="min(720px, 94vw)"
        closeOnClickOutside={secret === 'none'}
        closeOnEscape={secret !== 'shown'}
        onExitTransitionEnd={() => setSecret('none')}
      >
        {opened && <Body {...body} onSecret={setSecret} />}
      </FormModal>
    </DrawnLater>
  );
}

function Body({ onSecret, onClose, onOpenWorker }: Props & { onSecret(secret: 'shown' | 'used'): void }): ReactNode {
  const [token, setToken] = useState<TokenCreated | null>(null);
  if (token)
    return (
      <StartWorker token={token} onJoined={() => onSecret('used')} onClose={onClose} onOpenWorker={onOpenWorker} />
    );
  return (
    <WorkerTokenForm
      onCancel={onClose}
      onCreated={(created) => {
        setToken(created);
        onSecret('shown');
      }}
    />
  );
}
