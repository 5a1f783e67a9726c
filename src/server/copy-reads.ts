import { LIMITS } from '../contract/limits.ts';
import { MIN_REDACTED_CHARACTERS } from '../contract/secret-names.ts';
import type { ReadThere } from '../lib/copy-read.ts';
import { createDisguiseRedactor, type NamedSecret } from '../lib/redact.ts';
import type { CopyReads } from './cluster/port.ts';
import { createResponseRedaction } from './http/core/response-redaction.ts';
import { openOffload } from './http/offload/open-offload.ts';
import { openCopyQueries, type CopyQueries } from './jobs/queries/thread/copy-queries.ts';
import { createSecretsReader } from './secrets/read-secrets.ts';
import { openForReading } from './store/sqlite/handle.ts';

/**
 * What a standby reads of its working copy for the owner, and shows without the secrets that stand in that copy. It opens
 * with the first read: most standbys are asked for none.
 *
 * @param secretsKey that of all masters
 */
export function openCopyReads(file: string, secretsKey: string, onError: (error: unknown) => void): CopyReads {
  let opened: ReturnType<typeof open> | null = null;

  function open(limits: ReadThere['limits']) {
    const all = { ...LIMITS, ...limits };
    const handle = openForReading(file, 512, 0);
    const readSecrets = createSecretsReader(handle.read, secretsKey);
    const redactionThread = openOffload({ limits: all, onError });
    let redactor = createDisguiseRedactor([], MIN_REDACTED_CHARACTERS);
    let tell: (secrets: readonly NamedSecret[]) => void = () => {};
    const shown = createResponseRedaction({
      secrets: {
        get redactor() {
          return redactor;
        },
        watch: (told) => (tell = told),
      },
      redactionThread,
      limits: all,
    });
    const queries: CopyQueries = openCopyQueries(file, all);
    return {
      limits: JSON.stringify(limits),
      async answer(read: ReadThere, signal: AbortSignal) {
        const json = await queries.run(read, signal);
        // After the read: what stands in its answer was sealed before.
        const secrets = readSecrets();
        if (secrets !== null) {
          redactor = createDisguiseRedactor(secrets, MIN_REDACTED_CHARACTERS);
          redactionThread.redact(secrets);
          tell(secrets);
        }
        return shown(read.route)(json, false);
      },
      async close() {
        await Promise.all([queries.close(), redactionThread.close()]);
        handle.close();
      },
    };
  }

  return {
    answer(read, signal) {
      if (opened !== null && opened.limits !== JSON.stringify(read.limits)) {
        opened.close().catch(onError);
        opened = null;
      }
      return (opened ??= open(read.limits)).answer(read, signal);
    },
    async close() {
      const last = opened;
      opened = null;
      await last?.close();
    },
  };
}
