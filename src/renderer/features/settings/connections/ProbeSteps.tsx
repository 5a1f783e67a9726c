import { Box } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { ProbeReport } from '../../../../contract/ipc.ts';
import { t } from '../../../../lib/language.ts';
import css from '../shared/Settings.module.css';

const LOOK = {
  ok: { icon: IconCheck, className: css['ok'], word: t('ok') },
  failed: { icon: IconX, className: css['bad'], word: t('failed') },
  skipped: { icon: IconMinus, className: 'dim', word: t('not attempted') },
} as const;

/** What a test of a connection found, step by step. */
export function ProbeSteps({ report }: { report: ProbeReport }) {
  return (
    <Box role="status" w="100%">
      <ul className={`bare ${css['steps']}`}>
        {report.steps.map(({ step, state, message }, i) => {
          const { icon: Icon, className, word } = LOOK[state];
          return (
            <li key={`${i} ${step}`} className={className}>
              <Icon size={14} aria-label={word} />
              <span>
                <strong>{step}</strong> {message}
              </span>
            </li>
          );
        })}
      </ul>
    </Box>
  );
}
