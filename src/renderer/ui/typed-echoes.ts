/** Texts that are remembered; who is so far ahead of the page's answers waits for the newest one. */
const MOST = 50;

/**
 * Tells the texts that come back after they were typed from those that others wrote. A page hands each text back to its editor,
 * and a busy one does so after more was typed: written in, the older text would undo the newer.
 */
export interface TypedEchoes {
  /** The editor handed this text on. */
  typed(text: string): void;
  /** True where `value` is a text that was typed before the one that stands there now. */
  isLate(value: string, current: string): boolean;
}

export function createTypedEchoes(): TypedEchoes {
  let awaited: string[] = [];
  return {
    typed(text) {
      awaited.push(text);
      if (awaited.length > MOST) awaited.shift();
    },
    isLate(value, current) {
      const found = awaited.lastIndexOf(value);
      // What was typed before it comes back no more.
      awaited = value === current ? [] : awaited.slice(found + 1);
      return value !== current && found >= 0;
    },
  };
}
