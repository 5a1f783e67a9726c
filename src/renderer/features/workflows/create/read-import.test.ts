import { expect, test } from 'vitest';
import { readWorkflow } from './read-import.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const definition =
  '{"schemaVersion":1,"name":"Shout","nodes":[{"id":"input","type":"input","config":{"most":12345678901234567890}}],"edges":[],"output":"input"}';

test('a workflow with its id is read, and the definition keeps its numbers to the letter', () => {
  const read = readWorkflow(
    bytes(`{"id":"shout","name":"Shout it","description":" Upper-cases ","definition":${definition}}`),
    'x.workflow.json',
  );
  expect(read).toMatchObject({ id: 'shout', name: 'Shout it', description: 'Upper-cases' });
  expect(read.text).toContain('12345678901234567890');
  expect(read.text).not.toContain('Upper-cases');
});

test('a definition alone takes its name from inside and its id from the file', () => {
  expect(readWorkflow(bytes(definition), 'My Shout.workflow.json')).toMatchObject({
    id: 'my-shout',
    name: 'Shout',
    description: null,
  });
});

test.each(['', 'nonsense', '[]', '7', '{}', '{"definition":{}}'])('%j is refused with a reason', (text) => {
  expect(() => readWorkflow(bytes(text), 'x.workflow.json')).toThrow(/^x\.workflow\.json/);
  expect(() => readWorkflow(Uint8Array.of(0xff, 0xfe), 'x.workflow.json')).toThrow(/not valid JSON/);
});
