import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Channel } from '../../../../contract/alert-channels.ts';
import { CHANNEL_KINDS, DEFAULT_MESSAGE, DEFAULT_TITLE } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, createChannel, previewTemplate, updateChannel } from '../../../api/alerts.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Alerts.module.css';
import {
  channelFromFields,
  fieldsFromChannel,
  faultIn,
  fieldsOfKind,
  KIND_WORDS,
  missingIn,
  type ChannelFields,
} from './channel-draft.ts';
import { bindChecked, bindChoice, bindText } from '../../../ui/bind.ts';

const SECURITIES = [
  { value: 'starttls', label: t('STARTTLS') },
  { value: 'tls', label: t('Implicit TLS') },
  { value: 'none', label: t('None (sent in plain text)') },
] as const;

/** Fields beside each other stand in one line, whichever of them says more. */
const BELOW = ['label', 'input', 'description', 'error'] as const satisfies (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[];

/** A channel, new or known. What is secret is never shown: left empty it stays. */
export function ChannelForm({ channel, onClose }: { channel: Channel | null; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [fields, setFields] = useState(() => fieldsFromChannel(channel));
  const [tried, setTried] = useState(false);
  const missing = missingIn(fields, channel);
  const wrong = fieldsOfKind(fields.kind).some(({ name }) => faultIn(name, fields) !== null);
  const set = <K extends keyof ChannelFields>(name: K, value: ChannelFields[K]) =>
    setFields((old) => ({ ...old, [name]: value }));
  const put = (name: string, value: string) =>
    setFields((old) => ({ ...old, values: { ...old.values, [name]: value } }));

  async function save() {
    const { kind, ...draft } = channelFromFields(fields, channel);
    const { id } = channel === null ? await createChannel({ ...draft, kind }) : await updateChannel(channel.id, draft);
    await client.invalidateQueries({ queryKey: alertKeys.all });
    if (channel === null)
      toastSuccess(
        t('Created {name}', { name: draft.name }),
        t('Add the channel to a route to receive alerts. Use Test to check that it works.'),
        {
          label: t('Send alerts here'),
          run: () => void navigate({ to: '/alerts', search: { tab: 'routing', channel: id } }),
        },
      );
    else toastSuccess(t('Updated {name}', { name: draft.name ?? '' }));
    onClose();
  }
  const submit = () => {
    setTried(true);
    return missing.length > 0 || wrong ? null : save();
  };

  return (
    <FormDialog
      title={channel === null ? t('New channel') : t('Channel {name}', { name: channel.name })}
      size="lg"
      submitLabel={channel === null ? t('Create channel') : t('Save')}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className={css['pair']}>
        <TextInput
          label={t('Name')}
          withAsterisk
          {...bindText(fields.name, (text) => set('name', text))}
          error={tried && missing.includes('name') && t('Required.')}
          maxLength={200}
          data-autofocus
        />
        <Select
          label={t('Type')}
          data={CHANNEL_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
          {...bindChoice(fields.kind, (kind) => set('kind', kind))}
          disabled={channel !== null}
        />
      </div>
      <div className={css['pair']}>
        {fieldsOfKind(fields.kind).map(({ name, label, secret, description, needed }) => {
          const shared = {
            label,
            inputWrapperOrder: BELOW,
            description:
              secret && channel?.secretsSet.includes(name)
                ? t('Set. Leave empty to keep the current value')
                : description,
            value: fields.values[name] ?? '',
            onChange: (event: { currentTarget: { value: string } }) => put(name, event.currentTarget.value),
            error: tried && (missing.includes(name) ? t('Required.') : faultIn(name, fields)),
            required: needed ?? false,
          };
          return secret ? (
            <PasswordInput key={name} {...shared} autoComplete="new-password" />
          ) : (
            <TextInput key={name} {...shared} spellCheck={false} />
          );
        })}
        {fields.kind === 'email' && (
          <Select
            label={t('Encryption')}
            data={SECURITIES}
            value={fields.security}
            onChange={(value) => set('security', value ?? 'starttls')}
          />
        )}
      </div>
      {fields.kind === 'email' && fields.security !== 'none' && (
        <Checkbox
          label={t('Require a valid server certificate')}
          {...bindChecked(fields.verifyTls, (on) => set('verifyTls', on))}
        />
      )}
      <Checkbox
        label={t('Send resolved notifications')}
        {...bindChecked(fields.sendResolved, (on) => set('sendResolved', on))}
      />
      <TextInput
        label={t('Title')}
        placeholder={DEFAULT_TITLE}
        {...bindText(fields.title, (text) => set('title', text))}
        classNames={{ input: 'mono' }}
      />
      <Textarea
        label={t('Message')}
        description={t(
          'Also available: {{ $commonLabels.NAME }}, {{ $commonAnnotations.summary }}, {{ $firing }}, {{ $resolved }}, {{ $url }}',
        )}
        placeholder={DEFAULT_MESSAGE}
        {...bindText(fields.message, (text) => set('message', text))}
        autosize
        minRows={2}
        maxRows={8}
        classNames={{ input: 'mono' }}
      />
      <Shown title={fields.title} message={fields.message} />
    </FormDialog>
  );
}

/** The templates filled in for an example, as they are typed. */
function Shown({ title, message }: { title: string; message: string }): ReactNode {
  const [typed] = useDebouncedValue({ title, message }, 400);
  const { data, error } = useQuery({
    queryKey: ['alert-template', typed],
    queryFn: () =>
      previewTemplate({
        ...(typed.title.trim() === '' ? {} : { title: typed.title }),
        ...(typed.message.trim() === '' ? {} : { message: typed.message }),
      }),
    retry: false,
    placeholderData: (old) => old,
  });
  if (error) return <ErrorLine error={error} />;
  return data ? (
    <pre className={css['answer']} aria-label={t('Preview')} tabIndex={0}>{`${data.title}\n\n${data.message}`}</pre>
  ) : null;
}
