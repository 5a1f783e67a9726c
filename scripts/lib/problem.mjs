/** What a person can mend: what went wrong, and what to do. */
export class Problem extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** Runs a script's main function; its number is the exit code. A `Problem` is told without a stack. */
export async function main(run) {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(`\n✗ ${error.message}\n${error.remedy ? `  ${error.remedy.split('\n').join('\n  ')}\n` : ''}`);
    process.exitCode = 1;
  }
}
