/** Colours of lines, told apart by colour-blind eyes too: neighbours differ in lightness. */
const NAMES = [
  '--tone-run',
  '--tone-partial',
  '--tone-done',
  '--tone-late',
  '--tone-sched',
  '--tone-mixed',
  '--tone-ready',
  '--tone-fail',
] as const;

/** Of the n-th line. States and levels have their own. */
export const seriesColour = (index: number, label: string): string =>
  OWN[label.toLowerCase()] ?? NAMES[index % NAMES.length] ?? '';

const OWN: Readonly<Record<string, string>> = {
  completed: '--tone-done',
  failed: '--tone-fail',
  running: '--tone-run',
  ready: '--tone-ready',
  scheduled: '--tone-sched',
  schedule_timeout: '--tone-late',
  run_timeout: '--tone-mixed',
  trace: '--tone-empty',
  debug: '--tone-ready',
  info: '--tone-run',
  warn: '--tone-partial',
  error: '--tone-fail',
  fatal: '--tone-mixed',
};
