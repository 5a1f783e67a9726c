import { Group, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EnvironmentPointer } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';

/** What each environment points to, in one line; `aged`: and since when. Environments that point nowhere are left out. */
export function EnvironmentPointers({
  pointers,
  aged = false,
}: {
  pointers: readonly EnvironmentPointer[];
  aged?: boolean;
}): ReactNode {
  const published = pointers.filter((pointer) => pointer.hash !== null);
  if (published.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Not published')}
      </Text>
    );
  }
  return (
    <Group gap="4px 12px" {...(aged ? {} : { wrap: 'nowrap' })}>
      {published.map((pointer) => (
        <Group key={pointer.environment} gap={6} wrap="nowrap">
          <EnvironmentBadge environment={pointer.environment} />
          <Tooltip
            label={
              <>
                {pointer.hash} · <TimeAgo at={pointer.publishedAt} />
              </>
            }
          >
            <span>
              {typeof pointer.number === 'number' && <strong>{t('v{number}', { number: pointer.number })} </strong>}
              {/* In a list the number says enough; the hash shows on hover. */}
              {(aged || typeof pointer.number !== 'number') && (
                <span className="mono">{pointer.hash?.slice(0, 8)}</span>
              )}
            </span>
          </Tooltip>
          {aged && (
            <Text size="xs" c="dimmed" span>
              <TimeAgo at={pointer.publishedAt} />
            </Text>
          )}
        </Group>
      ))}
    </Group>
  );
}
