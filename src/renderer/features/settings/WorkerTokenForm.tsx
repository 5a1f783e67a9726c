import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TokenCreated } from '../../../contract/access.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { accessKeys, createToken } from '../../api/access.ts';
import { SubmitForm } from '../../ui/SubmitForm.tsx';
import { CredentialName, Lifetime } from './access/credential-fields.tsx';
import { expiryDate } from './access/expiry.ts';
import { WorkerTokenFields, workerTokenBody } from './access/WorkerTokenFields.tsx';

/** A token for a pool of workers. */
export function WorkerTokenForm({
  onCreated,
  onCancel,
}: {
  onCreated(token: TokenCreated): void;
  onCancel(): void;
}): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const [environments, setEnvironments] = useState<Environment[]>([]);
  const [labels, setLabels] = useState<string[]>([]);
  const ofWorkers = workerTokenBody(environments, labels);
  return (
    <SubmitForm
      submitLabel={t('Create token')}
      disabled={name.trim() === '' || ofWorkers === null}
      onCancel={onCancel}
      onSubmit={async () => {
        const token = await createToken({
          name: name.trim(),
          role: 'worker',
          expiresAt: expiryDate(days, Date.now()),
          ...ofWorkers,
        });
        onCreated(token);
        await client.invalidateQueries({ queryKey: accessKeys.tokens });
      }}
    >
      <p className="dim">
        {t('Each pool of workers has its own token. Any number of workers can use it; revoke it to disconnect them.')}
      </p>
      <CredentialName value={name} onChange={setName} />
      <WorkerTokenFields
        environments={environments}
        onEnvironments={setEnvironments}
        labels={labels}
        onLabels={setLabels}
      />
      <Lifetime value={days} onChange={setDays} />
    </SubmitForm>
  );
}
