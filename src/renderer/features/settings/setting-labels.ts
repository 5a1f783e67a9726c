import { LIMIT_BOUNDS, LIMITS } from '../../../contract/limits.ts';
import { isLimit, isOfMaster, LINK_SETTINGS, type Setting, type Settings } from '../../../contract/settings.ts';
import { environmentVariable } from '../../../lib/environment-variable.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import { LINK_PLACEHOLDERS } from '../../../lib/link-pattern.ts';
import { t } from '../../../lib/language.ts';
import { formatBytes, formatCount } from '../../ui/Duration.tsx';

/** The unit that the number is in; empty for a plain count. */
export function settingUnit(name: string): string {
  const unit = /(Bytes|Seconds|Hours|Days|Ms)$/.exec(name)?.[1];
  return unit === undefined ? '' : unit === 'Ms' ? 'milliseconds' : unit.toLowerCase();
}

/** The unit of a number, for a label. */
export const unitText = (name: string): string =>
  ({ bytes: t('bytes'), seconds: t('seconds'), hours: t('hours'), days: t('days'), milliseconds: t('milliseconds') })[
    settingUnit(name)
  ] ?? '';

/** A value for people: `64 KiB`, `30 s`, `none`. */
export function settingText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.join(', ');
  if (typeof value !== 'number')
    return value === null || value === undefined || value === ''
      ? t('none')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const unit = settingUnit(name);
  if (value === 0 && /Retention(Days|Count)$/.test(name)) return t('no limit');
  if (unit === 'bytes') return formatBytes(value);
  const short =
    { seconds: ' s', hours: ' h', days: ` ${value === 1 ? t('day') : t('days')}`, milliseconds: ' ms' }[unit] ?? '';
  return `${Number.isInteger(value) ? formatCount(value) : String(value)}${short}`;
}

/** What was typed as the value of a setting of this kind; undefined where it is none. */
export function readSetting(of: Pick<Setting, 'default'>, text: string): unknown {
  if (isJsonSetting(of)) return fromJson(text);
  if (typeof of.default === 'number') {
    const number = Number(text);
    return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
  }
  if (Array.isArray(of.default)) return text.split(/[\s,]+/).filter((one) => one !== '');
  // What is off by default may be off.
  if (of.default === '') return text.trim();
  return text.trim() === '' ? undefined : text.trim();
}

/** What a setting may be, for people: `1 to 50 ms`, or the placeholders of a link; null: anything of its kind. */
export function boundsText({ name, bounds }: Pick<Setting, 'name' | 'bounds'>): string | null {
  if (isOneOf(LINK_SETTINGS, name))
    return t('An http or https URL. Placeholders: {list}. Empty: no link.', {
      list: LINK_PLACEHOLDERS.map((one) => `{${one}}`).join(' '),
    });
  if (bounds === null) return null;
  // 0 may mean that there is no limit, which is said where it is in force.
  const text = (value: number) => (value === 0 ? '0' : settingText(name, value));
  const span = { least: text(bounds.least), most: text(bounds.most) };
  return bounds.or === null
    ? t('From {least} to {most}', span)
    : t('{or}, or from {least} to {most}', { ...span, or: text(bounds.or) });
}

/** Why a number that was typed is none for the setting; null: it is one. The master checks more. */
export function boundsFault(setting: Pick<Setting, 'name' | 'bounds'>, value: unknown): string | null {
  const { bounds } = setting;
  if (
    bounds === null ||
    typeof value !== 'number' ||
    value === bounds.or ||
    (value >= bounds.least && value <= bounds.most)
  )
    return null;
  return t('Out of range.');
}

/** One that is an object, a flag, or may be nothing: it is typed as JSON. */
export const isJsonSetting = ({ default: value }: Pick<Setting, 'default'>): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'object' && !Array.isArray(value));

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Limits that each master takes from its environment before the settings are there, as rows beside these; of the one that answers. */
export const limitsOfMaster = ({ limits }: Pick<Settings, 'limits'>): Setting[] =>
  Object.entries(limits).flatMap(([name, value]) => {
    if (!isLimit(name) || !isOfMaster(name)) return [];
    const [least, most, or = null] = LIMIT_BOUNDS[name];
    return [{ name, value, default: LIMITS[name], override: null, bounds: { least, most, or }, restart: true }];
  });

/** The only one that sets it; null: it is set here. */
export const variableOf = (name: string): string | null => (isOfMaster(name) ? environmentVariable(name) : null);
