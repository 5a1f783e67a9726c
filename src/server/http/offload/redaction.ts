import { REDACTED_LEAST } from '../../../contract/secret-names.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import type { OffloadWork } from '../../offload/port.ts';
import { scrubbed } from '../routes/incident/scrub.ts';
import { HOLDERS } from '../core/redacted.ts';

/** The thread's end of what takes secrets out of long texts. */
export function createRedactionWork(): Pick<OffloadWork, 'scrub' | 'shown'> & {
  redact(secrets: readonly NamedSecret[]): void;
} {
  let redactor = createRedactor([], REDACTED_LEAST);
  return {
    redact: (secrets) => void (redactor = createRedactor(secrets, REDACTED_LEAST)),
    scrub: ({ kind, json }) => inText(json, (text) => scrubbed(redactor, kind, text)),
    shown: ({ whole, json }) => inText(json, (text) => redactor.json(text, whole ? undefined : HOLDERS)),
  };
}

/** The very same bytes where the text stays as it is. */
function inText(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const changed = change(text);
  return changed === text ? bytes : Buffer.from(changed);
}
