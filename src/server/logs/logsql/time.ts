/** Times in LogsQL: durations (`5m`, `1h30m`), and times of any precision (`2025`, `2025-03-10`, `2025-03-10T12:00:00.5Z`). Microseconds. */

const UNITS: Readonly<Record<string, number>> = { ns: 1e-3, us: 1, µs: 1, ms: 1e3, s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6, w: 604_800e6, y: 31_536_000e6 };

/** Microseconds of a duration; undefined where the text is none. */
export function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w|y))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w|y)/g)) sum += Number(number) * (UNITS[unit as string] as number);
  return Math.round(sum);
}

const TIME = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(Z|z|[+-]\d\d:?\d\d)?$/;

/** The span that a time of its precision names: `2025-03` is all of March. Without a zone it is UTC. Undefined where the text is no time. */
export function spanOf(text: string, now: number): { from: number; to: number } | undefined {
  if (text === 'now') return { from: now, to: now + 1 };
  const ago = durationOf(text.replace(/^(now)?-/, ''));
  if (ago !== undefined && /^(now)?-/.test(text)) return { from: now - ago, to: now - ago + 1 };
  if (/^\d{10}$/.test(text)) return { from: Number(text) * 1e6, to: (Number(text) + 1) * 1e6 };
  if (/^\d{13}$/.test(text)) return { from: Number(text) * 1e3, to: (Number(text) + 1) * 1e3 };
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, year = '', month, day, hour, minute, second, fraction, zone] = match;
  const parts = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1), Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)] as [number, number, number, number, number, number];
  if (parts[1] > 11 || parts[2] > 31 || parts[2] < 1 || parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return undefined;
  const shift = zoneMicros(zone);
  const precision = [month, day, hour, minute, second].filter((part) => part !== undefined).length;
  const next = [...parts] as typeof parts;
  next[precision] = (next[precision] as number) + 1;
  const from = Date.UTC(...parts) * 1000 - shift;
  if (fraction === undefined) return { from, to: Date.UTC(...next) * 1000 - shift };
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6));
  const step = fraction.length >= 6 ? 1 : 10 ** (6 - fraction.length);
  return { from: from + micros, to: from + micros + step };
}

function zoneMicros(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60e6;
}
