import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MEMORY, SHARED, SOONER } from './after-start.ts';

it('what a process changes once it is ready V8 knows, and what it sets back is what V8 has by itself', () => {
  const said = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const [flag, [, byDefault]] of Object.entries({ ...MEMORY, ...SHARED, ...SOONER })) {
    const [, known = ''] = new RegExp(`^ +${flag} .*\\n.*default: (\\S+)`, 'm').exec(said) ?? [];
    // Of a flag that is on or off, V8 says --flag or --no-flag.
    expect([`${flag}${byDefault}`, `${flag}${byDefault}`.replace('=true', '')]).toContain(known);
  }
});
