import { takeOnFlags } from './take-on-flags.ts';

const before = process.pid;
takeOnFlags();
process.stdout.write(
  JSON.stringify({
    pid: before,
    execArgv: process.execArgv,
    argv: process.argv.slice(2),
    arenas: process.env['MALLOC_ARENA_MAX'],
  }),
);
