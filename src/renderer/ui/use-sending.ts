import { createContext, useContext, useEffect, useState } from 'react';

/** The dialog around a form: it does not ask whether to discard what is being sent, or was given up with Cancel. */
export interface SendingListener {
  onStart(): void;
  onEnd(): void;
  /** Nothing of it is to be kept. */
  onCancel(): void;
}

export const SendingContext = createContext<SendingListener | null>(null);

/** Sends one thing at a time: `busy` while it is on its way, `error` what was thrown at last, null where nothing was. `listener`: the dialog around it, where it is not found above. */
export function useSending(listener?: SendingListener) {
  const above = useContext(SendingContext);
  const dialog = listener ?? above;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // Once all that follows a success is done: it may lead to another page.
  useEffect(() => {
    if (!busy) dialog?.onEnd();
  }, [busy]);
  const send = async (run: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    dialog?.onStart();
    setBusy(true);
    setError(null);
    await run().catch(setError);
    setBusy(false);
  };
  return { busy, error, setError, send };
}

/** What a Cancel of a form does: it closes it, and nobody is asked. */
export function useCancel(onClose: () => void): () => void {
  const dialog = useContext(SendingContext);
  return () => {
    dialog?.onCancel();
    onClose();
  };
}
