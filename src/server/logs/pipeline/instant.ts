/** Times as shippers write them: as text, or as a number whose size says whether it counts s, ms, µs or ns. */

const TEXT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s*([Zz]|[+-]\d\d:?\d\d)?$/;
const MILLIS = /^.{19}\.\d{3}Z$/;
/** Begins no time. */
const NO_SECOND = '-';
const NUMBER = /^(\d{1,19})(?:\.(\d+))?$/;
const EXPONENT = /^\d+(?:\.\d+)?[eE]\+?\d{1,2}$/;
/** The year 9999 in seconds. */
const LATEST_SECONDS = 253_402_300_799n;

/**
 * RFC 3339 in UTC with as many digits of the second as were given (nanoseconds at most); undefined where it is no time.
 *
 * @param text text (a zone is optional: UTC), or the token of a number
 */
export function instantOf(text: string): string | undefined {
  // Most lines are of the same second as the one before, and in the form that is written here.
  if (text.length === 24 && text.startsWith(second) && MILLIS.test(text)) return text;
  const [, day, clock, fraction = '', zone = 'Z'] = TEXT.exec(text) ?? [];
  if (day !== undefined) {
    const ms = Date.parse(`${day}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
    return Number.isNaN(ms) ? undefined : written(ms, fraction);
  }
  const [, whole, part = ''] = NUMBER.exec(EXPONENT.test(text) ? plain(text) : text) ?? [];
  if (whole === undefined) return undefined;
  const count = BigInt(whole);
  if (count <= 0n && /^0*$/.test(part)) return undefined;
  // Decimal places of a second that the whole number already holds.
  const places =
    count < 100_000_000_000n ? 0 : count < 100_000_000_000_000n ? 3 : count < 100_000_000_000_000_000n ? 6 : 9;
  const unit = 10n ** BigInt(places);
  const seconds = count / unit;
  if (seconds > LATEST_SECONDS) return undefined;
  const digits = places === 0 ? '' : (count % unit).toString().padStart(places, '0');
  return written(Number(seconds) * 1000, (digits + part).slice(0, 9));
}

/** The second of the last time that was read, such as `2026-01-02T03:04:05`; it is a valid one. */
let second = NO_SECOND;

/** A double writes an exact number of seconds as text without an exponent. */
function plain(text: string): string {
  const number = Number(text);
  return number < 1e20 ? String(number) : '';
}

/** `fraction`: digits behind the second; at least milliseconds are written, zeros behind them are not. */
function written(ms: number, fraction: string): string | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined;
  const rest = fraction.slice(3).replace(/0+$/, '');
  second = date.toISOString().slice(0, 19);
  return `${second}.${fraction.slice(0, 3).padEnd(3, '0')}${rest}Z`;
}
