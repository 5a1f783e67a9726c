import { Button, Checkbox, ColorInput, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { appInfoQuery, callShell } from '../../../stores/desktop.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { BrowserSignIn } from './BrowserSignIn.tsx';
import { ProbeSteps } from './ProbeSteps.tsx';
import { type RouteDraft, RouteFields } from './RouteFields.tsx';
import { bindChecked, bindText } from '../../../ui/bind.ts';

const SWATCHES = ['#1f74c9', '#1b8a6b', '#de8a0a', '#cf4520', '#8d4bb5', '#b0487f'];

/** Of all masters of a connection, as they are typed. */
export const urlsOf = ({ url, otherUrls }: Pick<Connection, 'url' | 'otherUrls'>): string =>
  [url ?? '', ...otherUrls].join(', ');

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
  const [url, setUrl] = useState(connection ? urlsOf(connection) : 'https://');
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
  const good =
    name.trim() !== '' &&
    url.split(',').every((one) => /^https?:\/\/[^/]/.test(one.trim())) &&
    (connection !== null || token !== '');
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
      <TextInput label={t('Name')} {...bindText(name, setName)} data-autofocus required />
      <TextInput
        label={t('Master URL')}
        description={t(
          'https://host[:port], or http:// for this machine; for a cluster all its masters, separated by commas',
        )}
        {...bindText(url, setUrl)}
        required
      />
      <PasswordInput
        label={t('Token')}
        description={connection ? t('Leave empty to keep the saved token') : t('With role viewer, operator or admin')}
        {...bindText(token, setToken)}
        autoComplete="off"
        required={connection === null}
      />
      <BrowserSignIn url={url} route={route} onTicket={setToken} />
      <ColorInput
        label={t('Colour')}
        description={t('Coloured stripe to recognise this cluster')}
        size="xs"
        format="hex"
        swatches={SWATCHES}
        value={colour}
        onChange={setColour}
        placeholder={t('None')}
        eyeDropperButtonProps={{ 'aria-label': t('Pick a colour from the screen') }}
      />
      <Checkbox
        label={t('This is production')}
        description={t('Shows a production banner on every page')}
        {...bindChecked(production, setProduction)}
      />
      <Checkbox
        label={t('Read-only')}
        description={t(
          'The app sends no changes to this cluster. Turning this off requires confirmation in a system dialog.',
        )}
        {...bindChecked(readOnly, setReadOnly)}
      />
      <RouteFields value={route} kept={connection?.authority ?? null} onChange={setRoute} />
      {app?.secretsEncrypted === false && (
        <Checkbox
          label={t('Store the token in a plain text file')}
          description={t('This system has no key store. If off, the token is kept only until the app is closed.')}
          {...bindChecked(allowPlain, setAllowPlain)}
        />
      )}
      {test.data && <ProbeSteps report={test.data} />}
      <ErrorLine error={test.error} />
    </SubmitForm>
  );
}
