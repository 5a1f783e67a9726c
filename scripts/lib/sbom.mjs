import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the development's packages those that the build puts into the desktop app: a server does without them. */
const IN_THE_APP = ['@kubernetes/client-node', 'electron-updater'];

/**
 * What the product is made of, as CycloneDX 1.5: each package of the lock file with its version, licence and checksum. Made
 * of the lock alone, without a network, and the same for the same lock. Tools of the development alone are left out.
 */
export function sbomOf(root) {
  const { name, version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const own = packages[''];
  const inTheApp = closure(packages, IN_THE_APP);
  const components = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && (!dev || inTheApp.has(path)))
    .map(([path, one]) => component(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), one))
    .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': `pkg:npm/${name}@${version}`,
        type: 'application',
        name,
        version,
        ...(own.license ? { licenses: [licence(own.license)] } : {}),
      },
    },
    // Nested copies of one version are one component.
    components: components.filter((one, i) => one['bom-ref'] !== components[i - 1]?.['bom-ref']),
  };
}

/** Paths of these packages and of all that they need, but for types. */
function closure(packages, names) {
  const found = new Set();
  const look = (name, from) => {
    // As Node looks for it: in the folder of who asks, then upwards.
    const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (!(path in packages))
      return from === ''
        ? undefined
        : look(name, from.includes('/node_modules/') ? from.slice(0, from.lastIndexOf('/node_modules/')) : '');
    if (found.has(path) || name.startsWith('@types/')) return undefined;
    found.add(path);
    for (const needed of Object.keys(packages[path].dependencies ?? {})) look(needed, path);
  };
  for (const name of names) look(name, '');
  return found;
}

function component(name, { version, license, integrity, optional }) {
  const [group, bare] = name.startsWith('@') ? name.split('/') : [null, name];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, sum] = integrity?.split(' ')[0]?.split(/-(.*)/s) ?? [];
  return {
    'bom-ref': purl,
    type: 'library',
    ...(group ? { group } : {}),
    name: bare,
    version,
    scope: optional ? 'optional' : 'required',
    purl,
    ...(sum
      ? { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(sum, 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [licence(license)] } : {}),
  };
}

const licence = (text) => (/[ ()]/.test(text) ? { expression: text } : { license: { id: text } });
