/** `ESC [ … letter` (ECMA-48), of which `m` colours. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]/g;

/** A text without the sequences that colour a terminal and move its cursor. */
export const stripAnsi = (text: string): string => text.replace(SEQUENCE, '');
