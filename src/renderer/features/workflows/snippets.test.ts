import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleInputs, sampleInput } from './sample-input.ts';
import { compact, keyLine, shellQuote, codeSnippet } from './snippets.ts';

const call = {
  url: 'http://127.0.0.1:8700/api/v1/events/greet/dev',
  body: '[\n  { "content": "it\'s \\"so\\"", "n": 12345678901234567890 }\n]',
  async: true,
};

/** What a POSIX shell makes of one word of single-quoted parts and escaped characters. */
const wordOfShell = (word: string): string =>
  word.replaceAll(
    /'([^']*)'|\\(.)/gs,
    (_, quoted: string | undefined, escaped: string | undefined) => quoted ?? escaped ?? '',
  );

describe('snippets', () => {
  it('hand the shell every text as it is', () => {
    const texts = ["it's", 'a "b" $HOME `x` \\', 'line\nline', '!x'];
    for (const text of texts) expect(wordOfShell(shellQuote(text))).toBe(text);
  });

  it('find the key in the shell once its line was run there', () => {
    expect(keyLine("ym_a'b")).toBe("export YARDMASTER_API_KEY='ym_a'\\''b'");
  });

  it('carry address, headers and body, and take the key from the environment', () => {
    expect(codeSnippet('curl', call)).toBe(
      [
        'curl -sS -X POST \\',
        "  'http://127.0.0.1:8700/api/v1/events/greet/dev' \\",
        '  -H "api-key: $YARDMASTER_API_KEY" \\',
        "  -H 'content-type: application/json' \\",
        "  -H 'prefer: respond-async' \\",
        `  --data-binary '[{"content":"it'\\''s \\"so\\"","n":12345678901234567890}]'`,
      ].join('\n'),
    );
    expect(codeSnippet('fetch', { ...call, async: false })).not.toContain('prefer');
    expect(codeSnippet('python', call)).toContain('"prefer": "respond-async"');
  });

  it('are JavaScript that parses and sends the very body', async () => {
    const sent: unknown[] = [];
    const text = codeSnippet('fetch', call);
    const run = new Function('fetch', 'process', 'console', `return (async () => { ${text} })()`) as (
      ...args: unknown[]
    ) => Promise<void>;
    await run(
      (url: string, init: unknown) => (sent.push(url, init), { ok: true, json: () => 1 }),
      { env: { YARDMASTER_API_KEY: 'k' } },
      { log: () => {} },
    );
    expect(sent).toEqual([
      call.url,
      {
        method: 'POST',
        headers: { 'api-key': 'k', 'content-type': 'application/json', prefer: 'respond-async' },
        body: compact(call.body),
      },
    ]);
  });

  it('lose no value and no spelling when they are made short', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(compact(JSON.stringify(value, null, 3))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('sampleOf', () => {
  const ajv = new Ajv({ strict: false });
  it.each([
    {
      type: 'object',
      properties: { content: { type: 'string' }, n: { type: 'integer', minimum: 3 } },
      required: ['content', 'n'],
    },
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: {
          type: 'array',
          items: { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] },
          minItems: 2,
        },
      },
    },
    {
      type: 'object',
      properties: {
        colour: { enum: ['red'] },
        size: { default: 4 },
        at: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      },
    },
    {
      type: 'object',
      properties: { code: { type: 'string', minLength: 12 } },
      required: ['code'],
      examples: [{ code: '123456789012' }],
    },
  ])('meets the schema it is made from: %j', (schema) => {
    expect(ajv.validate(schema, sampleInput(schema)), JSON.stringify(sampleInput(schema))).toBe(true);
  });

  it('starts with one plain object where there is no schema', () => {
    expect(JSON.parse(sampleInputs(undefined))).toEqual([{ content: 'hello' }]);
    expect(sampleInput({ type: ['string', 'null'] })).toBe('text');
  });
});
