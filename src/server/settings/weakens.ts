import type { OtherSettings } from '../../contract/settings.ts';

/** What is asked of it before something may be done alone. */
export type Protection = Pick<OtherSettings, 'protectedEnvironments' | 'bulkApprovalOver' | 'approvalOverride'> & {
  readonly approverSettleHours: number;
};

/** True where less would take a second person than before, or another person would be easier to come by. */
export function weakens(before: Protection, after: Protection): boolean {
  const environments = Object.keys(before.protectedEnvironments);
  if (environments.length === 0 && before.bulkApprovalOver === null) return false;
  return (
    environments.some((environment) => !Object.hasOwn(after.protectedEnvironments, environment)) ||
    (before.bulkApprovalOver !== null &&
      (after.bulkApprovalOver ?? Number.POSITIVE_INFINITY) > before.bulkApprovalOver) ||
    (after.approvalOverride && !before.approvalOverride) ||
    after.approverSettleHours < before.approverSettleHours
  );
}
