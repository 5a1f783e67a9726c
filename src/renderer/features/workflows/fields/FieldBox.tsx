import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Fields.module.css';

/** Name and help above a field that is no input of Mantine's, and what is wrong with it below. */
export function FieldBox({
  label,
  help,
  fault,
  children,
}: {
  /** Null: it stands elsewhere. */
  label: string | null;
  help: string;
  fault: string | null;
  children: ReactNode;
}): ReactNode {
  return (
    <>
      {label !== null && (
        <Text size="xs" fw={600}>
          {label}
        </Text>
      )}
      {help !== '' && (
        <Text size="xs" className="dim" mb={4}>
          {help}
        </Text>
      )}
      {children}
      {fault !== null && (
        <Text size="xs" className={classes.fault} role="status">
          {fault}
        </Text>
      )}
    </>
  );
}
