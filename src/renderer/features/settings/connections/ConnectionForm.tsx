import { Button, Checkbox, ColorInput, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { appInfoQuery, callShell } from '../../../stores/desktop.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { ProbeSteps } from './ProbeSteps.tsx';
import { type RouteDraft, RouteFields } from './RouteFields.tsx';

const SWATCHES = ['#1f74c9', '#1b8a6b', '#de8a0a', '#cf4520', '#8d4bb5', '#b0487f'];

/** A cluster by address and token. The token goes to the shell and never comes back. */
export function ConnectionForm({
  connection,
  onDone,
  onCancel,
}: {
  connection: Connection | null;
  onDone(): void;
  onCancel(): void;
}) {
  const [name, setName] = useState(connection?.name ?? '');
  const [url, setUrl] = useState(connection?.url ?? 'https://');
  const [token, setToken] = useState('');
  const [colour, setColour] = useState(connection?.colour ?? '');
  const [production, setProduction] = useState(connection?.production ?? false);
  const [readOnly, setReadOnly] = useState(connection?.readOnly ?? false);
  const [allowPlain, setAllowPlain] = useState(false);
  const [route, setRoute] = useState<RouteDraft>({ ca: null, proxy: connection?.proxy ?? 'system' });
  const { data: app } = useQuery(appInfoQuery());
  const test = useMutation({
    mutationFn: () =>
      callShell('connections:test', token === '' && connection ? { id: connection.id } : { url, token, ...route }),
  });
  const save = async () => {
    const common = {
      name: name.trim(),
      url: url.trim(),
      colour: colour === '' ? null : colour,
      production,
      readOnly,
      allowPlain,
      proxy: route.proxy,
      ...(route.ca === null ? {} : { ca: route.ca }),
    };
    if (connection)
      await callShell('connections:update', { id: connection.id, ...common, ...(token === '' ? {} : { token }) });
    else await callShell('connections:add', { ...common, token });
    onDone();
  };
  const good = name.trim() !== '' && /^https?:\/\/[^/]/.test(url.trim()) && (connection !== null || token !== '');
  return (
    <SubmitForm
      disabled={!good}
      aside={
        <Button variant="default" loading={test.isPending} disabled={!good} onClick={() => test.mutate()}>
          {t('Test')}
        </Button>
      }
      onCancel={onCancel}
      onSubmit={save}
    >
      <TextInput
        label={t('Name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        required
      />
      <TextInput
        label={t('Address of the master')}
        description={t('https://host[:port], or http:// on this machine')}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        required
      />
      <PasswordInput
        label={t('Token')}
        description={connection ? t('Empty: the one that is kept') : t('Of role viewer, operator or admin')}
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        autoComplete="off"
        required={connection === null}
      />
      <ColorInput
        label={t('Colour')}
        description={t('A stripe that tells this cluster apart')}
        size="xs"
        format="hex"
        swatches={SWATCHES}
        value={colour}
        onChange={setColour}
        placeholder={t('None')}
        eyeDropperButtonProps={{ 'aria-label': t('Take a colour from the screen') }}
      />
      <Checkbox
        label={t('This is production')}
        description={t('A bar with the word stands over the window, whatever the page')}
        checked={production}
        onChange={(event) => setProduction(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('Read-only')}
        description={t(
          'The app hands on nothing that changes anything there. Allowing changes again asks in a window of the system.',
        )}
        checked={readOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <RouteFields value={route} kept={connection?.authority ?? null} onChange={setRoute} />
      {app?.secretsEncrypted === false && (
        <Checkbox
          label={t('Keep the token in a plain file')}
          description={t('This system has no key store. Without this, the token lives until the app ends.')}
          checked={allowPlain}
          onChange={(event) => setAllowPlain(event.currentTarget.checked)}
        />
      )}
      {test.data && <ProbeSteps report={test.data} />}
      <ErrorLine error={test.error} />
    </SubmitForm>
  );
}
