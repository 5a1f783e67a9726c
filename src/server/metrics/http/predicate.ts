import { invalid } from './answer.ts';

const PAIR =
  /\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w.-]*))\s*(!=|==|=~|!~|=)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'()]+))\s*/y;
const AND = /(?:and|or)\b/iy;

const plain = (quoted: string): string => quoted.replace(/\\(["'\\])/g, '$1');

/** The predicate of a delete: `tag="value"` joined with AND; empty: everything. Throws what this language does not have. */
export function parsePredicate(text: string): Record<string, string> {
  const tags: Record<string, string> = {};
  if (text.trim() === '') return tags;
  let at = 0;
  for (;;) {
    PAIR.lastIndex = at;
    const found = PAIR.exec(text);
    if (!found) throw invalid(`invalid predicate at position ${at}: expected tag="value", joined with AND`);
    const [, quotedKey, bareKey, operator, doubled, singled, bare] = found;
    if (operator !== '=' && operator !== '==')
      throw invalid(`the operator ${operator} is not supported in a predicate: only = is`);
    const key = quotedKey === undefined ? (bareKey ?? '') : plain(quotedKey);
    const value = bare ?? plain(doubled ?? singled ?? '');
    if (Object.hasOwn(tags, key) && tags[key] !== value)
      throw invalid(
        `the predicate requires two values of ${JSON.stringify(key)} at the same time, which no series can have`,
      );
    tags[key] = value;
    at = PAIR.lastIndex;
    if (at >= text.length) return tags;
    AND.lastIndex = at;
    const joined = AND.exec(text);
    if (!joined) throw invalid(`invalid predicate at position ${at}: expected AND`);
    if (joined[0].toLowerCase() === 'or')
      throw invalid('the logical operator OR is not supported in a predicate: send one request per value');
    at = AND.lastIndex;
  }
}
