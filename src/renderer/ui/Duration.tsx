import { t } from '../../lib/language.ts';
import { formatNumber } from './number-text.ts';

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

/** Milliseconds. */
export function Duration({ ms }: { ms: number | null }) {
  return ms === null ? <span className="dim">–</span> : <span className="numbers">{ms === 0 ? t('< 1 ms') : formatDuration(ms)}</span>;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatBytes(value: number): string {
  let unit = 0;
  let size = value;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${formatNumber(size, unit === 0 || size >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

export function Bytes({ value }: { value: number | null }) {
  return value === null ? <span className="dim">–</span> : <span className="numbers">{formatBytes(value)}</span>;
}

/** `40,213` */
export const formatCount = (value: number): string => formatNumber(value);

export function Count({ value }: { value: number | null }) {
  return value === null ? <span className="dim">–</span> : <span className="numbers">{formatCount(value)}</span>;
}
