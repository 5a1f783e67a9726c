import { Modal } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import css from './Dashboard.module.css';

/** A panel over the whole window. Then the focus goes back to where full screen was asked for. */
export function FullPanel({
  panel: { id, title },
  onClose,
  children,
}: {
  panel: Panel;
  onClose(): void;
  children: ReactNode;
}): ReactNode {
  useEffect(
    () => () =>
      void requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`[data-actions="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }),
      ),
    [id],
  );
  return (
    <Modal.Root opened fullScreen onClose={onClose} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={title} className={css['full'] ?? ''}>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}
