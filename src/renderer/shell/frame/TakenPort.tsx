import { Button, NumberInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PORT, type LocalPort } from '../../../contract/desktop.ts';
import { t } from '../../../lib/language.ts';
import { callShell, shellKeys } from '../../stores/desktop.ts';
import states from '../../ui/States.module.css';
import { toastFailure } from '../../ui/toasts.tsx';
import css from './Frame.module.css';
import { parsePort, PORT_LABELS, PORT_USERS, takenText } from './local-ports.ts';

/** The local master cannot start because another program has one of its ports: choose another one, here and now. */
export function TakenPort({ port, onStart, onRetry }: { port: LocalPort; onStart(): void; onRetry(): void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | number | null>(null);
  const value = typed ?? port.free ?? '';
  const chosen = parsePort(value);
  const use = useMutation({
    mutationFn: async () => {
      client.setQueryData(shellKeys.state, await callShell('desktop:prefer', { [port.name]: chosen ?? null }));
      await callShell('local:restart', null);
    },
    onSuccess: onRetry,
    onError: toastFailure(t('Could not start the local master')),
  });
  return (
    <div role="alert" className={states['line']} data-shade="warn">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {t('The local master cannot start.')} {takenText(port)}{' '}
        {port.fixedBy === null
          ? `${t('Stop that program, or choose another port.')} ${PORT_USERS[port.name]}`
          : t('{option} names this port: stop that program, or start the app with another port.', {
              option: port.fixedBy,
            })}
      </span>
      {port.fixedBy === null && (
        <form
          className={css['port']}
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen !== undefined) use.mutate();
          }}
        >
          <NumberInput
            aria-label={t('New port: {name}', { name: PORT_LABELS[port.name] })}
            size="xs"
            w={96}
            min={1}
            max={MAX_PORT}
            allowDecimal={false}
            value={value}
            onChange={setTyped}
            error={chosen === undefined}
          />
          <Button type="submit" size="compact-sm" loading={use.isPending} disabled={chosen === undefined}>
            {t('Use this port and start')}
          </Button>
        </form>
      )}
      <Button size="compact-sm" variant="default" onClick={onStart}>
        {t('Try again')}
      </Button>
    </div>
  );
}
