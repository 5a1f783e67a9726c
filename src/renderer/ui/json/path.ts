const PLAIN = /^[A-Za-z_$][\w$]*$/;

/** A path as expressions and filters write it: `order.items[3].price`; names that are no plain words stand in backticks. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const name of path) {
    if (typeof name === 'number') text += `[${name}]`;
    else text += `${text === '' ? '' : '.'}${PLAIN.test(name) ? name : `\`${name}\``}`;
  }
  return text === '' ? '$' : text.startsWith('[') ? `$${text}` : text;
}
