import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs `work` while no other process of ours does (two terminals, one build). A lock whose holder died is taken over. */
export async function exclusively(folder, log, work) {
  let told = false;
  for (;;) {
    try {
      mkdirSync(dirname(folder), { recursive: true });
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!holderLives(folder)) rmSync(folder, { recursive: true, force: true });
      else if (!told) log('Waiting for another setup command to finish …');
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  const free = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', free);
  try {
    return await work();
  } finally {
    process.off('exit', free);
    free();
  }
}

function holderLives(folder) {
  let pid;
  try {
    pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    // Between mkdir and write: look again.
    return true;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
