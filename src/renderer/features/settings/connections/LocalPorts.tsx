import { Button, Group, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_PORT, type LocalPort, type PortPreference } from '../../../../contract/desktop.ts';
import type { LocalStatus } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { callShell, localPortsQuery, shellKeys } from '../../../stores/desktop.ts';
import { parsePort, PORT_LABELS, PORT_USERS, portFaults, takenText } from '../../../shell/frame/local-ports.ts';
import { toastFailure, toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

type Draft = Partial<Record<PortPreference, string | number>>;

/** The ports that the local master listens on: a field each, and what is in the way. */
export function LocalPorts({ status }: { status: LocalStatus }): ReactNode {
  const { data: ports } = useQuery(localPortsQuery(status));
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const save = useMutation({
    mutationFn: (change: Partial<Record<PortPreference, number | null>>) => callShell('desktop:prefer', change),
    onSuccess: async (state) => {
      client.setQueryData(shellKeys.state, state);
      await client.invalidateQueries({ queryKey: shellKeys.ports });
      setDraft({});
      toastSuccess(t('Ports saved'));
    },
    onError: toastFailure(t('Could not change the setting')),
  });
  if (ports === undefined) return null;
  const faults = portFaults(ports, draft);
  const changed = ports.filter(({ name, preferred }) => {
    const typed = draft[name];
    return typed !== undefined && (parsePort(typed) ?? null) !== preferred;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(faults).length === 0 && changed.length > 0)
      save.mutate(Object.fromEntries(changed.map(({ name }) => [name, parsePort(draft[name] ?? '') ?? null])));
  };
  const needing = ports.filter(({ restartNeeded }) => restartNeeded);
  return (
    <form onSubmit={submit} className={css['stack']} aria-label={t('Ports')}>
      <div className={css['ports']}>
        {ports.map((port) => (
          <NumberInput
            key={port.name}
            label={PORT_LABELS[port.name]}
            description={descriptionOf(port)}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder={String(port.usual)}
            min={0}
            max={MAX_PORT}
            allowDecimal={false}
            clampBehavior="none"
            disabled={port.fixedBy !== null}
            value={port.fixedBy === null ? (draft[port.name] ?? port.preferred ?? '') : port.wanted}
            onChange={(value) => setDraft({ ...draft, [port.name]: value })}
            error={faults[port.name]}
          />
        ))}
      </div>
      {[...new Set([...changed, ...needing])].map(({ name }) => (
        <p key={name} className="dim">
          {PORT_USERS[name]}
        </p>
      ))}
      <Group gap={8}>
        <Button
          type="submit"
          variant="default"
          loading={save.isPending}
          disabled={changed.length === 0 || Object.keys(faults).length > 0}
        >
          {t('Save ports')}
        </Button>
        {needing.length > 0 && (
          <>
            <span role="status">{t('Takes effect after the master restarts.')}</span>
            <Button
              onClick={() =>
                void callShell('local:restart', null).catch(toastFailure(t('Could not restart the local master')))
              }
            >
              {t('Restart now')}
            </Button>
          </>
        )}
      </Group>
    </form>
  );
}

function descriptionOf(port: LocalPort): string {
  if (port.fixedBy !== null) return t('Set by {option}, which overrides this setting.', { option: port.fixedBy });
  const usual = t('Default: {port}, or the next free one.', { port: String(port.usual) });
  if (!port.taken) return usual;
  if (port.current !== null && port.preferred === null)
    return `${takenText(port)} ${t('The master uses {port} instead.', { port: String(port.current) })}`;
  return `${usual} ${takenText(port)}`;
}
