import { useUiSettings } from '../../ui/settings.tsx';
import { formatInstant } from '../../ui/time-text.ts';

/** A due time: they are of whole seconds. */
export function DueTime({ at, absent = '–' }: { at: string | null; absent?: string }) {
  const { zone } = useUiSettings();
  if (at === null) return <span className="dim">{absent}</span>;
  return (
    <time dateTime={at} className="numbers" data-hint={formatInstant(at, zone)}>
      {formatInstant(at, zone, false)}
    </time>
  );
}
