import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { expect, it } from 'vitest';
import { checkMeta } from './meta-check.ts';

const META = 'https://json-schema.org/draft/2020-12/schema';
const HEAD = `// @ts-nocheck
/* oxlint-disable */
/* Made of the schema of schemas (JSON Schema 2020-12) by \`npx vitest run src/server/workflows/schema/meta-check.test.ts -u\`: to compile it takes a tenth of a second. */
import runtime from 'ajv/dist/runtime/equal.js';

const equal = runtime.default ?? runtime;
`;

/** As the library writes it down. */
function generated(): string {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    code: { source: true, esm: true },
  });
  const write = ((standalone as unknown as { default?: typeof standalone }).default ?? standalone) as unknown as (
    of: Ajv2020,
    names: Record<string, string>,
  ) => string;
  return (
    HEAD +
    write(ajv, { checkMeta: META })
      .replace('"use strict";', '')
      .replaceAll('require("ajv/dist/runtime/equal").default', 'equal') +
    '\n'
  );
}

it('is what the library makes of the schema of schemas', async () => {
  const code = generated();
  expect(code).not.toContain('require(');
  await expect(code).toMatchFileSnapshot('./meta-check.ts');
});

it('finds what is no schema', () => {
  expect(checkMeta({ type: 'object', required: ['a', 'b'], properties: { a: true } })).toBe(true);
  for (const broken of [
    { type: 'text' },
    { required: ['a', 'a'] },
    { properties: { a: { minimum: 'no' } } },
    { allOf: [] },
    7,
  ])
    expect(checkMeta(broken)).toBe(false);
});
