import { type ReactNode, useRef } from 'react';
import { FormModal } from '../../../ui/FormModal.tsx';
import { SecretOnce } from './SecretOnce.tsx';

/** What it shows: the form that makes something with a secret, or the secret that came of it. */
export type SecretStep =
  | { readonly kind: 'new' }
  /** `what`: what it is called, where not as usual. */
  | { readonly kind: 'secret'; readonly secret: string; readonly what?: string };

/** A form, and in its place the secret that came of it; null: closed. A click beside it loses no secret. Whoever shows it gives the focus back. */
export function SecretDialog({
  title,
  what,
  step,
  onClose,
  children,
}: {
  title: string;
  /** What the secret is called. */
  what: string;
  step: SecretStep | null;
  onClose(): void;
  children: ReactNode;
}): ReactNode {
  // While it fades, it keeps what it showed.
  const shown = useRef(step);
  if (step !== null) shown.current = step;
  const secret = shown.current?.kind === 'secret' ? shown.current : null;
  return (
    <FormModal
      opened={step !== null}
      onClose={onClose}
      title={secret ? (secret.what ?? what) : title}
      guarded={secret === null}
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
    >
      {secret ? <SecretOnce what={secret.what ?? what} secret={secret.secret} onClose={onClose} /> : children}
    </FormModal>
  );
}
