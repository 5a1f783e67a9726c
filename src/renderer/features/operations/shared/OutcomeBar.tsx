import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Operation } from '../../../../contract/operations.ts';
import { percentDone, percentSkipped } from './labels.ts';

/** How far an operation is: what was done, and apart from it what was skipped. */
export function OutcomeBar({
  operation,
  label,
  size,
}: {
  operation: Operation;
  label: string;
  size: 'md' | 'lg';
}): ReactNode {
  const [done, skipped] = [percentDone(operation), percentSkipped(operation)];
  return (
    <Progress.Root
      size={size}
      w="100%"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(done)}
    >
      <Progress.Section withAria={false} value={done - skipped} color="teal.8" />
      {skipped > 0 && <Progress.Section withAria={false} value={skipped} color="orange.8" />}
    </Progress.Root>
  );
}
