import { t } from '../../lib/language.ts';
import { formatNumber, formatRound } from './number-text.ts';

/** `840 ms`, `3.2 s`, `4 min 05 s`, `2 h 03 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 1) return ms === 0 ? '0 s' : `${formatNumber(ms, 2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${formatNumber(seconds, Number.isInteger(seconds) ? 0 : seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** The same for round times, as at an axis: `1.5 s`, `10 min`, `2 h`. */
export function formatRoundDuration(ms: number): string {
  if (ms <= 0 || ms >= 60_000) return formatDuration(ms).replace(/ 0+ (s|min|h)$/, '');
  return ms < 1000 ? `${formatRound(ms)} ms` : `${formatRound(ms / 1000)} s`;
}

/** Milliseconds. */
export function Duration({ ms }: { ms: number | null }) {
  return ms === null ? <span className="dim">–</span> : <span className="numbers">{formatTaken(ms)}</span>;
}

/** How long something took: what is over within a millisecond took some time too. */
export const formatTaken = (ms: number): string => (ms === 0 ? t('< 1 ms') : formatDuration(ms));

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatBytes(value: number, written: (size: number, digits: number) => string = formatNumber): string {
  let unit = 0;
  let size = value;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${written(size, unit === 0 || size >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

export function Bytes({ value }: { value: number | null }) {
  return value === null ? <span className="dim">–</span> : <span className="numbers">{formatBytes(value)}</span>;
}

/** `40,213` */
export const formatCount = (value: number): string => formatNumber(value);

export function Count({ value }: { value: number | null }) {
  return value === null ? <span className="dim">–</span> : <span className="numbers">{formatCount(value)}</span>;
}
