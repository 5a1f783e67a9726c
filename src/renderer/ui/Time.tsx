import { formatDuration, formatTaken } from './Duration.tsx';
import { useNow, useUiSettings } from './settings.tsx';
import { formatAgo, formatInstant } from './time-text.ts';

export { useNow } from './settings.tsx';

/** An age that turns, absolute on hover; the other way round for who chose absolute times. */
export function TimeAgo({ at, absent = '–' }: { at: string | null; absent?: string }) {
  const { zone, times } = useUiSettings();
  if (at === null) return <span className="dim">{absent}</span>;
  if (times === 'absolute') {
    return (
      <time dateTime={at} className="numbers" data-age={at}>
        {formatInstant(at, zone, false)}
      </time>
    );
  }
  return (
    <time dateTime={at} className="numbers" data-instant={at}>
      <AgeText at={at} />
    </time>
  );
}

function AgeText({ at }: { at: string }) {
  return formatAgo(at, useNow());
}

/** Always the date and time of day. */
export function Instant({ at, absent = '–' }: { at: string | null; absent?: string }) {
  const { zone } = useUiSettings();
  if (at === null) return <span className="dim">{absent}</span>;
  return (
    <time dateTime={at} className="numbers" data-age={at}>
      {formatInstant(at, zone)}
    </time>
  );
}

/** Time between two instants; runs on while there is no end. */
export function Elapsed({ from, to = null }: { from: string | null; to?: string | null }) {
  if (from === null) return <span className="dim">–</span>;
  if (to === null) return <Running from={from} />;
  return <span className="numbers">{formatTaken(new Date(to).getTime() - new Date(from).getTime())}</span>;
}

function Running({ from }: { from: string }) {
  const seconds = Math.max(0, Math.floor((useNow() - new Date(from).getTime()) / 1000));
  return <span className="numbers">{formatDuration(seconds * 1000)}</span>;
}
