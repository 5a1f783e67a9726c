/** A text as a terminal may have it: control characters, which could move its cursor or make it do something, are spaces. */
export const forTerminal = (text: string): string => text.replace(/(?![\t\n])\p{Cc}/gu, ' ');
