import { useUiSettings } from '../../ui/settings.tsx';
import { formatInstant, type Zone } from '../../ui/time-text.ts';

/** A due time: they are of whole seconds. `zone`: another one than times are shown in elsewhere. */
export function DueTime({
  at,
  absent = '–',
  zone: own,
}: {
  at: string | null;
  absent?: string;
  zone?: Zone | undefined;
}) {
  const { zone: shown } = useUiSettings();
  const zone = own ?? shown;
  if (at === null) return <span className="dim">{absent}</span>;
  return (
    <time dateTime={at} className="numbers" data-hint={formatInstant(at, zone)}>
      {formatInstant(at, zone, false)}
    </time>
  );
}
