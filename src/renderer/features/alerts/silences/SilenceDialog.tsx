import { Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Alert } from '../../../../contract/alerts.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, createSilence, expireSilence } from '../../../api/alerts.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { matcherText, matchersIn } from '../shared/labels.ts';
import { bindText } from '../../../ui/bind.ts';

const SPANS = [
  { value: '900', label: t('15 minutes') },
  { value: '3600', label: t('1 hour') },
  { value: '14400', label: t('4 hours') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('1 week') },
];

/** Messages are kept back for a while. Begins with the labels of an alert, where one was chosen. */
export function SilenceDialog({ alert, onClose }: { alert: Alert | null; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const [text, setText] = useState(() =>
    Object.entries(alert?.labels ?? {})
      .filter(([name]) => name !== 'severity')
      .map(([name, value]) => matcherText({ name, op: '=', value }))
      .join('\n'),
  );
  const [seconds, setSeconds] = useState('3600');
  const [comment, setComment] = useState('');
  const matchers = matchersIn(text);
  const submit = async () => {
    if (matchers === null) return;
    const { id } = await createSilence({ matchers, comment: comment.trim(), durationSeconds: Number(seconds) });
    await client.invalidateQueries({ queryKey: alertKeys.all });
    toastSuccess(t('Silenced'), t('Alerts still firing when it ends are sent then.'), {
      label: t('Undo'),
      run: () =>
        void expireSilence(id).then(
          () => client.invalidateQueries({ queryKey: alertKeys.all }),
          toastFailure(t('Could not undo')),
        ),
    });
    onClose();
  };
  return (
    <FormDialog
      title={alert === null ? t('New silence') : t('Silence {ruleName}', { ruleName: alert.ruleName })}
      submitLabel={t('Silence')}
      disabled={matchers === null || matchers.length === 0 || comment.trim() === ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <Textarea
        label={t('Matchers')}
        required
        description={t('One per line: name="value", also != =~ !~. Remove lines to silence more alerts.')}
        {...bindText(text, setText)}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        error={matchers === null ? t('Each line needs a name, an operator (= != =~ !~) and a value.') : null}
        {...(alert === null ? { 'data-autofocus': true } : {})}
      />
      <Select label={t('Duration')} data={SPANS} value={seconds} onChange={(value) => setSeconds(value ?? '3600')} />
      <TextInput
        label={t('Reason')}
        required
        {...bindText(comment, setComment)}
        maxLength={2000}
        {...(alert === null ? {} : { 'data-autofocus': true })}
      />
    </FormDialog>
  );
}
