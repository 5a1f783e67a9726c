import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, parseMultipart } from './multipart.ts';

/** What a browser's own encoder makes of a form. */
async function encoded(form: FormData): Promise<{ body: Buffer; boundary: string }> {
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  return {
    body: Buffer.from(await request.arrayBuffer()),
    boundary: boundaryOf(request.headers.get('content-type') ?? '') ?? '',
  };
}

describe('multipart forms', () => {
  it('give fields and files as they were put in', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
    const form = new FormData();
    form.append('title', 'Grüße "quoted"');
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'a "b".png');
    form.append('empty', '');
    const { body, boundary } = await encoded(form);
    expect(parseMultipart(body, boundary, 10)).toMatchObject([
      { name: 'title', filename: null, content: Buffer.from('Grüße "quoted"') },
      { name: 'file', filename: 'a "b".png', contentType: 'image/png', content: bytes },
      { name: 'empty', filename: null, content: Buffer.alloc(0) },
    ]);
    expect(() => parseMultipart(body, boundary, 2)).toThrow(/more than 2 parts/);
  });

  it('of any values come back the same', async () => {
    const plain = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(plain, fc.uint8Array({ maxLength: 200 })), { maxLength: 5 }),
        async (values) => {
          const form = new FormData();
          for (const [name, bytes] of values) form.append(name, new Blob([bytes]), 'f.bin');
          const { body, boundary } = await encoded(form);
          const parts = values.length === 0 ? [] : parseMultipart(body, boundary, 10);
          expect(parts.map(({ content }) => content)).toEqual(values.map(([, bytes]) => Buffer.from(bytes)));
        },
      ),
    );
  });

  it('that are cut or changed anywhere are refused with a reason, or read as what they then are', async () => {
    const form = new FormData();
    form.append('a', '1');
    form.append('b', new Blob(['x']), 'b.txt');
    const { body, boundary } = await encoded(form);
    for (let end = 0; end < body.length - 4; end++)
      expect(() => parseMultipart(body.subarray(0, end), boundary, 10)).toThrow(/not valid multipart/);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(body);
        changed[at] = byte;
        try {
          parseMultipart(changed, boundary, 10);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST' });
        }
      }),
    );
  });
});
