import { useEffect, useState } from 'react';

/** The minute that relative time filters count from. */
export function useCurrentMinute(): number {
  const [minute, setMinute] = useState(() => Math.floor(Date.now() / 60_000));
  useEffect(() => {
    const timer = setInterval(() => setMinute(Math.floor(Date.now() / 60_000)), 10_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}
