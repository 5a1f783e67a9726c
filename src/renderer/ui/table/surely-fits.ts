/** Pixels of the widest plain letter at the size of type of a table. */
const WIDEST = 12;

/** Whether a text is surely no wider than so many pixels. Of another script than Latin nobody can tell without drawing it. */
export const surelyFits = (text: string, pixels: number): boolean =>
  text.length * WIDEST <= pixels && /^[\x20-\x7e]*$/.test(text);
