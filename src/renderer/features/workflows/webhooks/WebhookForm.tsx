import { NumberInput, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  WEBHOOK_PATH,
  type Webhook,
  type WebhookCreated,
  type WebhookVerifyIn,
} from '../../../../contract/webhooks.ts';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { changeWebhook, createWebhook } from '../../../api/webhooks.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { PreviewPanel, useTriedDelivery } from './PreviewPanel.tsx';
import { useWebhookPreview } from './use-webhook-preview.ts';
import { GIVES_SECRET, senderLabels, senderOf, SENDERS, setupHints, type Sender } from './webhook-words.ts';

/** A webhook, new or known. The secret of a known one is never shown: left empty it stays. */
export function WebhookForm({
  workflowId,
  webhook,
  onClose,
  onDone,
}: {
  workflowId: string;
  webhook: Webhook | null;
  onClose: () => void;
  onDone: (webhook: WebhookCreated) => void;
}): ReactNode {
  const before = webhook ? senderOf(webhook) : null;
  const [environment, setEnvironment] = useState<Environment>(webhook?.environment ?? 'dev');
  const [sender, setSender] = useState<Sender>(before ?? 'github');
  const [path, setPath] = useState(webhook?.path ?? '');
  const [secret, setSecret] = useState('');
  const [username, setUsername] = useState(webhook?.verify.username ?? '');
  const [filter, setFilter] = useState(webhook?.filter ?? '');
  const [mapping, setMapping] = useState(webhook?.mapping ?? '');
  const [response, setResponse] = useState<'accepted' | 'output'>(webhook?.response ?? 'accepted');
  const [responseMapping, setResponseMapping] = useState(webhook?.responseMapping ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [perSecond, setPerSecond] = useState<number | string>(webhook?.perSecond ?? '');

  const isPathWrong = path !== '' && !new RegExp(WEBHOOK_PATH).test(path);
  const settings = {
    description: orNull(description),
    filter: orNull(filter),
    mapping: orNull(mapping),
    response,
    responseMapping: response === 'output' ? orNull(responseMapping) : null,
    perSecond: typeof perSecond === 'number' ? perSecond : null,
  };
  const tried = useTriedDelivery(webhook, sender);
  const { filter: filterSource, mapping: mappingSource } = settings;
  const asks = tried.sample !== null && (filterSource !== null || mappingSource !== null || webhook !== null);
  const state = useWebhookPreview(
    asks && tried.sample
      ? { workflowId, environment, filter: filterSource, mapping: mappingSource, sample: tried.sample }
      : null,
  );
  const submit = async () => {
    const made = webhook
      ? await changeWebhook(webhook.id, {
          ...settings,
          path,
          // What differs from a preset was set by the API and stays.
          ...(sender === before && secret === '' && username === (webhook.verify.username ?? '')
            ? {}
            : { verify: verifyIn(sender, secret, username) }),
        })
      : await createWebhook({
          ...settings,
          workflowId,
          environment,
          verify: verifyIn(sender, secret, username),
          ...(path === '' ? {} : { path }),
        });
    onDone(made);
  };

  return (
    <FormDialog
      title={webhook ? t('Edit webhook') : t('New webhook')}
      submitLabel={webhook ? t('Save') : t('Create webhook')}
      size="lg"
      disabled={isPathWrong || (webhook !== null && path === '') || (sender === 'basic' && username === '')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={t('Environment')}
        data={[...ENVIRONMENTS]}
        disabled={webhook !== null}
        {...bindChoice(environment, setEnvironment)}
        data-autofocus
      />
      <Select
        label={t('Sender')}
        description={t('Whose deliveries are taken, and how they are verified')}
        data={SENDERS.map((value) => ({ value, label: senderLabels()[value] }))}
        {...bindChoice(sender, setSender)}
      />
      <Callout tone={sender === 'none' ? 'warn' : 'info'}>{setupHints()[sender]}</Callout>
      {sender === 'basic' && (
        <TextInput label={t('User name')} {...bindText(username, setUsername)} maxLength={255} required />
      )}
      {sender !== 'none' && (
        <PasswordInput
          label={sender === 'key' ? t('Key') : sender === 'basic' ? t('Password') : t('Secret')}
          description={
            webhook && sender === before
              ? t('Leave empty to keep the current value')
              : GIVES_SECRET.has(sender)
                ? t('As the service shows it')
                : t('Leave empty to generate one; it is shown once')
          }
          {...bindText(secret, setSecret)}
          autoComplete="new-password"
        />
      )}
      <TextInput
        label={t('Path')}
        description={t('Part of the URL behind /hooks/; empty: random')}
        {...bindText(path, setPath)}
        error={isPathWrong ? t('Use 3 to 100 letters, digits, hyphens and underscores.') : null}
        spellCheck={false}
      />
      <Expression
        label={t('Filter')}
        description={t('JSONata on the delivery; a job starts only where it is true')}
        placeholder={'headers."x-github-event" = "push"'}
        value={filter}
        set={setFilter}
        fault={state.preview?.filter.error ?? null}
      />
      <Expression
        label={t('Mapping')}
        description={t('JSONata that makes the input, or a list of inputs; empty: the body')}
        placeholder={'{"id": body.id, "by": query.by}'}
        value={mapping}
        set={setMapping}
        fault={state.preview?.mapping.error ?? null}
      />
      <PreviewPanel tried={tried} state={state} />
      <Select
        label={t('Response')}
        data={[
          { value: 'accepted', label: t('At once, with the ID of the job') },
          { value: 'output', label: t('With the output of the job') },
        ]}
        {...bindChoice(response, setResponse)}
      />
      {response === 'output' && (
        <Expression
          label={t('Mapping of the response')}
          description={t('JSONata on the output that returns status, headers and body; empty: the output')}
          placeholder={'{"status": 200, "body": output}'}
          value={responseMapping}
          set={setResponseMapping}
        />
      )}
      <NumberInput
        label={t('Deliveries per second')}
        description={t("Empty: the master's default")}
        min={1}
        max={10_000}
        value={perSecond}
        onChange={setPerSecond}
      />
      <TextInput label={t('Description')} {...bindText(description, setDescription)} maxLength={2000} />
    </FormDialog>
  );
}

function Expression({
  set,
  value,
  fault = null,
  ...rest
}: {
  label: string;
  description: string;
  placeholder: string;
  value: string;
  set: (text: string) => void;
  /** What is wrong with it. */
  fault?: string | null;
}): ReactNode {
  return (
    <Stack gap={0}>
      <Textarea
        {...rest}
        {...bindText(value, set)}
        error={fault}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </Stack>
  );
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function verifyIn(sender: Sender, secret: string, username: string): WebhookVerifyIn {
  switch (sender) {
    case 'none':
      return { type: 'none' };
    case 'key':
      return { type: 'key', ...(secret === '' ? {} : { key: secret }) };
    case 'basic':
      return { type: 'basic', username, ...(secret === '' ? {} : { password: secret }) };
    default:
      return { type: 'hmac', preset: sender, ...(secret === '' ? {} : { secret }) };
  }
}
