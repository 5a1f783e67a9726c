import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from './lib/problem.mjs';
import { run } from './lib/processes.mjs';
import { sbomOf } from './lib/sbom.mjs';

/**
 * `npm run sbom [-- FILE] [--check]`: the bill of materials (CycloneDX) to standard output or a file. `--check` also has npm
 * verify the registry's signatures of what is installed; without a network, or with a registry that signs nothing, it says
 * so and goes on.
 */
await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const words = process.argv.slice(2);
  const file = words.find((word) => !word.startsWith('--'));
  const text = `${JSON.stringify(sbomOf(root), null, 2)}\n`;
  if (file) writeFileSync(file, text);
  else process.stdout.write(text);
  if (!words.includes('--check')) return 0;
  const { code, output } = await run('npm', ['audit', 'signatures'], { cwd: root });
  process.stderr.write(`${output.trim()}\n`);
  // Only a signature that does not fit is a finding.
  const isFinding = code !== 0 && /invalid (signature|attestation)/i.test(output);
  if (code !== 0 && !isFinding) process.stderr.write('The signatures could not be checked here.\n');
  return isFinding ? 1 : 0;
});
