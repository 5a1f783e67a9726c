import type { TaskReport } from '../../machine/report.ts';
import type { Secrets } from '../../secrets/port.ts';

/** Messages of failures are kept and shown; a worker of another make may not have taken the values of secrets out of them. */
export function redactReports(
  reports: readonly TaskReport[],
  secrets: Pick<Secrets, 'redactor'> | undefined,
): readonly TaskReport[] {
  if (!secrets || !reports.some(({ e }) => e === 'fail')) return reports;
  return reports.map((report) =>
    report.e === 'fail'
      ? { ...report, error: { ...report.error, message: secrets.redactor.text(report.error.message) } }
      : report,
  );
}
