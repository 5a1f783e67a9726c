/** Whether a text is one of these words: what a browser or a file hands over is any text. */
export const isOneOf = <T extends string>(words: readonly T[], text: unknown): text is T =>
  words.some((word) => word === text);
