import { Button, Group, Radio, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import classes from './Merge.module.css';
import { placeOf, sideText } from './summary.ts';
import type { Conflict, Side } from './three-way.ts';

const SIDES: readonly Side[] = ['theirs', 'mine'];

/** The places that both changed, one by one: both texts side by side, and which of them holds. */
export function Conflicts({
  conflicts,
  choices,
  onChoose,
}: {
  conflicts: readonly Conflict[];
  choices: ReadonlyMap<string, Side>;
  onChoose: (key: string, side: Side) => void;
}): ReactNode {
  const words: Readonly<Record<Side, string>> = { theirs: t('Theirs'), mine: t('Mine') };
  return (
    <section aria-label={t('Conflicts')}>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600}>
          {tn(
            '{count} conflict: both versions changed it',
            '{count} conflicts: both versions changed them',
            conflicts.length,
          )}
        </Text>
        {conflicts.length > 1 && (
          <Group gap={4}>
            {SIDES.map((side) => (
              <Button
                key={side}
                size="compact-xs"
                variant="subtle"
                onClick={() => conflicts.forEach(({ key }) => onChoose(key, side))}
              >
                {side === 'theirs' ? t('Take all theirs') : t('Take all mine')}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <ul className={`bare ${classes.conflicts}`}>
        {conflicts.map((conflict) => (
          <li key={conflict.key}>
            <Radio.Group
              label={placeOf(conflict.key)}
              value={choices.get(conflict.key) ?? ''}
              onChange={(side) => side !== '' && onChoose(conflict.key, side)}
            >
              {conflict.base !== undefined && (
                <Text size="xs" className={`dim ${classes.before}`}>
                  {t('Before: {text}', { text: sideText(conflict.base) })}
                </Text>
              )}
              <div className={classes.sides}>
                {SIDES.map((side) => (
                  <label
                    key={side}
                    className={classes.choice}
                    data-chosen={choices.get(conflict.key) === side || undefined}
                  >
                    <Radio value={side} label={words[side]} />
                    {conflict[side] === undefined ? (
                      <Text size="xs" className="dim">
                        {t('removed')}
                      </Text>
                    ) : (
                      <pre>{sideText(conflict[side])}</pre>
                    )}
                  </label>
                ))}
              </div>
            </Radio.Group>
          </li>
        ))}
      </ul>
    </section>
  );
}
