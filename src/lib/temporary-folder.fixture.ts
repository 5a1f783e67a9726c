import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new and empty folder; the run of tests takes away what it made. */
export const temporaryFolder = (name: string): string => mkdtempSync(join(tmpdir(), `${name}-`));
