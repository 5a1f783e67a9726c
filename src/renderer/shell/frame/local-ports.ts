import { MAX_PORT, type LocalPort, type PortPreference } from '../../../contract/desktop.ts';
import { t } from '../../../lib/language.ts';

export const PORT_LABELS: Readonly<Record<PortPreference, string>> = {
  masterPort: t('API and console'),
  logstashPort: t('Log pipeline'),
  logStorePort: t('Log store'),
  metricsPort: t('Metrics'),
};

/** Whom a new number concerns. */
export const PORT_USERS: Readonly<Record<PortPreference, string>> = {
  masterPort: t(
    'With another port, the address of the master changes: update programs that call its events, and workers on other machines.',
  ),
  logstashPort: t(
    'With another port, the address of the log pipeline changes: update the log shippers that send to it.',
  ),
  logStorePort: t(
    'With another port, the address of the log store changes: update programs that read or write logs there.',
  ),
  metricsPort: t(
    'With another port, the address of the metrics changes: update programs that read or write metrics there.',
  ),
};

/** "Port 8700 is in use by node server.js (process 4711)." */
export const takenText = ({ wanted, holder }: Pick<LocalPort, 'wanted' | 'holder'>): string =>
  holder === null
    ? t('Port {port} is in use by another program.', { port: String(wanted) })
    : t('Port {port} is in use by {program}.', { port: String(wanted), program: holder });

/** What an input says: a port, null for the usual one (empty or 0), or undefined where it is no port. */
export function parsePort(value: string | number): number | null | undefined {
  const text = String(value).trim();
  if (text === '' || text === '0') return null;
  const port = Number(text);
  return /^\d+$/.test(text) && port <= MAX_PORT ? port : undefined;
}

/** What is wrong with what was typed for each port; empty: nothing. */
export function portFaults(
  ports: readonly LocalPort[],
  draft: Readonly<Partial<Record<PortPreference, string | number>>>,
): Partial<Record<PortPreference, string>> {
  const numbers = ports.map(({ name, preferred, fixedBy, wanted, usual }) =>
    fixedBy === null ? (parsePort(draft[name] ?? preferred ?? '') ?? usual) : wanted,
  );
  const faults: Partial<Record<PortPreference, string>> = {};
  for (const [at, { name, fixedBy }] of ports.entries()) {
    if (fixedBy !== null || draft[name] === undefined) continue;
    const other = ports.find((_, index) => index !== at && numbers[index] === numbers[at]);
    if (parsePort(draft[name]) === undefined)
      faults[name] = t('Use a number from 1 to 65535. Empty: the default port.');
    else if (other) faults[name] = t('Already the port of: {name}', { name: PORT_LABELS[other.name] });
  }
  return faults;
}
