import { describe, expect, it } from 'vitest';
import { offersAt, type Known, type Language } from './complete.ts';

const known: Known = {
  sample: {
    order: {
      lines: [
        { sku: 'a', price: 1 },
        { sku: 'b', 'net price': 2 },
      ],
    },
    total: 12,
  },
  secrets: ['TOKEN'],
  mayNameSecrets: true,
};
/** What is offered at the bar, with what it replaces. */
function at(language: Language, marked: string, over: Partial<Known> = {}) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = offersAt(language, text, offset, { ...known, ...over });
  return (
    found && { typed: text.slice(found.from, offset), labels: found.offers.map(({ label, insert }) => insert ?? label) }
  );
}

describe('completion of expressions', () => {
  it('offers the members of the sample, through lists', () => {
    expect(at('jsonata', 'order.lines.|')).toEqual({ typed: '', labels: ['sku', 'price', '`net price`'] });
    expect(at('jsonata', 'order.lines[0].pr|')?.typed).toBe('pr');
    expect(at('jsonata', '$.order.|')?.labels).toEqual(['lines']);
    expect(at('jsonata', '{ "sum": $sum(order.|) }')?.labels).toEqual(['lines']);
    expect(at('jsonata', '|')?.labels.slice(0, 3)).toEqual(['order', 'total', 'secrets']);
    expect(at('jsonata', 'total > |')?.labels[0]).toBe('order');
  });

  it('offers functions after a dollar, and secrets where they may be named', () => {
    expect(at('jsonata', '$up|')).toMatchObject({ typed: '$up', labels: expect.arrayContaining(['$uppercase']) });
    expect(at('template', 'Bearer {{ secrets.| }}')).toEqual({ typed: '', labels: ['TOKEN'] });
    expect(at('jsonata', 'secrets.|', { mayNameSecrets: false })).toBeNull();
  });

  it('is silent in texts, outside of the braces of a template, and where nothing is known', () => {
    expect(at('jsonata', '"order.|"')).toBeNull();
    expect(at('template', 'Hello order.|')).toBeNull();
    expect(at('template', '{{ total }} order.|')).toBeNull();
    expect(at('jsonata', 'nothing.|')).toBeNull();
    expect(at('jsonata', 'order.|', { sample: undefined })).toBeNull();
  });

  it('knows input and context in code', () => {
    expect(at('javascript', 'return input.order.|')?.labels).toEqual(['lines']);
    expect(at('javascript', 'return input?.order?.|')?.labels).toEqual(['lines']);
    expect(at('javascript', 'ctx.|')?.labels).toContain('log');
    expect(at('javascript', 'ctx.secrets.T|')).toEqual({ typed: 'T', labels: ['TOKEN'] });
    expect(at('javascript', 'const x = 1; x.|')).toBeNull();
  });
});
