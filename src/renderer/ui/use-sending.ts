import { useState } from 'react';

/** Sends one thing at a time: `busy` while it is on its way, `error` what was thrown at last, null where nothing was. */
export function useSending() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (run: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(null);
    await run().catch(setError);
    setBusy(false);
  };
  return { busy, error, setError, send };
}
