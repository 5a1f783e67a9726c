import { expect, test } from 'vitest';
import { BUILT_IN_RULES, OUTDATED_ANNOTATIONS } from './built-in.ts';

test('no text of a built-in rule has a number before what it counts, which would be wrong for one', () => {
  for (const { annotations } of Object.values(BUILT_IN_RULES))
    // A symbol of a unit has no plural.
    for (const text of Object.values(annotations)) expect(text).not.toMatch(/\{\{ \$value \}\} (?!s\b)\w/);
});

test('no text of a built-in rule is called outdated', () => {
  for (const [id, texts] of Object.entries(OUTDATED_ANNOTATIONS))
    for (const [name, text] of Object.entries(texts))
      expect([text].flat()).not.toContain(BUILT_IN_RULES[id]?.annotations[name]);
});
