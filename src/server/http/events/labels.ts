import type { Labels } from '../../../contract/jobs.ts';
import { type Fault, invalidAt } from '../../../lib/fault.ts';

const KEY = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/;
const VALUE_CHARACTERS = 256;

/**
 * The labels of the header `x-labels: team=billing,region=eu`; a comma within a value is written `%2C`. Throws
 * VALIDATION_FAILED. Those of a batch job are checked by its schema.
 */
export function parseLabels(header: string | string[] | undefined, most: number): Labels | null {
  if (header === undefined || header === '') return null;
  // Node reads headers as Latin-1; what senders mean is UTF-8 or ASCII.
  const text = Buffer.from(String(header), 'latin1').toString('utf8');
  const labels: Labels = Object.create(null);
  let count = 0;
  for (const part of text.split(',')) {
    const pair = part.trim();
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = (at < 0 ? pair : pair.slice(0, at)).trim();
    const value = decoded(at < 0 ? '' : pair.slice(at + 1).trim());
    if (!KEY.test(key))
      throw invalid(
        `the label key ${JSON.stringify(key.slice(0, 80))} is not valid: use at most 64 letters, digits and . _ / - and start with a letter or digit`,
      );
    if (value.length > VALUE_CHARACTERS)
      throw invalid(
        `the value of label ${key} must have at most ${VALUE_CHARACTERS} characters; it has ${value.length}`,
      );
    if (labels[key] === undefined && ++count > most) throw invalid(`a job can have at most ${most} labels`);
    labels[key] = value;
  }
  return count === 0 ? null : { ...labels };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const invalid = (detail: string): Fault => invalidAt('/headers/x-labels', `x-labels: ${detail}`, detail);
