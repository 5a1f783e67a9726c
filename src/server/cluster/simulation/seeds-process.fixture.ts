import { simulate } from './simulate.fixture.ts';

/** `seeds-process.fixture.ts FROM STEP COUNT`: runs that many seeds, each `STEP` after the other, and writes a line of JSON for each. */
const [from = 1, step = 1, count = 1] = process.argv.slice(2).map(Number);
for (let i = 0; i < count; i++) {
  const seed = from + i * step;
  const { notes, ...outcome } = await simulate(seed);
  const line = { seed, ...outcome, ...(outcome.violation === null && count > 1 ? {} : { notes }) };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
