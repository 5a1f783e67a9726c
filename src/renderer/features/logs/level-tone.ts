import type { Tone } from '../../ui/status.ts';

const TONES: Readonly<Record<string, Tone>> = {
  FATAL: 'fail',
  ERROR: 'fail',
  WARN: 'partial',
  WARNING: 'partial',
  INFO: 'run',
  DEBUG: 'ready',
  TRACE: 'empty',
};

/** Tone of a log level in any spelling; unknown ones are quiet. */
export const levelTone = (level: string | undefined): Tone => TONES[level?.toUpperCase() ?? ''] ?? 'empty';
