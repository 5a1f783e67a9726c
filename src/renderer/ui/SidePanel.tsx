import { CloseButton, Drawer, Group, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { t, inSentence } from '../../lib/language.ts';
import { useDiscardGuard } from './discard-guard.tsx';
import { DrawnLater } from './DrawnLater.tsx';
import { isOccluded } from './is-occluded.ts';
import { SendingContext } from './use-sending.ts';

/** One thing beside the page that it was chosen on. `id` null: closed. `what` names the kind of thing: `Worker`. `above`: it was opened in a dialog, and Escape is its own. `form`: it begins in a field of its own, which has `data-autofocus`. `guarded`: it asks before what was entered in it is lost; as `form` where it is not given. */
export function SidePanel({
  what,
  id,
  width = 760,
  above = false,
  form = false,
  guarded = form,
  onClose,
  children,
}: {
  what: string;
  id: string | null;
  width?: number;
  above?: boolean;
  form?: boolean;
  guarded?: boolean;
  onClose(): void;
  children(id: string): ReactNode;
}): ReactNode {
  const head = useRef<HTMLDivElement>(null);
  const guard = useDiscardGuard(onClose);
  const close = guarded ? guard.close : onClose;
  return (
    <DrawnLater opened={id !== null}>
      <Drawer.Root
        opened={id !== null}
        onClose={() => (above || !isOccluded(head.current)) && close()}
        position="right"
        size={`min(${width}px, 92vw)`}
      >
        <Drawer.Overlay backgroundOpacity={0.25} />
        <Drawer.Content aria-label={what}>
          <Drawer.Body>
            <Group ref={head} justify="space-between" mb="xs">
              <Text size="sm" c="dimmed">
                {what}
              </Text>
              <CloseButton
                aria-label={t('Close {what}', { what: inSentence(what) })}
                onClick={close}
                data-autofocus={form ? undefined : true}
              />
            </Group>
            {id !== null && (
              <SendingContext key={id} value={guard.sending}>
                <div {...guard.fields}>{children(id)}</div>
              </SendingContext>
            )}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {guarded && guard.question}
    </DrawnLater>
  );
}
