import { expect, it } from 'vitest';
import { dataDisk } from './data-disk.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

it('tells the free bytes of the file system of a folder, and nothing of a folder that is not there', async () => {
  const folder = temporaryFolder('ym-disk');
  const disk = await dataDisk(folder);
  expect(disk?.totalBytes).toBeGreaterThan(0);
  expect(disk?.freeBytes).toBeLessThanOrEqual(disk?.totalBytes ?? 0);
  expect(await dataDisk(`${folder}/gone`)).toBeUndefined();
});
