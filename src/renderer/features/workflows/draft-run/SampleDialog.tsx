import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import { withPlainNumbers } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { storageLocationText } from '../../../stores/desktop.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { useDraftRuns } from './context.tsx';
import { shortJob } from './node-input.ts';
import { sampleFaults } from './sample-faults.ts';
import { firstSample } from './samples.ts';

/** The input that drafts are tried with, checked against the schema while it is typed. */
export function SampleDialog({ definition, onClose }: { definition: Definition; onClose: () => void }): ReactNode {
  useRestoreFocus(true);
  const runs = useDraftRuns();
  const { sample, kept, borrowed } = useStore(runs.store);
  const label = borrowed === null ? t('Example input') : t('Input of job {job}', { job: shortJob(borrowed.jobId) });
  const [text, setText] = useState(() => runs.sampleFor(definition));
  const diagnostics = useMemo(() => sampleFaults(text, withPlainNumbers(definition.input)), [text, definition.input]);
  const change = (next: string) => {
    setText(next);
    runs.setSample(next);
  };
  const run = () => {
    onClose();
    void runs.start(definition);
  };
  return (
    <Modal opened onClose={onClose} title={<strong>{label}</strong>} size="xl">
      <Stack
        gap="sm"
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.stopPropagation();
          run();
        }}
      >
        <Text size="sm" className="dim">
          {borrowed === null
            ? t('One input object. Draft runs and expression previews use it; it stays {here}.', {
                here: storageLocationText(),
              })
            : t(
                'Draft runs and expression previews use it until you stop debugging. Changes are not stored; your own example input is kept.',
              )}
        </Text>
        <CodeEditor
          label={label}
          value={text}
          onChange={change}
          minHeight={240}
          maxHeight={460}
          diagnostics={diagnostics}
        />
        {diagnostics.length > 0 && (
          <Text size="sm" c="var(--tone-warn-text)" role="status">
            {diagnostics[0]?.message}
          </Text>
        )}
        {!kept && (
          <Callout tone="warn" title={t('Not stored')}>
            {t('The storage {here} is full or disabled: the example is lost when you leave this page.', {
              here: storageLocationText(),
            })}
          </Callout>
        )}
        <Group justify="space-between">
          <ReasonButton
            variant="subtle"
            reason={sample === null ? t('The input already matches the example from the schema.') : null}
            onClick={() => change(firstSample(definition.input))}
          >
            {t('Generate from schema')}
          </ReasonButton>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Close')}
            </Button>
            <Button onClick={run}>{t('Run draft')}</Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
