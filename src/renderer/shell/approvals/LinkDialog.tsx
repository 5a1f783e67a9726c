import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Link } from '../../../contract/waits.ts';
import { t } from '../../../lib/language.ts';
import { bindChoice, bindText } from '../../ui/bind.ts';
import { Callout } from '../../ui/Callout.tsx';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { rich } from '../../ui/rich.tsx';
import { Instant } from '../../ui/Time.tsx';

const HOUR = 3600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Makes a one-time link for somebody without an account, and shows it the one time that it is known. */
export function LinkDialog({
  text,
  make,
  onClose,
}: {
  /** What the link is good for. */
  text: string;
  make: (body: { for: string; expiresSeconds: number }) => Promise<Link>;
  onClose: () => void;
}): ReactNode {
  const [to, setTo] = useState('');
  const [expires, setExpires] = useState(String(WEEK));
  const [asked, setAsked] = useState(false);
  const [link, setLink] = useState<Link | null>(null);
  const isMissing = to.trim() === '';
  if (link !== null) return <LinkShown link={link} to={to.trim()} onClose={onClose} />;
  return (
    <FormDialog
      title={t('One-time link')}
      submitLabel={t('Create link')}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        return isMissing ? null : make({ for: to.trim(), expiresSeconds: Number(expires) }).then(setLink);
      }}
    >
      <Text size="sm">{text}</Text>
      <TextInput
        label={t('For')}
        description={t('Name or e-mail address; recorded as who answered')}
        {...bindText(to, setTo)}
        error={asked && isMissing ? t('Required.') : null}
        maxLength={200}
        required
        data-autofocus
      />
      <Select
        label={t('Valid for')}
        data={[
          { value: String(HOUR), label: t('1 hour') },
          { value: String(DAY), label: t('1 day') },
          { value: String(WEEK), label: t('1 week') },
          { value: String(30 * DAY), label: t('30 days') },
        ]}
        {...bindChoice(expires, setExpires)}
      />
    </FormDialog>
  );
}

/** It closes by its button alone: the link is shown once. */
function LinkShown({ link, to, onClose }: { link: Link; to: string; onClose: () => void }): ReactNode {
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{t('One-time link for {name}', { name: to })}</strong>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <CommandLine label={t('Link')} command={link.url} copy={t('Copy link')} />
        <Callout tone="warn" title={t('Shown only once')}>
          {rich('It works once, until {time}. Whoever has it can answer: send it like a password.', {
            time: <Instant at={link.expiresAt} />,
          })}
        </Callout>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('Done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
