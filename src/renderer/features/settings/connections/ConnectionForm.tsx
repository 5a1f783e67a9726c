import { Box, Button, Checkbox, ColorInput, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import { appInfoQuery, callShell } from '../../../stores/desktop.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { BrowserSignIn } from './BrowserSignIn.tsx';
import { asksForToken, type Way, wayDraft, wayOf } from './connection-draft.ts';
import { KubernetesFields } from './KubernetesFields.tsx';
import { ProbeSteps } from './ProbeSteps.tsx';
import { type RouteDraft, RouteFields } from './RouteFields.tsx';
import { SshFields } from './SshFields.tsx';
import { bindChecked, bindText } from '../../../ui/bind.ts';

const SWATCHES = ['#1f74c9', '#1b8a6b', '#de8a0a', '#cf4520', '#8d4bb5', '#b0487f'];

/** A cluster by the way to it and a token. The token goes to the shell and never comes back. */
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
  const [way, setWay] = useState(() => wayDraft(connection));
  const [token, setToken] = useState('');
  const [colour, setColour] = useState(connection?.colour ?? '');
  const [production, setProduction] = useState(connection?.production ?? false);
  const [readOnly, setReadOnly] = useState(connection?.readOnly ?? false);
  const [allowPlain, setAllowPlain] = useState(false);
  const [route, setRoute] = useState<RouteDraft>({ ca: null, proxy: connection?.proxy ?? 'system' });
  const { data: app } = useQuery(appInfoQuery());
  const test = useMutation({
    mutationFn: () =>
      callShell(
        'connections:test',
        token === '' && connection && same ? { id: connection.id } : { ...(to ?? { url: '' }), token, ...route },
      ),
  });
  const to = wayOf(way);
  const withToken = asksForToken(way);
  // A saved connection is tested with its saved token, unless what was entered goes elsewhere.
  const same = JSON.stringify(to) === JSON.stringify(wayOf(wayDraft(connection)));
  const save = async () => {
    const common = {
      name: name.trim(),
      ...(to ?? { url: '' }),
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
  const good = name.trim() !== '' && to !== null && (connection !== null || token !== '' || !withToken);
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
      <div>
        <Box mb={4} fz="var(--text-normal)" fw={500}>
          {t('Connect by')}
        </Box>
        <SegmentedControl
          aria-label={t('Connect by')}
          value={way.way}
          onChange={(next) => setWay({ ...way, way: next as Way })}
          data={[
            { value: 'url', label: t('URL') },
            { value: 'kubernetes', label: t('Kubernetes') },
            { value: 'ssh', label: t('SSH tunnel') },
          ]}
        />
      </div>
      {way.way === 'kubernetes' && <KubernetesFields value={way} onChange={setWay} />}
      {way.way === 'ssh' && <SshFields value={way} onChange={setWay} />}
      {way.way === 'url' && (
        <TextInput
          label={t('Master URL')}
          description={t(
            'https://host[:port], or http:// for this machine; for a cluster all its masters, separated by commas',
          )}
          {...bindText(way.url, (url) => setWay({ ...way, url }))}
          required
        />
      )}
      {withToken && (
        <PasswordInput
          label={way.way === 'kubernetes' ? t('Your token') : t('Token')}
          description={connection ? t('Leave empty to keep the saved token') : t('With role viewer, operator or admin')}
          {...bindText(token, setToken)}
          autoComplete="off"
          required={connection === null}
        />
      )}
      {way.way === 'url' && <BrowserSignIn url={way.url} route={route} onTicket={setToken} />}
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
      <RouteFields
        value={route}
        kept={connection?.authority ?? null}
        withProxy={way.way === 'url'}
        onChange={setRoute}
      />
      {app?.secretsEncrypted === false && withToken && (
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
