import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { CopyButton, CopyText } from '../../../ui/CopyButton.tsx';
import { type EventCall, keyLine, SNIPPETS, type SnippetLanguage, codeSnippet } from '../snippets.ts';
import classes from './Try.module.css';

/** The call as code to copy; `apiKey`: the one that is typed above, empty where there is none. */
export function Snippets({ call, apiKey }: { call: EventCall; apiKey: string }): ReactNode {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const text = codeSnippet(language, call);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('This call as code')}
        </Text>
        <SegmentedControl
          aria-label={t('Language')}
          value={language}
          onChange={(value) => setLanguage(value)}
          data={SNIPPETS.map((one) => ({ value: one.language, label: one.label }))}
        />
      </Group>
      <div className={classes['code']}>
        <pre tabIndex={0} aria-label={t('Call in {language}', { language })}>
          {text}
        </pre>
        <div className={classes['copy']}>
          <CopyButton value={text} label={t('Copy as {language}', { language })} />
        </div>
      </div>
      <Group gap={6} justify="space-between">
        <Text size="xs" c="dimmed">
          {t(
            "The code reads the key from the environment variable YARDMASTER_API_KEY. Don't put keys into source code.",
          )}
        </Text>
        {apiKey !== '' && <CopyText label={t('Copy the export command')} text={() => keyLine(apiKey)} />}
      </Group>
    </Stack>
  );
}
