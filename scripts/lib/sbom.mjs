import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the product is made of, as CycloneDX 1.5: each package of the lock file with its version, licence and checksum. Made
 * of the lock alone, without a network, and the same for the same lock. Tools of the development alone are left out.
 */
export function sbomOf(root) {
  const { name, version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const own = packages[''];
  const components = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
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
