import type { OtlpTarget } from '../../contract/process.ts';
import type { OtlpState } from '../../contract/settings.ts';
import { iso } from '../../lib/clock.ts';
import type { TelemetryStats } from './port.ts';
import { OTLP_SIGNALS, type OtlpSignal } from '../../contract/vocabulary.ts';

/** The export as the settings show it: a target for each signal. */
export const otlpInfo = (
  targets: Readonly<Record<OtlpSignal, OtlpTarget | null>>,
  stats: TelemetryStats,
): OtlpState[] =>
  OTLP_SIGNALS.flatMap((signal) => {
    const target = targets[signal];
    const now = stats[signal];
    if (target === null || !now) return [];
    const { failing, exported, queued, bytes, oldestAt, dropped, lostReason, since } = now;
    return [
      {
        signal,
        target: {
          ...{ kind: 'otlp' as const, address: withoutCredentials(target.url) },
          state: failing !== null ? 'failing' : exported > 0 ? 'ok' : 'connecting',
          reason: failing,
          since: since === null ? null : iso(since),
          queue: {
            ...{ items: queued, bytes, oldestAt: oldestAt === null ? null : iso(oldestAt) },
            ...{ lost: dropped, lostReason: dropped === 0 ? null : lostReason },
          },
        },
      },
    ];
  });

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = url.password = '';
  return url.href;
}
