const QUOTED = 200;

/** The beginning of an expression, as messages of errors quote it. */
export const quoteExpression = (source: string): string => JSON.stringify(source.slice(0, QUOTED));
