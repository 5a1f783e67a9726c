import { Group, Loader, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import type { DefinitionMark } from '../definition/marks.ts';
import classes from './Editor.module.css';
import type { Checked } from '../definition/use-marks.ts';

const LOOKS = {
  save: { icon: IconCircleX, word: t('Blocks saving'), tone: 'fail' },
  publish: { icon: IconCircleX, word: t('Blocks publishing'), tone: 'fail' },
  advice: { icon: IconAlertTriangle, word: t('Warning'), tone: 'warn' },
} as const;
const SHOWN = 100;

/** What is wrong with the draft; each entry leads to its place. `placeOf`: what to call the place where it is not the text that is shown. */
export const FaultList = memo(function FaultList({
  checked,
  onJump,
  placeOf,
}: {
  checked: Checked;
  onJump: (mark: DefinitionMark) => void;
  placeOf?: ((mark: DefinitionMark) => string) | undefined;
}): ReactNode {
  const { marks, state } = checked;
  const blocking = marks.filter(({ blocks }) => blocks !== null).length;
  return (
    <section className={`card ${classes.faults}`} aria-label={t('Problems')}>
      <Group gap="xs" p="8px var(--mantine-spacing-sm)" wrap="nowrap">
        <Text size="sm" fw={600} aria-live="polite">
          {marks.length === 0
            ? state === 'failed'
              ? t('Not validated')
              : state === 'asking'
                ? t('Validating…')
                : t('No problems')
            : blocking > 0
              ? tn('{count} problem', '{count} problems', blocking)
              : tn('{count} warning, no errors', '{count} warnings, no errors', marks.length)}
        </Text>
        {state === 'asking' && <Loader size={12} aria-hidden="true" />}
      </Group>
      {state === 'failed' && (
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          {t('The master could not validate the graph. Only structure and syntax were checked.')}
        </Text>
      )}
      {marks.length === 0 && state !== 'failed' ? (
        <Group gap={6} px="sm" pb="sm" wrap="nowrap">
          <IconCircleCheck size={16} className={classes.good} aria-hidden="true" />
          <Text size="sm" c="dimmed">
            {state === 'asking' ? t('No structure or syntax errors so far.') : t('Ready to save and publish.')}
          </Text>
        </Group>
      ) : (
        <ScrollArea.Autosize mah={220} type="auto">
          <ul className={classes.faultRows}>
            {marks.slice(0, SHOWN).map((mark, index) => {
              const { icon: Icon, word, tone } = LOOKS[mark.blocks ?? 'advice'];
              return (
                <li key={`${mark.from} ${index}`}>
                  <UnstyledButton className={classes.fault} onClick={() => onJump(mark)}>
                    <Icon size={16} data-tone={tone} className={classes.faultIcon} aria-label={word} />
                    <span>
                      <Text size="sm" span>
                        {mark.message}
                      </Text>
                      <Text size="xs" c="dimmed" ff="monospace" display="block">
                        {placeOf
                          ? placeOf(mark)
                          : `${t('line {line}', { line: mark.line })}${mark.pointer === '' ? '' : ` · ${mark.pointer}`}`}
                      </Text>
                    </span>
                  </UnstyledButton>
                </li>
              );
            })}
          </ul>
          {marks.length > SHOWN && (
            <Text size="xs" c="dimmed" px="sm" pb="xs">
              {t('{count} more are marked in the text.', { count: marks.length - SHOWN })}
            </Text>
          )}
        </ScrollArea.Autosize>
      )}
    </section>
  );
});
