import { BoundedMap } from '../../lib/bounded-map.ts';
import { Fault } from '../../lib/fault.ts';

/** How often the same failure is told again, and how many different ones are remembered. */
const AGAIN_MS = 10_000;
const KINDS = 200;

interface Told {
  at: number;
  /** Not told since. */
  more: number;
}

/**
 * Tells failures that nobody expected, each with its stack; of a fault that the catalogue knows its words say all. A disk that is full can fail hundreds of times a second: the
 * same failure is told once in ten seconds, with how often it came meanwhile.
 */
export function createErrorReports(log: (line: string) => void, now: () => number): (error: unknown) => void {
  const told = new BoundedMap<string, Told>(KINDS);
  return (error) => {
    const text = textOf(error);
    const key = keyOf(text);
    const known = told.get(key);
    if (known && now() - known.at < AGAIN_MS) {
      known.more++;
      return;
    }
    log(
      `${text}${known && known.more > 0 ? `\n  (and ${known.more} more times since ${new Date(known.at).toISOString()})` : ''}`,
    );
    told.set(key, { at: now(), more: 0 });
  };
}

function textOf(error: unknown): string {
  // Whoever waits for a write is told by its own error.
  if (error instanceof Fault && error.code === 'NO_OWNER')
    return "it is not known whether a write in the background was kept: this master's lease expired, or another master took over";
  if (error instanceof Fault) return `unexpected: ${error.code}: ${error.message}`;
  return `unexpected: ${error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)}`;
}

/** The message and where it came from; numbers and ids differ though the failure is the same. */
const keyOf = (text: string): string =>
  text
    .slice(0, 1000)
    .split('\n')
    .slice(0, 3)
    .join('\n')
    .replace(/[0-9a-f]{8,}|\d+/g, '#');
