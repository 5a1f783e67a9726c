import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { createDisguiseRedactor, type NamedSecret } from '../../../lib/redact.ts';
import { maskPaths } from '../../../lib/mask-paths.ts';
import type { OffloadWork } from '../../offload/port.ts';
import { redactText } from '../routes/incident/redact-bundle.ts';
import { REDACTED_FIELDS } from '../core/response-redaction.ts';

/** The thread's end of what takes secrets out of long texts. */
export function createRedactionWork(): Pick<OffloadWork, 'redactBundleText' | 'redactResponse'> & {
  redact(secrets: readonly NamedSecret[]): void;
} {
  let redactor = createDisguiseRedactor([], MIN_REDACTED_CHARACTERS);
  return {
    redact: (secrets) => void (redactor = createDisguiseRedactor(secrets, MIN_REDACTED_CHARACTERS)),
    redactBundleText: ({ kind, json }) => inText(json, (text) => redactText(redactor, kind, text)),
    redactResponse: ({ whole, json, masks }) =>
      inText(json, (text) => {
        const redacted = redactor.json(text, whole ? undefined : REDACTED_FIELDS);
        return masks ? maskPaths(redacted, masks, whole) : redacted;
      }),
  };
}

/** The very same bytes where the text stays as it is. */
function inText(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const changed = change(text);
  return changed === text ? bytes : Buffer.from(changed);
}
