import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { DiscardQuestion, type Leaving, LeaveQuestion, leavesTab } from './LeaveQuestion.tsx';
import { isOccluded } from './is-occluded.ts';
import { useRestoreFocus } from './restore-focus.ts';
import type { SendingListener } from './use-sending.ts';

export interface DiscardGuard {
  /** Properties of the element that holds the fields. */
  readonly fields: {
    ref(element: HTMLElement | null): void;
    onFocusCapture(): void;
    onKeyDownCapture(): void;
    onPointerDownCapture(): void;
    onInputCapture(): void;
  };
  /** What the form says of its sending: give it to `SendingContext`, or to `useSending` itself. */
  readonly sending: SendingListener;
  /** For Escape, a click outside and the cross. */
  close(): void;
  /** For Cancel, which says that nothing is to be kept, and closes at once. A form in a dialog has it of `useCancel()`. */
  cancel(): void;
  /** Stands beside the dialog, not in its form. With it the form also asks where Back or a link would leave it, or the window is closed. */
  readonly question: ReactNode;
}

/**
 * A form that is closed loses what was entered: this asks first, where something was. The fields themselves are compared, before the
 * first key or click and at the end, so that no form has to say what it holds.
 */
export function useDiscardGuard(onClose: () => void): DiscardGuard {
  const root = useRef<HTMLElement | null>(null);
  const before = useRef(new WeakMap<Element, string>());
  const isTouched = useRef(false);
  /** It was sent or given up: that it closes may change the address. */
  const isDone = useRef(false);
  /** The fields that a change of the address was to take away. */
  const leaving = useRef<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useRestoreFocus(isAsking);

  // What loads later fills fields and adds some: each counts from the last moment before somebody did something.
  const remember = () => {
    if (root.current === null) return;
    for (const field of fieldsIn(root.current))
      if (!isTouched.current || !before.current.has(field)) before.current.set(field, valueOf(field));
  };
  const touch = () => {
    remember();
    isTouched.current = true;
  };
  const isChanged = () =>
    isTouched.current &&
    root.current !== null &&
    fieldsIn(root.current).some((field) => (before.current.get(field) ?? '') !== valueOf(field));
  const ref = useCallback((element: HTMLElement | null) => {
    root.current = element;
    before.current = new WeakMap();
    isTouched.current = false;
    isDone.current = false;
    // The first of them may have the focus already, and then nothing but its input is heard of.
    remember();
    setOpen(element !== null);
  }, []);
  const sending = useMemo(
    () => ({
      onStart: () => void (isDone.current = true),
      onEnd: () => void (isDone.current = false),
      onCancel: () => void (isDone.current = true),
    }),
    [],
  );
  const cancel = () => {
    sending.onCancel();
    onClose();
  };
  return {
    fields: {
      ref,
      onFocusCapture: remember,
      onKeyDownCapture: touch,
      onPointerDownCapture: touch,
      onInputCapture() {
        isTouched.current = true;
        isDone.current = false;
      },
    },
    sending,
    close() {
      // Escape reaches all that is open: what lies above, as the question itself, takes it for its own.
      if (isAsking || isOccluded(root.current)) return;
      if (isChanged()) setAsking(true);
      else onClose();
    },
    cancel,
    question: isAsking ? (
      <DiscardQuestion
        onStay={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          cancel();
        }}
      />
    ) : (
      isOpen && (
        <LeaveQuestion
          isLost={(change) => {
            leaving.current = root.current;
            return isChanged() && (isByHistory(change) || (isToAnother(change) && !isDone.current));
          }}
          isUnsaved={() => isChanged() && !isDone.current}
          // Another of its kind may be open there.
          onLeft={() => root.current !== null && root.current === leaving.current && onClose()}
        />
      )
    ),
  };
}

/** Back and Forward, which no form does itself. */
const isByHistory = ({ action }: Leaving): boolean => action !== 'PUSH' && action !== 'REPLACE';
/** A link, or a choice in the command palette; what only replaces the address, as a choice in the form does, leaves it open. */
const isToAnother = (change: Leaving): boolean => change.action === 'PUSH' || leavesTab(change);

/** Of forms, and without those of an editor's own search panel. An editor marks itself once somebody types in it. */
const fieldsIn = (root: HTMLElement): Element[] => [
  ...root.querySelectorAll('form :is(input, textarea, select, [data-edited]):not(.cm-editor *)'),
];

function valueOf(field: Element): string {
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
    return field.checked ? 'checked' : '';
  return 'value' in field ? String(field.value) : 'edited';
}
